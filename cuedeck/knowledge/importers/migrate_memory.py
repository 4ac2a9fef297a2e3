"""Import of memory of ClawCode, OpenClaw or CursorClaw that lies in the workspace."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.cortex.add_message import NewMessage, add_message
from cuedeck.knowledge.cortex.cortex_sessions import SESSIONS
from cuedeck.knowledge.importers.import_foreign import import_foreign
from cuedeck.ledger.records.memory_files import PRIMARY
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.formatting import quoted
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.files.nofollow import is_below

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths

_WRITTEN = ("new", "merged")
_LOGS = ".cuedeck/memory/2"
"""Beginning of the path of each daily log."""
_MEMORY_FILES = (".cuedeck/MEMORY.md", _LOGS)


def migrate_memory(
    workspace: Workspace, folder: str = "", kind: str = "", *, dry_run: bool = True
) -> dict[str, Any]:
    """Import a folder of the workspace, by default the workspace itself with its
    MEMORY.md and `memory/`; return the receipt with the numbers that MemClaw gives.

    The result says what the import would do if it is a dry run. Raises: Invalid for a
    folder outside the workspace or with a NUL character, and every error of
    `import_foreign`.
    """
    if "\0" in folder:
        raise Invalid(
            "`folder` contains a NUL character, which no path contains",
            hint="give the path of a folder of the workspace",
        )
    root = os.path.realpath(workspace.paths.root)
    place = os.path.realpath(os.path.join(root, folder))
    if place != root and not is_below(place, root):
        raise Invalid(
            f"{folder} is outside the workspace",
            hint=f"a person can run `cuedeck cortex import {quoted(folder)}`",
        )
    try:
        done = import_foreign(workspace, place, kind, dry_run=dry_run)
    except NotFound:
        if folder:
            raise
        raise NotFound(
            "the workspace contains no memory of another program",
            hint="name the folder, or run `cuedeck cortex import DIR`",
        ) from None
    rows = done["rows"]
    timelines = _new_timelines(workspace.paths, rows)
    if not dry_run:
        _add_timelines(workspace, timelines)
    written = [each["target"] for each in rows if each["action"] in _WRITTEN]
    sessions = list(timelines)
    for target in written:
        names = target.split("/")
        if names[:3] == ["cortex:", "", "session"]:
            sessions.append(names[3])
    errors = [
        f"{each['source']}: {each['reason']}"
        for each in rows
        if each["action"] == "refused"
    ]
    result = {
        "dailyLogsMigrated": sum(target.startswith(_LOGS) for target in written),
        "memoryMdMigrated": ".cuedeck/MEMORY.md" in written,
        "sessionsCreated": list(dict.fromkeys(sessions)),
        "errors": errors,
    }
    return {"success": True, "result": result, **done}


def _new_timelines(
    paths: WorkspacePaths, rows: Sequence[dict[str, Any]]
) -> dict[str, str]:
    """Return the sessions to create, with the memory file that each of them contains:
    one for each imported daily log and one for MEMORY.md.

    The tools of MemClaw list and search the cortex tree only.
    """
    tree = CortexTree(paths)
    found: dict[str, str] = {}
    for each in rows:
        target = each["target"]
        if each["action"] == "refused" or not target.startswith(_MEMORY_FILES):
            continue
        name = posixpath.splitext(posixpath.basename(target))[0].lower()
        session = f"migrated-oc-{name}"
        if tree.kind_of(SESSIONS.child(session)) == "":
            found[session] = target.removeprefix(".cuedeck/")
    return found


def _add_timelines(workspace: Workspace, timelines: Mapping[str, str]) -> None:
    """Write each memory file as one message of its session. The role `system` keeps its
    words from counting as those of the user.
    """
    memory = memory_of(workspace)
    for session, name in timelines.items():
        text = memory.text(name) or ""
        day = posixpath.basename(name).removesuffix(".md")
        time = f"{day}T12:00:00Z" if name != PRIMARY else ""
        if text.strip():
            add_message(workspace, NewMessage(text, "system", time), session)
