"""Change of one file by set-up. All changes are planned before the first file is
written.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from cuedeck.agents.setup.host_targets import Target
from cuedeck.agents.setup.setup_state import KnownSetup, read_setups, setups_write
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.model.replaced_entry import Prior
from cuedeck.parse.text_decoding import BOM, decode_exactly
from cuedeck.store.files import atomic_batch
from cuedeck.store.files.home_place import HOME, home_place
from cuedeck.store.files.host_files import make_folders, remove_empty
from cuedeck.store.files.nofollow import is_below
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
FAMILY = "setup"
"""Name of the lock."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_NEWLINE = "\\ No newline at end of file"


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
    prior: tuple[Prior, ...] = ()
    """Entries of others that own entries replace, or that are restored."""

    @property
    def is_change(self) -> bool:
        return self.before != self.after

    def as_json(self, *, with_diff: bool) -> dict[str, Any]:
        """Return the JSON row of the change."""
        row = {"path": self.target.path, "state": self.state}
        if with_diff:
            return {**row, "diff": difference(self)}
        return row


def text_of(target: Target, data: bytes | None) -> str:
    """Return the text of a file; empty if it does not exist. Raises: Invalid with the
    path.
    """
    try:
        if data is None:
            return ""
        return decode_exactly(data)
    except Invalid as error:
        raise error.in_file(target.path) from error


def write_all(paths: WorkspacePaths, changes: Sequence[Change]) -> None:
    """Write all changed files and the state, or nothing.

    Raises: StorageError; also if another program changed a file meanwhile.
    """
    known = read_setups(paths)
    forgotten: list[str] = []
    for change in changes:
        if not change.known:
            forgotten += _folders(known.get(change.target.path))
    made: list[str] = []
    try:
        for change in changes:
            known.pop(change.target.path, None)
            folders: Sequence[str] = ()
            if change.after is not None:
                folders = make_folders(paths, change.target.place.absolute)
            made += folders
            if change.known:
                known[change.target.path] = change.known._replace(
                    folders=(*change.known.folders, *folders)
                )
        _inherit(paths, known, forgotten)
        files = [
            atomic_batch.Write(
                each.target.place.absolute, each.after, expected=(each.before,)
            )
            for each in changes
            if each.is_change
        ]
        # The state is written first: after a crash, a file without its change counts as
        # edited by a person.
        atomic_batch.write_all([*setups_write(paths, known), *files], paths.cache)
    except StorageError:
        remove_empty(paths, made)
        raise
    remove_empty(paths, forgotten)


def _inherit(
    paths: WorkspacePaths, known: dict[str, KnownSetup], folders: Sequence[str]
) -> None:
    """Give folders that set-up made to the files that are still in them, so that the
    removal of the last file removes them.
    """
    for path, state in known.items():
        place = home_place(path) if path.startswith(HOME) else paths.absolute(path)
        added = [each for each in folders if is_below(place, paths.absolute(each))]
        known[path] = state._replace(
            folders=tuple(dict.fromkeys((*state.folders, *added)))
        )


def difference(change: Change) -> str:
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
    """Return the name and the lines of one side of a diff."""
    if data is None:
        return "/dev/null", []
    return path, _LINE.findall(decode_exactly(data).removeprefix(BOM))


def _folders(known: KnownSetup | None) -> tuple[str, ...]:
    return known.folders if known else ()
