"""The workspace itself: creation, settings, agreement to record, caches, backfill."""

import json
import os
from collections.abc import Iterator
from typing import Annotated, Any

from cuedeck.engine import capture
from cuedeck.engine.mask_answers import error_report
from cuedeck.knowledge.memory.due_jobs import schedule_errors
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import CONFIG
from cuedeck.model.ports import Json, JsonView
from cuedeck.parse.settings_file import (
    configuration_error,
    find_sources,
    keys,
    read_settings,
)
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import Param, operation, topic
from cuedeck.shells.text_table import table
from cuedeck.shells.text_template import write_lines

topic(
    "config",
    "Show or check the settings in .cuedeck/config.toml.",
    "cuedeck config show",
)
topic(
    "capture",
    """Agree that sessions of this workspace are recorded, or decline.

    The answer is yours alone: it is in your own state folder, not in the repository.
    `cuedeck setup HOST` agrees, too.
    """,
    "cuedeck capture status",
)


@operation(
    "init",
    "cuedeck init                 in the current folder\n"
    "cuedeck init --stealth       let git ignore it, without a change to .gitignore",
)
def init(
    call: Call,
    folder: Annotated[str, Param("place", "[DIR]")] = "",
    *,
    force: bool = False,
    stealth: bool = False,
) -> Answer:
    """Create a workspace: .cuedeck/ with settings, cards, docs.

    Args:
        force: Overwrite the template's files; the old ones are kept as .bak. USER.md,
            cards and docs are not touched.
        stealth: Add .cuedeck/ to .git/info/exclude, so that git ignores it without a
            change to .gitignore.
    """
    from cuedeck.engine.init_workspace import init_workspace

    done = init_workspace(folder or call.start, force=force, stealth=stealth)
    call.directory = done["root"]
    wanted = ("readme.md", "readme.rst", "readme.txt", "readme")
    names = {name.casefold(): name for name in os.listdir(call.workspace.paths.root)}
    readmes = [names[each] for each in wanted if each in names]
    ref = f"--ref {readmes[0]} " if readmes else ""
    return Answer(done, _CREATED.replace("README", ref))


_CREATED = """*created created  {it}
*replaced replaced {path} (the old one is {backup})
*extended extended {path} ({lines})
*kept kept     {it}
?excluded_by {exclude_added:?ignored }{exclude_added:!kept    } .cuedeck/ in {excluded_by}

Nothing of your sessions is recorded until `cuedeck setup HOST` or `cuedeck capture on`.

Next: cuedeck card new --activate README-- "My first task"
      cuedeck scene"""


def _settings_table(answer: JsonView) -> str:
    rows = []
    for each in answer["settings"]:
        value = json.dumps(each["value"], ensure_ascii=False)
        rows.append((each["key"], value, each["source"], each["doc"]))
    for profile in answer["profiles"]:
        root = json.dumps(profile["root"], ensure_ascii=False)
        about = "folder of an additional memory"
        rows.append((f"profile {profile['id']}", root, CONFIG, about))
    return table("key,value,source,description~", rows)


@operation(
    "config show", "CUEDECK_SCENE__BUDGET=8000 cuedeck config show", _settings_table
)
def show_config(call: Call) -> Json:
    """Show every setting, its value and its source."""
    workspace = call.workspace
    settings = workspace.settings
    sources = find_sources(workspace.config_text, workspace.environ)
    rows = []
    for full, key in keys():
        section, name = full.split(".")
        rows.append(
            {
                "key": full,
                "value": _plain(getattr(getattr(settings, section), name)),
                "source": sources.get(full, "default"),
                "default": _plain(key.default),
                "doc": key.doc,
            }
        )
    profiles = [profile._asdict() for profile in settings.profile]
    return {"settings": rows, "profiles": profiles}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


_INVALID = "*findings {path:~.?{path}{line:?:{line}}  }{message}; {hint}"
"""A variable has no place: its message names it."""


@operation("config check", "cuedeck config check")
def check_config(call: Call) -> Answer:
    """Check the settings file.

    It lists every invalid value and unknown key. Exit code 4 if a value cannot be
    used, 1 if a key is unknown.
    """
    workspace = call.workspace
    reading = read_settings(workspace.config_text, workspace.environ)
    errors = [*reading.errors, *schedule_errors(reading.settings, workspace.environ)]
    found = [each._asdict() for each in (*errors, *reading.warnings)]
    answer: Json = {"path": CONFIG, "valid": not found, "findings": found}
    if errors:
        first = configuration_error(errors[0])
        answer["error"] = error_report(first, workspace)
        return Answer(answer, f"#{_INVALID}", code=ConfigurationError.exit_code)
    text = f"{_INVALID}\n!findings {{path}} is valid"
    return Answer(answer, text, code=int(bool(found)))


@operation(
    "clean",
    "cuedeck clean --dry-run",
    """\
!removed nothing to delete
*removed {dry_run:?would delete}{dry_run:!deleted}  {it}
?removed {bytes:,} bytes""",
    takes_folder=True,
)
def clean(call: Call, *, dry_run: bool = False) -> Json:
    """Delete the index and caches; the next command rebuilds them.

    In a folder without .cuedeck/, delete its index in the user's cache folder.

    Args:
        dry_run: List what would be deleted; delete nothing.
    """
    from cuedeck.doctor import repair

    return repair.clean(call.workspace.paths, dry_run=dry_run)


def capture_lines(status: JsonView) -> Iterator[str]:
    """Yield the lines that describe the agreement to record to the user."""
    rows = [f"{row['what']} in {row['path']}" for row in status["recorded"]]
    recorded = "; ".join(rows)
    if status["capture"] != "on":
        reason = "you declined"
        if status["capture"] == capture.NOT_ANSWERED:
            reason = "you have not agreed"
        yield f"capture is off in {status['folder']}: {reason}"
        yield f"`cuedeck capture on` records {recorded}"
        return
    exposed = [row["path"] for row in status["recorded"] if not row["is_ignored"]]
    git = "git ignores all of it"
    if exposed:
        hint = "`cuedeck doctor --repair` adds the lines"
        git = f"git does not ignore {', '.join(exposed)}: {hint}"
    yield f"capture is on in {status['folder']}, for you alone"
    yield f"recorded, with secrets masked: {recorded}"
    yield f"{git}; `cuedeck capture off` stops it"


@operation("capture on", "cuedeck capture on", capture_lines)
def capture_on(call: Call) -> Json:
    """Record sessions of this workspace from now on."""
    return capture.set_capture(call.workspace, "on")


@operation("capture off", "cuedeck capture off", capture_lines)
def capture_off(call: Call) -> Json:
    """Stop recording; existing records and messages are kept."""
    return capture.set_capture(call.workspace, "off")


@operation("capture status", "cuedeck capture status", capture_lines)
def capture_status(call: Call) -> Json:
    """Print whether sessions are recorded, and where."""
    return capture.capture_status(call.workspace.paths)


_BACKFILLED = """\
*sessions {session}: {statements:,} statements, {added:,} new
{dry_run:?would add}{dry_run:!added} {total:,} statements of {sessions!n:,} sessions\
 ({transcripts:,} transcripts of {host})"""


def _backfilled(answer: JsonView) -> Iterator[str]:
    total = sum(each["added"] for each in answer["sessions"])
    return write_lines(_BACKFILLED, {**answer, "total": total})


@operation("backfill", "cuedeck backfill claude --dry-run", _backfilled)
def backfill(call: Call, host: str, *, folder: str = "", dry_run: bool = False) -> Json:
    """Add the statements of earlier transcripts of a host.

    Only transcripts whose working folder is in this workspace are read.

    Args:
        folder --from FOLDER: Read the newest transcripts in this folder that have
            changed.
        dry_run: Count statements, and add none.
    """
    from cuedeck.knowledge.statements import backfill as work

    with call.progress("transcripts") as progress:
        return work.backfill(
            call.workspace, host, folder=folder, dry_run=dry_run, progress=progress
        )
