"""The scene of a workspace: built from the index, cached by its inputs, written to
SCENE.md.

    files ─► scan ─► parse ─► index ─► graph ─► walk ─► rank ─► plan ─► render ─► write

`Workspace.refresh` goes as far as the index, `scene_pipeline` from there to the text.
`make_scene` returns the cached scene if no input has changed since an earlier run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.errors import Invalid, NoActiveCard, NotFound, WorkspaceMissing
from cuedeck.model.ports import Json
from cuedeck.model.settings_schema import BAD_BUDGET, SMALLEST_BUDGET
from cuedeck.store.cache.kept_scenes import BRIEF, code_version, load_scene, save_scene
from cuedeck.store.files.disk import (
    LARGEST_POINTER,
    look_at_generated,
    write_if_changed,
)
from cuedeck.store.index.schema import VALUES_CHANGED
from cuedeck.store.workspace_paths import missing

if TYPE_CHECKING:
    from cuedeck.context.scene.ledger_blocks import Front
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.scene_values import Scene, Target
    from cuedeck.store.index import Index


_ABOUT_TASK = ("assumptions", "decisions", "memory", "experiences", "occurrences")
"""Blocks of a scene that are about its task."""


class Request(NamedTuple):
    """Options of a scene besides the files and the settings."""

    card: str | None = None
    budget: int | None = None
    related: bool = True
    task: str = ""
    """Text of a task that is the root instead of a card."""
    front: Front | None = None
    """What a brief contains besides its scene; None for a scene."""


class BuiltScene(NamedTuple):
    """Scene as the app and the shells use it."""

    text: str
    """Exact text of SCENE.md."""
    report: Json
    """JSON with real addresses, for lookups."""
    masked_report: Json
    """JSON for output: every secret in a name or a ref is masked."""


def make_scene(
    workspace: Workspace,
    request: Request,
    progress: Callable[[int, int], None] | None = None,
) -> BuiltScene:
    """Return the scene of the workspace as it is on disk now.

    Raises: WorkspaceMissing for a card in a folder without `.cuedeck/`; NoActiveCard,
    NotFound, Ambiguous for the card; ConfigurationError; StorageError.
    """
    if not (request.task or workspace.paths.is_initialised):
        error = missing(workspace.paths.root)
        raise WorkspaceMissing(
            error.message, hint=f"{error.hint}; without one, give the text of a task"
        )
    if request.task:
        from cuedeck.context.scene.task_root import check_task

        request = request._replace(task=check_task(request.task))

    workspace.refresh(progress)
    key = scene_key(workspace, request)
    kept = load_scene(workspace.index, key) if key else None
    if kept is not None:
        return BuiltScene(*kept)
    workspace.history.progress = progress
    made = to_made(workspace, build(workspace, request), request.task)
    if workspace.index.meta(VALUES_CHANGED):
        # A commit message revealed a secret, which the files may contain.
        workspace.refresh(progress)
        made = to_made(workspace, build(workspace, request), request.task)
    from cuedeck.knowledge.cortex.cortex_places import store_inputs

    store_inputs(workspace)
    # Do not cache after a failure of git, which may work on the next run. A different
    # key means that the index changed during the build, at an unknown moment.
    # Nor is a scene cached whose report has secrets: names in it lead to files.
    is_settled = (
        made.report == made.masked_report
        and not workspace.history.fault
        and not workspace.tree.tracked_fault
        and not workspace.is_unfinished
    )
    if key and is_settled and scene_key(workspace, request) == key:
        save_scene(workspace.index, key, made)
    workspace.counter().save()
    return made


def build(workspace: Workspace, request: Request) -> Scene:
    """Build the scene from an up-to-date index."""
    from cuedeck.context.scene.scene_pipeline import build_scene

    def attempt() -> Scene:
        with opened_root(workspace, request) as root:
            return build_scene(
                workspace,
                root,
                request.budget,
                related=request.related,
                front=request.front,
            )

    return workspace.settled(attempt)


@contextmanager
def opened_root(workspace: Workspace, request: Request) -> Iterator[Target]:
    """Provide the root of a scene: the task of the request, which the index contains
    meanwhile, else the card.

    Raises: NoActiveCard, NotFound, Ambiguous for the card; Invalid, TooLong, UsageError
    for the task.
    """
    from cuedeck.engine.active_card import find_root

    if not request.task:
        yield find_root(workspace.index, workspace.paths, request.card)
        return
    from cuedeck.context.scene.task_root import make_task_root

    try:
        yield make_task_root(
            workspace.find_secrets, workspace.index, workspace.corpus, request.task
        )
    finally:
        workspace.index.virtual = None


def check_answer(index: Index, request: Request, made: BuiltScene) -> None:
    """Raise NotFound if the scene of a task contains no file, Invalid if the card has a
    token limit that no scene can have.

    Hooks and `watch` build the scene with the limit of the settings instead.
    """
    report = made.report
    found = [*report["visits"][1:], *report["unresolved"]]
    # Other blocks may be about the session, or only say that there is no history.
    found += [block for block in report["blocks"] if block["name"] in _ABOUT_TASK]
    has_room = report["tokens"] * 2 < report["budget"]
    if request.task and request.related and has_room and not found:
        raise NotFound(
            "no file of the workspace matches the task",
            hint="name a file or a definition (`src/auth.py`, `Login.verify`), or use "
            "words of the code; `cuedeck find TEXT` searches for a text",
        )
    if request.budget:
        return
    file = index.file(made.report["card"] or "")
    for each in file.diagnostics if file is not None else ():
        if each.code == BAD_BUDGET:
            raise Invalid(f"{each.path}:{each.line}: {each.message}", hint=each.hint)


def write_scene(workspace: Workspace, text: str) -> bool:
    """Write SCENE.md if its bytes differ; return whether they did.

    SCENE.md stays unchanged if this process had no time to read the whole history and
    memory.
    """
    if workspace.is_unfinished:
        return False
    return write_if_changed(
        workspace.paths.scene,
        text.encode("utf-8", "replace"),
        workspace.paths.cache,
        private=True,
    )


def to_made(workspace: Workspace, scene: Scene, task: str = "") -> BuiltScene:
    """Return the text of a scene with its documented JSON."""
    from cuedeck.context.scene.scene_pipeline import report_of
    from cuedeck.engine.mask_answers import mask_value

    report = report_of(scene, workspace.index, task)
    return BuiltScene(scene.text, report, mask_value(report, workspace))


def scene_key(workspace: Workspace, request: Request) -> str:
    """Return the cache key of a scene: a hash of the code and of all its inputs, so
    equal keys mean equal bytes.

    Empty if only a call of git could determine the state of the repository. The index
    must be up to date.
    """
    from hashlib import sha256

    from cuedeck.context.blocks.blocks_fingerprint import state_of
    from cuedeck.store.git.head import find_repository, history_key_of

    index = workspace.index
    active = look_at_generated(workspace.paths.active, LARGEST_POINTER)
    history_key = history_key_of(find_repository(workspace.paths.root))
    if not history_key.is_certain:
        return ""
    state = state_of(workspace)
    inputs = (
        index.meta("generation"),
        index.meta("rules"),
        active,
        tuple(history_key),
        tuple(request),
        state,
    )
    depends = (code_version(), *inputs)
    digest = sha256(
        repr(depends).encode("utf-8", "surrogatepass")
    ).hexdigest()  # hashed: no session text in the index
    return f"{BRIEF}{digest}" if request.front else digest


_MARGIN = 0.97
"""Safety factor of a budget estimated from characters: a smaller scene has different
proportions.
"""


def make_fitting(
    workspace: Workspace, request: Request, most_tokens: int, most_characters: int
) -> BuiltScene:
    """Return the scene of a request, rebuilt with a smaller budget while it has too
    many tokens or characters.

    Units: `most_tokens` 0 for no limit but the budget of the request.
    Raises: as `make_scene`.
    """

    def make(budget: int | None) -> BuiltScene:
        return make_scene(workspace, request._replace(budget=budget))

    made = fit_scene(make, request.budget, most_tokens, most_characters)
    check_answer(workspace.index, request, made)
    return made


def fit_scene(
    make: Callable[[int | None], BuiltScene],
    budget: int | None,
    most_tokens: int,
    most_size: int,
    size: Callable[[str], int] = len,
) -> BuiltScene:
    """Return the scene that `make` builds with the first budget, from `budget`
    downwards, at which it fits.

    Units: `most_tokens` 0 for no limit; `most_size` in the unit of `size`.
    """
    made = make(budget)
    while smaller := _smaller_budget(made, most_tokens, size(made.text), most_size):
        made = make(smaller)
    return made


def _smaller_budget(
    made: BuiltScene, most_tokens: int, size: int, most_size: int
) -> int:
    """Return the budget of the next attempt."""
    budget = made.report["budget"]
    tokens = made.report["tokens"]
    if most_tokens and tokens > most_tokens:
        wanted = most_tokens
    elif size > most_size:
        wanted = int(min(tokens, budget) * most_size / size * _MARGIN)
    else:
        return 0
    smaller = max(SMALLEST_BUDGET, min(wanted, budget - 1))
    return smaller if smaller < budget else 0


def make_or_idle(workspace: Workspace) -> BuiltScene:
    """Return the scene or the idle scene of the workspace as it is on disk now.

    Raises: ConfigurationError; StorageError.
    """
    try:
        return make_scene(workspace, Request())
    except NoActiveCard:
        return to_made(workspace, build_idle(workspace))


def build_or_idle(workspace: Workspace) -> tuple[Scene, NoActiveCard | None]:
    """Build the scene from an up-to-date index."""
    try:
        return build(workspace, Request()), None
    except NoActiveCard as error:
        return build_idle(workspace), error


def build_idle(
    workspace: Workspace, budget: int | None = None, front: Front | None = None
) -> Scene:
    """Build the scene of a workspace without an active card; with `front`, a brief.

    `budget` overrides the budget of the settings.
    """
    from cuedeck.context.scene.idle_scene import idle_scene

    return idle_scene(workspace, budget, front)
