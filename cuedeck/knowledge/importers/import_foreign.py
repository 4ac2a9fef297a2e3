"""Import of the memory of another program: its kind is found by what the folder
contains.
"""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from cuedeck.knowledge.cortex.add_message import NewMessage, add_message
from cuedeck.knowledge.cortex.cortex_sessions import SESSIONS
from cuedeck.knowledge.importers.import_cortex import import_cortex
from cuedeck.knowledge.importers.import_job import ImportJob
from cuedeck.knowledge.importers.import_memory import LOG, import_memory
from cuedeck.ledger.records.memory_files import (
    DIARY,
    FOREIGN_EXPERIENCES,
    PRIMARY,
    memory_of,
)
from cuedeck.model.cortex_address import DIMENSIONS
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.model.formatting import quoted
from cuedeck.model.paths import HOME
from cuedeck.model.ports import Json
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.files.foreign_folder import ForeignFolder
from cuedeck.store.files.nofollow import is_below

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

KINDS = ("cortex", "clawcode", "cursorclaw")
_CURSORCLAW = ("LONGMEMORY.md", "memory/MEMORY-archive.md", FOREIGN_EXPERIENCES)
"""Files that only CursorClaw writes."""
_CLAWCODE = (PRIMARY, DIARY, ".dreams", "memory/.dreams")
"""Files and folders of ClawCode."""


def import_foreign(
    workspace: Workspace,
    place: str,
    kind: str = "",
    *,
    dry_run: bool = False,
) -> Json:
    """Import the folder at an absolute path; return the rows of the receipt.

    An empty `kind` means that the content decides. With `dry_run` nothing is written.
    The source is never written. Raises: NotFound, Ambiguous, Invalid, Locked,
    StorageError, ConfigurationError.
    """
    folder = ForeignFolder(place)
    paths = workspace.paths
    home = os.path.join(os.path.realpath(paths.root), HOME)
    if folder.root == home or is_below(folder.root, home):
        raise Invalid(
            f"{paths.shown(folder.root)} is the memory of this workspace",
            hint="give a folder outside .cuedeck/",
        )
    for profile in workspace.settings.profile:
        if folder.root == os.path.realpath(paths.absolute(profile.root)):
            raise Invalid(
                f"{profile.root} is the profile {profile.id}, which is used in place",
                hint=f"cuedeck memory list --profile {quoted(profile.id)}",
            )
    chosen = _chosen_kind(folder, kind)
    job = ImportJob(workspace, folder, dry_run)
    if chosen == "cortex":
        import_cortex(job)
    else:
        import_memory(job, chosen)
    return {
        "source": folder.root,
        "kind": chosen,
        "dry_run": dry_run,
        **job.answer(),
    }


def migrate_memory(
    workspace: Workspace, folder: str = "", kind: str = "", *, dry_run: bool = True
) -> Json:
    """Import a folder of the workspace, by default the workspace itself with its
    MEMORY.md and `memory/`; return the receipt with the numbers that MemClaw gives.

    Each memory file also becomes a message of a session, because the tools of MemClaw
    list and search the cortex tree only. Raises: Invalid for a folder outside the
    workspace, and every error of `import_foreign`.
    """
    root = os.path.realpath(workspace.paths.root)
    place = os.path.realpath(os.path.join(root, folder)) if "\0" not in folder else ""
    if place != root and not is_below(place, root):
        raise Invalid(
            f"{folder} is outside the workspace",
            hint=f"a person can run `cuedeck cortex import {quoted(folder)}`",
        )
    done = import_foreign(workspace, place, kind, dry_run=dry_run)
    logs = []
    sessions: dict[str, None] = {}
    for row in done["rows"]:
        target = row["target"]
        if row["action"] in ("new", "merged"):
            logs += [target] if LOG.fullmatch(posixpath.basename(target)) else []
            if target.startswith("cortex://session/"):
                sessions[target.split("/")[3]] = None
        if row["action"] != "refused" and target.startswith(f"{HOME}/"):
            session = _add_timeline(workspace, target, dry_run=dry_run)
            sessions |= dict.fromkeys(filter(None, [session]))
    refused = [row for row in done["rows"] if row["action"] == "refused"]
    written = {row["target"] for row in done["rows"] if row["action"] != "same"}
    result = {
        "dailyLogsMigrated": len(logs),
        "memoryMdMigrated": f"{HOME}/{PRIMARY}" in written,
        "sessionsCreated": list(sessions),
        "errors": [f"{row['source']}: {row['reason']}" for row in refused],
    }
    return {"success": True, "result": result, **done}


def _add_timeline(workspace: Workspace, path: str, *, dry_run: bool) -> str:
    """Write a memory file as the message of a new session; return the session, empty
    for another file and for a session that exists. The role `system` keeps its words
    from counting as those of the user.
    """
    name = path.removeprefix(f"{HOME}/")
    day = posixpath.basename(name).removesuffix(".md")
    session = f"migrated-oc-{day.lower()}"
    is_log = LOG.fullmatch(posixpath.basename(name)) is not None
    is_known = bool(CortexTree(workspace.paths).kind_of(SESSIONS.child(session)))
    if is_known or not (is_log or name == PRIMARY):
        return ""
    text = "" if dry_run else memory_of(workspace).text(name) or ""
    if text.strip():
        time = f"{day}T12:00:00Z" if is_log else ""
        add_message(workspace, NewMessage(text, "system", time), session)
    return session


def _kinds(folder: ForeignFolder) -> list[str]:
    def has_any(paths: tuple[str, ...]) -> bool:
        return any(folder.has_file(path) or folder.has_folder(path) for path in paths)

    found = []
    if any(map(folder.has_folder, DIMENSIONS)):
        found.append("cortex")
    names = (*folder.names(), *folder.names("memory"))
    if has_any(_CURSORCLAW):
        found.append("cursorclaw")
    elif has_any(_CLAWCODE) or any(map(LOG.fullmatch, names)):
        found.append("clawcode")
    return found


def _chosen_kind(folder: ForeignFolder, kind: str) -> str:
    if kind:
        if kind not in KINDS:
            hint = f"use one of {', '.join(KINDS)}"
            raise Invalid(f"`{kind}` is not a kind of source", hint=hint)
        return kind
    found = _kinds(folder)
    if not found:
        raise NotFound(
            f"{folder.root} contains no memory of a known program",
            hint="give the folder that contains MEMORY.md, a folder memory/, or the "
            f"folders {', '.join(DIMENSIONS)}",
            candidates=tuple(f"tenants/{each}" for each in folder.names("tenants")),
        )
    if len(found) > 1:
        raise Ambiguous(
            f"{folder.root} contains files of several programs",
            hint=f"choose one, for example --from {found[0]}",
            candidates=tuple(found),
        )
    return found[0]
