"""The files of a session: content hashes, stored versions of their content, and the
changes since they were recorded.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

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
    from cuedeck.model.session import Role, Session
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_LARGEST = 5_000_000
"""Size in bytes above which the lines of a file are not stored."""
_KEPT_VERSIONS = 20_000
_ONLY_HERE = "only files of the workspace can be recorded"
Sums = Callable[[str], Sequence[int] | None]
"""Returns the checksum of each line of a content, given its hash; None if unknown."""


class Change(NamedTuple):
    """A change of a file."""

    path: str
    change: str
    """`+3 -1 lines`, `changed`, `deleted`, `renamed to …`, `back again`."""


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


def compare(
    known: Mapping[str, str],
    now: Mapping[str, str],
    elsewhere: Mapping[str, str],
    sums: Sums,
) -> list[Change]:
    """Return the changes of known files, by path.

    `now` maps each known file to its hash, empty if deleted; `elsewhere` maps every
    other file to its hash.
    """
    by_hash: dict[str, str] = {}
    for path, hash_ in sorted(elsewhere.items()):
        by_hash.setdefault(hash_, path)
    changes: list[Change] = []
    for path in sorted(known):
        before = known[path]
        after = now.get(path, "")
        if before == after:
            continue
        if not after:
            moved = by_hash.get(before)
            change = f"renamed to {moved}" if moved else "deleted"
        elif not before:
            change = "back again"
        else:
            change = _changed_lines(sums(before), sums(after))
        changes.append(Change(path, change))
    return changes


def _changed_lines(before: Sequence[int] | None, after: Sequence[int] | None) -> str:
    if before is None or after is None:
        return "changed"
    old, new = Counter(before), Counter(after)
    return f"+{(new - old).total()} -{(old - new).total()} lines"


def add_to_working_set(
    workspace: Workspace, start: str, names: Sequence[str], role: Role
) -> dict[str, Any]:
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

    keep_file_versions(workspace.index, workspace.paths, hashes)
    session = update_session(workspace, session.id, add)
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
    if path == ".." or path.startswith("../"):
        raise Invalid(f"{text} is outside the workspace", hint=_ONLY_HERE)
    if not is_below(os.path.realpath(place), root):
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


def hashes_now(workspace: Workspace, paths: Iterable[str]) -> dict[str, str]:
    """Return the content hash of each file, from the updated index or from disk; empty
    for a missing file.
    """
    return {
        path: workspace.tree.hash(path) or hash_on_disk(workspace.paths, path)
        for path in paths
    }


def hash_on_disk(paths: WorkspacePaths, path: str) -> str:
    """Return the SHA-256 (hex) of a file; empty if it is missing or unreadable."""
    data = _read(paths, path)
    if data is None:
        return ""
    return hashlib.sha256(data).hexdigest()


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


def keep_file_versions(
    index: Index, paths: WorkspacePaths, hashes: Mapping[str, str]
) -> None:
    """Store the line hashes of files by content hash, so that a later comparison can
    count changed lines.
    """
    sums = {}
    for path, digest in hashes.items():
        if not digest or digest in sums or _line_sums(index, digest) is not None:
            continue
        data = _read(paths, path)
        if data is None or len(data) > _LARGEST:
            continue
        if hashlib.sha256(data).hexdigest() == digest:
            lines = data.removesuffix(b"\n").split(b"\n") if data else ()
            sums[digest] = array("I", map(crc32, lines)).tobytes()
    if sums:
        index.keep("versions", sums, _KEPT_VERSIONS)


def _line_sums(index: Index, digest: str) -> Sequence[int] | None:
    """Return the stored line hashes of a content; None if there are none."""
    data = index.cached("versions", digest)
    return None if data is None else array("I", data)


def changes_since(
    index: Index, known: Mapping[str, str], hashes: Mapping[str, str]
) -> list[Change]:
    """Return the changes of files between the content hashes `known` and `hashes`; a
    missing file may be renamed.
    """
    others: dict[str, str] = {}
    if not all(hashes.values()):
        for path in index.paths():
            if path not in known:
                others[path] = index.hash(path)
    return compare(known, hashes, others, lambda digest: _line_sums(index, digest))


def _read(paths: WorkspacePaths, path: str) -> bytes | None:
    try:
        place = paths.absolute(path)
        if not os.path.isfile(place):
            return None
        return read_bytes(place)
    except (StorageError, ValueError):
        return None
