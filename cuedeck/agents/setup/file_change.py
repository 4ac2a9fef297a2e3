"""Changes of files by set-up, and their state, so that removal restores the old bytes.
All changes are planned before the first file is written.

The state contains paths and hashes, and only the text that own entries replaced.
Deleting it loses only that text, because own entries are recognised without it.

Removal edits files according to this state, so its folder has a name that a repository
cannot predict (`private_folder`).
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from cuedeck.agents.setup.host_targets import Target
from cuedeck.model.errors import StorageError
from cuedeck.model.ports import Json
from cuedeck.parse.text_decoding import BOM, decode_exactly
from cuedeck.parse.text_edit import Swap
from cuedeck.store.files import atomic_batch, nofollow
from cuedeck.store.files.atomic_batch import Write
from cuedeck.store.files.disk import failed, read_json
from cuedeck.store.files.host_files import (
    make_folders,
    remove_empty,
    remove_empty_parents,
)
from cuedeck.store.files.private_folder import private_name
from cuedeck.store.workspace_paths import WorkspacePaths

State = Literal[
    "created",
    "added",
    "replaced",
    "unchanged",
    "restored",
    "deleted",
    "removed",
    "emptied",
    "kept",
    "absent",
]
_BACKUP = "backup"
"""Folder of the cache that `clean` keeps."""
_NAME = "setup.json"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_NEWLINE = "\\ No newline at end of file"


class KnownSetup(NamedTuple):
    """State of one file that set-up changed."""

    after: str = ""
    """Hash of the bytes that set-up wrote; empty if the old ones cannot be restored."""
    undo: tuple[Swap, ...] = ()
    """Swaps that restore the old text from those bytes, applied in order."""
    created: bool = False
    hosts: tuple[str, ...] = ()
    """Connected hosts that use the entries of a shared file."""

    def is_untouched(self, data: bytes | None) -> bool:
        """Return whether a file is as set-up wrote it."""
        return data is not None and digest(data) == self.after


class Change(NamedTuple):
    """Content of a file before and after."""

    target: Target
    before: bytes | None
    """None if the file does not exist."""
    after: bytes | None
    """None if the file is deleted."""
    state: State
    known: KnownSetup | None
    """State to store for the file; None to store none."""

    @property
    def is_change(self) -> bool:
        return self.before != self.after

    def as_json(self, *, with_diff: bool) -> Json:
        """Return the JSON row of the change."""
        row = {"path": self.target.path, "state": self.state}
        return {**row, "diff": _difference(self)} if with_diff else row


def digest(data: bytes) -> str:
    """Return the hash of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def write_all(paths: WorkspacePaths, changes: Sequence[Change]) -> None:
    """Write all changed files and the state, or nothing.

    Raises: StorageError; also if another program changed a file meanwhile.
    """
    known = read_setups(paths)
    made: list[str] = []
    try:
        for change in changes:
            known.pop(change.target.path, None)
            if change.known:
                known[change.target.path] = change.known
            if change.after is not None:
                made += make_folders(paths, change.target.place.absolute)
        files = []
        for each in changes:
            if each.is_change:
                place = each.target.place.absolute
                files.append(Write(place, each.after, expected=(each.before,)))
        # The state is written first: after a crash, a file without its change counts as
        # edited by a person.
        atomic_batch.write_all([*_setups_write(paths, known), *files], paths.cache)
    except StorageError:
        remove_empty(paths, made)
        raise
    for change in changes:
        if change.after is None and change.is_change:
            remove_empty_parents(change.target.place.absolute)


def _difference(change: Change) -> str:
    """Return a change as a unified diff; empty if the content stays."""
    if not change.is_change:
        return ""
    old_name, old = _diff_side(change.target.path, change.before)
    new_name, new = _diff_side(change.target.path, change.after)
    lines = []
    for line in difflib.unified_diff(old, new, old_name, new_name):
        bare = line.rstrip("\r\n")
        lines.append(bare)
        if bare == line and not line.startswith(("---", "+++", "@@")):
            lines.append(_NO_NEWLINE)
    return "\n".join(lines) + "\n"


def _diff_side(path: str, data: bytes | None) -> tuple[str, list[str]]:
    if data is None:
        return "/dev/null", []
    return path, _LINE.findall(decode_exactly(data).removeprefix(BOM))


def read_setups(paths: WorkspacePaths) -> dict[str, KnownSetup]:
    """Return the state of each file, by path; a state that cannot be read is left
    out.
    """
    place = _place(paths)
    if not place:
        return {}
    try:
        files = (read_json(place) or {}).get("files", {})
        return {path: _known(**row) for path, row in files.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def _known(
    after: str, undo: list[Any], created: bool, hosts: Sequence[str] = ()
) -> KnownSetup:
    swaps = tuple(Swap(*each) for each in undo)
    return KnownSetup(
        after,
        swaps,
        created,
        tuple(hosts),
    )


def _setups_write(
    paths: WorkspacePaths, files: Mapping[str, KnownSetup]
) -> tuple[Write, ...]:
    """Return the write that stores the state of each file; an empty state removes the
    stored one. Without a user key nothing is stored.

    Raises: StorageError when its folder cannot be made.
    """
    place = _place(paths)
    if not place:
        return ()
    if not files:
        return (Write(place, None),) if os.path.lexists(place) else ()
    folder = os.path.dirname(place)
    try:
        nofollow.make_folder(folder)
    except OSError as error:
        raise failed(f"make {folder}", error, "check it") from error
    rows = {path: files[path]._asdict() for path in sorted(files)}
    data = json.dumps({"schema": 1, "files": rows}).encode()
    return (Write(place, data, private=True),)


def _place(paths: WorkspacePaths) -> str:
    """Return the path of the state; empty without a user key."""
    try:
        private = private_name(paths.root)
    except StorageError:
        return ""
    return os.path.join(paths.cache, _BACKUP, private, _NAME)
