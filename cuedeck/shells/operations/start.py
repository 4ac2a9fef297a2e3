"""The first command in a repository: workspace, agents, card and scene."""

from collections.abc import Iterator

from cuedeck.model.errors import NoActiveCard, WorkspaceMissing
from cuedeck.model.paths import SCENE
from cuedeck.model.ports import Json
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import Words, operation

_STARTED = """\
{created:?created}{created:!found  }  .cuedeck/ in {root}
*agents agent    {title}: {state}{files:? {files}}{problem:? ({problem})}
!agents agent    none is on PATH; `cuedeck setup HOST` connects one
?card card     {card[id]} {card[path]}
?scene scene    {scene[path]}: {scene[tokens]:,} of {scene[budget]:,} tokens, {scene[files]:+file}

Next:
*next   {run:?{run:22}}{about}"""


@operation(
    "start",
    'cuedeck start "Fix login"         create a card for the task, and its scene\n'
    'cuedeck start --yes "Fix login"   also connect the coding agents on PATH',
    _STARTED,
)
def start(call: Call, task: Words = "", *, yes: bool = False) -> Answer:
    """Begin in a repository: workspace, card of a task, scene, agents.

    It asks nothing. Each TASK becomes a new card, the active one; without TASK the
    scene of the active card is written. The files that connect the coding agents on
    PATH are listed, and written only with --yes, which also agrees that sessions are
    recorded (`cuedeck capture --help`). Git ignores these files.

    Args:
        yes: Write the files that connect the agents.
    """
    from cuedeck.agents.setup import connect_installed

    created = _open(call)
    agents = connect_installed(call.workspace, dry_run=not yes)
    card, warnings = _card(call, task.strip())
    scene = _scene(call)
    answer = {
        "root": call.workspace.paths.root,
        "created": created,
        "agents": agents,
        "card": card,
        "scene": scene,
        "next": list(_next(agents, scene)),
    }
    failed = any(each["problem"] for each in agents if yes)
    return Answer(answer, notes=warnings, code=int(failed))


def _open(call: Call) -> list[str]:
    """Open the workspace; return the files created for it."""
    try:
        call.workspace  # noqa: B018 - opens it
    except WorkspaceMissing:
        from cuedeck.engine.init_workspace import init_workspace

        done = init_workspace(call.start)
        call.directory = done["root"]
        return list(done["created"])
    return []


def _card(call: Call, task: str) -> tuple[Json | None, tuple[str, ...]]:
    """Create an active card; return its JSON and a warning if a secret was masked."""
    if not task:
        return None, ()
    from cuedeck.work.cards.create_card import NewCard, new_card

    return new_card(call.workspace, NewCard(title=task, status="active"))


def _scene(call: Call) -> Json | None:
    """Write SCENE.md; return its size, or None without an active card."""
    from cuedeck.context.scene.build_scene import Request
    from cuedeck.context.scene.deliver_scene import deliver

    with call.progress("reading files and commits") as progress:
        try:
            made = deliver(call.workspace, Request(), write=True, progress=progress)
        except NoActiveCard:
            return None
    report = made.masked_report
    files = {visit["address"].partition("#")[0] for visit in report["visits"]}
    return {
        "path": SCENE,
        "tokens": report["tokens"],
        "budget": report["budget"],
        "files": len(files),
    }


def _next(agents: list[Json], scene: Json | None) -> Iterator[Json]:
    for each in agents:
        if each["next"]:
            yield {"run": "", "about": each["next"]}
    if scene is None:
        yield {"run": 'cuedeck start "TASK"', "about": "create a card and its scene"}
    if any(each["state"] == "would write" for each in agents):
        about = "write the files of the agents, and record their sessions"
        yield {"run": "cuedeck start --yes", "about": about}
    yield {"run": "cuedeck web", "about": "see the scene, its cost and the memory"}
    if scene is not None:
        about = "copy the scene, to paste it into any chat"
        yield {"run": "cuedeck scene --copy", "about": about}


@operation(
    "uninstall",
    "cuedeck uninstall                   list what would be removed\n"
    "cuedeck uninstall --yes",
    """\
*removed {dry_run:?would remove}{dry_run:!removed}  {path}  {what}
!removed nothing to remove
?findings
%findings""",
    takes_folder=True,
)
def uninstall(call: Call, *, yes: bool = False, dry_run: bool = False) -> Answer:
    """Remove what CueDeck wrote outside of repositories.

    These are the entries of `setup --user` in your own settings of coding agents, your
    answers of `capture`, the key of caches, and the caches. Without --yes they are
    only listed. Workspaces stay, and so does everything that you wrote.

    Args:
        yes: Remove them.
        dry_run: Only list them, also with --yes.
    """
    from cuedeck.agents import setup

    found = setup.uninstall(call.workspace.paths, dry_run=dry_run or not yes)
    return Answer(found, code=int(bool(found["findings"])))
