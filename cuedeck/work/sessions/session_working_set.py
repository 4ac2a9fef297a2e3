"""The files of a session: content hashes, and the changes since they were recorded."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.engine.open_session import find_open, timestamp_after, update_session
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.model.paths import HOME
from cuedeck.model.session import WorkingFile
from cuedeck.store.files.disk import read_bytes
from cuedeck.store.files.ignore_rules import in_home
from cuedeck.store.files.nofollow import is_below

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json
    from cuedeck.model.session import Role, Session
    from cuedeck.store.files.tree import Tree
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_ONLY_HERE = "only files of the workspace can be recorded"


class Change(NamedTuple):
    """A change of a file."""

    path: str
    change: str
    """`changed`, `deleted`, `renamed to …`, `back again`."""


def touched(
    known: WorkingFile | None, hash_: str, role: Role, timestamp: str
) -> WorkingFile:
    """Return the entry of a file after a read or write; reading an unchanged file keeps
    the time of its last write.
    """
    if known is None or known.role == role == "read":
        return WorkingFile(hash_, role, timestamp)
    if role == "read" and known.hash == hash_:
        timestamp = known.timestamp
    if known.role != role:
        role = "both"
    return WorkingFile(hash_, role, timestamp)


def checksum(working: Mapping[str, str], receipt: str) -> str:
    """Return the context checksum: sha256 (hex) over path and hash of each file,
    sorted, and the receipt.
    """
    rows = []
    for path, hash_ in sorted(working.items()):
        rows.append(f"{path}\0{hash_}\n")
    data = "".join([*rows, receipt]).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()


def changes_since(
    index: Index, known: Mapping[str, str], hashes: Mapping[str, str]
) -> list[Change]:
    """Return the changes of files between the content hashes `known` and `hashes`, by
    path; a missing file has an empty hash and may be renamed.
    """
    moved: dict[str, str] = {}
    if not all(hashes.values()):
        for path in sorted(index.paths(), reverse=True):
            if path not in known:
                moved[index.hash(path)] = path
    changes: list[Change] = []
    for path, before in sorted(known.items()):
        after = hashes.get(path, "")
        change = "changed" if before else "back again"
        if not after:
            change = f"renamed to {moved[before]}" if before in moved else "deleted"
        if before != after:
            changes.append(Change(path, change))
    return changes


def add_to_working_set(
    workspace: Workspace, start: str, names: Sequence[str], role: Role
) -> Json:
    """Add read or written files to the open session; `names` are paths relative to the
    folder `start`.

    Raises: NoOpenSession, Invalid for a folder, a file outside the workspace, or a
    missing file that was read.
    """
    session = find_open(workspace.sessions)
    paths = [path_of(workspace.paths, start, name) for name in names]
    if paths_without_secrets(workspace, paths) != paths:
        raise Invalid(
            "a file name contains a secret",
            hint="rename the file; nothing was recorded",
        )
    hashes = {path: hash_on_disk(workspace.paths, path) for path in paths}
    missing = [path for path in paths if not hashes[path]]
    if missing and role == "read":
        raise Invalid(
            f"there is no file {missing[0]}",
            hint="give an existing path without an anchor",
        )

    def add(known: Session) -> Session:
        now = timestamp_after(known.last_access)
        known = with_touched_files(known, paths, role, now, hashes)
        current = {path: each.hash for path, each in known.working_set.items()}
        return replace(known, context_checksum=checksum(current, known.receipt))

    session = update_session(workspace.sessions, workspace.paths, session.id, add)
    rows = [{"path": path, "role": session.working_set[path].role} for path in paths]
    return {
        "session": session.id,
        "touched": rows,
        "working_set": len(session.working_set),
    }


def path_of(paths: WorkspacePaths, start: str, text: str) -> str:
    """Return the workspace path of a file given relative to the folder `start`. Raises:
    Invalid.
    """
    root = os.path.realpath(paths.root)
    folder, name = os.path.split(os.path.join(start, text))
    place = os.path.join(os.path.realpath(folder), name)
    path = os.path.relpath(place, root).replace(os.sep, "/")
    is_above = path == ".." or path.startswith("../")
    if is_above or not is_below(os.path.realpath(place), root):
        raise Invalid(f"{text} is outside the workspace", hint=_ONLY_HERE)
    is_generated = path.startswith(f"{HOME}/") and not in_home(path, False)
    if is_generated or path.startswith(".git/"):
        hint = "in .cuedeck only cards and docs can be recorded"
        raise Invalid(
            f"{text} cannot be recorded: it belongs to CueDeck or git", hint=hint
        )
    if os.path.isdir(paths.absolute(path)):
        raise Invalid(
            f"{text} is a folder", hint="give the files that were read or written"
        )
    return path


def hashes_now(
    paths: WorkspacePaths, tree: Tree, names: Iterable[str]
) -> dict[str, str]:
    """Return the content hash of each file, from the updated index or from disk; empty
    for a missing file.
    """
    return {path: tree.hash(path) or hash_on_disk(paths, path) for path in names}


def hash_on_disk(paths: WorkspacePaths, path: str) -> str:
    """Return the SHA-256 (hex) of a file; empty if it is missing or unreadable."""
    try:
        place = paths.absolute(path)
        data = read_bytes(place) if os.path.isfile(place) else None
    except (StorageError, ValueError):
        return ""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def paths_without_secrets(workspace: Workspace, paths: Iterable[str]) -> list[str]:
    """Return the paths that contain no secret. No other path is written to a
    session.
    """
    candidates = list(paths)
    masked = mask_value(candidates, workspace)
    return [
        path for path, shown in zip(candidates, masked, strict=True) if path == shown
    ]


def with_touched_files(
    session: Session,
    paths: Sequence[str],
    role: Role,
    now: str,
    hashes: Mapping[str, str],
) -> Session:
    """Return the session with read or written files in its working set."""
    working = dict(session.working_set)
    for path in paths:
        working[path] = touched(working.get(path), hashes[path], role, now)
    return replace(session, working_set=working)
