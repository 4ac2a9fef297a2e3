"""Incremental update of the index from the files of the workspace: a full scan, or only
given paths.
"""

from __future__ import annotations

import contextlib
import os
import posixpath
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.files.ignore_rules import FOLDER, is_border
from cuedeck.store.files.ignore_state import IgnoreState, OwnRules
from cuedeck.store.files.scanner import RulesChanged, Scan, Scanner, is_rule_file
from cuedeck.store.index import Index
from cuedeck.store.index.read_file import parse_known
from cuedeck.store.index.scan_state import ScanState
from cuedeck.store.index.schema import DAMAGE, VALUES_CHANGED, is_broken
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.model.ports import Progress
    from cuedeck.parse.secrets import SecretSearch

_MASKS = "masks"
"""Key of the index metadata that identifies the secret rules under which the index was
filled.
"""
_MANY = 300
"""Number of changed paths above which a full scan is faster."""


class Changed(NamedTuple):
    """Paths with new or different content, and deleted paths."""

    written: tuple[str, ...]
    gone: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.written or self.gone)


class Tree:
    """Files on disk and the index that mirrors them. An incremental update gives the
    same index as a full rebuild.
    """

    def __init__(self, paths: WorkspacePaths, index: Index, own: OwnRules) -> None:
        self.index = index
        index.rebuild = self._rebuild
        index.parse = partial(parse_known, paths.root)
        self.masking: Callable[[], SecretSearch | None] = lambda: None
        """Returns the search for secrets, or None; called when files are read."""
        self._root = paths.root
        self._ignore_state = IgnoreState(paths.root, own)
        self._load()

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Update the index from a scan of the whole tree. Raises: StorageError."""
        return self._surely(lambda: self._update(None, progress))

    def refresh_paths(self, paths: Iterable[str]) -> Changed:
        """Update the index for the given paths; a folder includes everything below
        it.
        """
        wanted = {path.strip("/") for path in paths}
        if (
            len(wanted) > _MANY
            or not wanted.isdisjoint(("", "."))
            or any("\ufffd" in path for path in wanted)
        ):
            return self.refresh()
        return self._surely(lambda: self._update(wanted))

    def size(self, path: str) -> int:
        """Return the size in bytes of a known file as of its last read; 0 for an
        unknown file.
        """
        mark = self._known.prints.get(path)
        return mark.size if mark else 0

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of a known file as of its last read; empty for an
        unknown file.
        """
        mark = self._known.prints.get(path)
        return mark.hash if mark else ""

    def modified(self, path: str) -> datetime | None:
        """Return the modification time of a known file; None for an unknown file."""
        from datetime import UTC, datetime

        mark = self._known.prints.get(path)
        if not mark:
            return None
        return datetime.fromtimestamp(mark.mtime_ns / 1e9, UTC)

    def distrust(self, path: str) -> None:
        """Force a file to be read again at the next refresh, even if its fingerprint is
        unchanged.
        """
        prints = self._known.prints
        if path in prints:
            prints[path] = prints[path]._replace(checked_ns=0)

    def ignored(self, path: str) -> bool:
        """Return whether the ignore rules hide a path or a folder above it; the path
        need not exist.
        """
        return self._ignore_state.rules().keep_out(path)

    @property
    def tracked_fault(self) -> str:
        """Code of the git failure that prevented listing tracked files; see
        `TrackedFiles.fault`.
        """
        return self._ignore_state.tracked_fault

    # --- the index

    def _surely(self, act: Callable[[], Changed]) -> Changed:
        """Run an index update; rebuild the index if it is corrupt or cannot be read or
        written.
        """
        before = self._known.prints
        try:
            changed = act()
        except DAMAGE as error:
            self._rebuild(in_memory=not is_broken(error))
        # Report also the changes that another process wrote to the index since the last
        # refresh.
        after = self._known.prints
        if after is before:
            return changed
        return _difference(before, after)

    def _rebuild(self, *, in_memory: bool = False) -> None:
        """Replace the index by an empty one and fill it; keep it in memory if a new
        file fails too.
        """
        if not in_memory:
            with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError):
                self.index.start_over(in_memory=False)
                self._load()
                self._update(None)
                return
        self.index.start_over(in_memory=True)
        self._load()
        self._update(None)

    def _load(self) -> None:
        """Load the scan state from the index; start with an empty index if it is
        damaged.
        """
        try:
            self._read_index()
        except DAMAGE as error:
            self.index.start_over(in_memory=not is_broken(error))
            self._read_index()

    def _read_index(self) -> None:
        self._known = ScanState(self.index)
        self._ignore_state.recall(self._known.tracked)

    def _is_foreign(self) -> bool:
        """Reload the scan state if another process wrote to the index; return whether
        it did.
        """
        if self.index.revision() == self._known.revision:
            return False
        self.index.forget()
        self._read_index()
        return True

    # --- scanning

    def _update(
        self, paths: set[str] | None, progress: Progress | None = None
    ) -> Changed:
        """Scan some paths, or the whole tree, and apply the result."""
        if self._is_foreign():
            paths = None
        known = self._known
        try:
            if not self._ignore_state.is_still(known.rules):
                raise RulesChanged
            if paths is None:
                found = self._scanner(ask=False).look()
                files, old = set(known.prints), known.verdicts
            else:
                found, files, old = self._look_at(paths)
            gone = files - found.seen
            _check(gone, old.keys() - found.verdicts.keys())
        except RulesChanged:
            return self._ask_all(progress)
        return self._take(found, gone, old, known.rules, progress)

    def _ask_all(self, progress: Progress | None) -> Changed:
        """Scan the whole tree and evaluate the current ignore rules for every path."""
        if self._has_other_masks():
            self._rebuild()
            return Changed((), ())
        known, rules = self._known, self._ignore_state.renew()
        found = self._scanner(ask=True).look()
        gone = known.prints.keys() - found.seen
        return self._take(found, gone, known.verdicts, rules, progress)

    def _look_at(self, paths: set[str]) -> tuple[Scan, set[str], dict[str, int]]:
        """Scan some paths; return the result, and the known files and verdicts that it
        replaces.
        """
        known = self._known
        prints = known.prints
        areas = areas_of(
            paths, self._root, known.verdicts, has_links=bool(known.specials)
        )
        files: set[str] = set()
        verdicts: set[str] = set()
        for area in areas:
            files.update(known.files_in(area))
            verdicts.update(known.verdicts_in(area))
        links = sorted(known.specials - verdicts)
        found = self._scanner(ask=False).look_at(
            areas, links, lambda path: path in prints and path not in files
        )
        # Links outside the areas were scanned again, because their targets may have
        # changed.
        files.update(path for path in links if path in prints)
        for row in known.problems:
            if row[3] != "link" and not is_within(row[0], areas):
                found.problems.append(Diagnostic(*row))
        found.problems.sort()
        return found, files, {path: known.verdicts[path] for path in verdicts}

    def _scanner(self, *, ask: bool) -> Scanner:
        known = self._known
        rules = self._ignore_state.rules
        return Scanner(self._root, known.prints, known.verdicts, rules, ask=ask)

    # --- applying a scan

    def _take(
        self,
        found: Scan,
        gone: Iterable[str],
        old: Mapping[str, int],
        rules: str,
        progress: Progress | None,
    ) -> Changed:
        """Apply the result of a scan to the index.

        `gone` are the known files that the scan did not find, `old` the previous
        verdicts of the scanned paths, and `rules` the signature of the ignore rules.
        """
        if found.suspects and self._has_other_masks():
            self._rebuild()
            return Changed((), ())
        known = self._known
        verdicts = _changes(old, found.verdicts)
        rows = [tuple(row) for row in found.problems]
        meta = self._changed_meta(rules, has_read=bool(found.suspects))
        state = (verdicts, rows, meta)
        is_new = bool(verdicts or meta or rows != known.problems)
        gone = sorted(gone)
        changed = Changed((), ())
        if is_new or gone or found.suspects or self.index.meta(VALUES_CHANGED):
            changed = self._store(
                found.suspects, gone, state if is_new else None, progress
            )
        for path in changed.gone:
            known.prints.pop(path, None)
        known.note(verdicts)
        known.problems = rows
        known.rules = rules
        known.tracked = self._ignore_state.tracked
        return changed

    def _store(
        self,
        suspects: Sequence[str],
        gone: Sequence[str],
        state: tuple[Any, ...] | None,
        progress: Progress | None,
    ) -> Changed:
        """Read files into the index, remove others, and mask the copies of the values
        that are now known; `state` are the arguments of `store_scan`.
        """
        # An unchanged tree does not need this module.
        from cuedeck.store.index.index_update import (
            fill,
            mask_copies,
            note_hidden_values,
            update_index,
        )

        index, prints = self.index, self._known.prints
        if state:
            note_hidden_values(index, self._root, state[0], self.masking())
        before = None
        if index.meta(VALUES_CHANGED):
            index.forget_known_values()
        else:
            before = index.known_values()
        read: dict[str, bool] = {}
        if suspects:
            wanted = [(path, self.hash(path)) for path in suspects]
            read = fill(index, self._root, wanted, prints, progress, self.masking())
        vanished = [path for path in suspects if path in prints]
        lost = sorted({*gone, *vanished} - read.keys())
        if lost or state:
            with update_index(index) as update:
                update.remove(lost)
                if state:
                    update.store_scan(*state)
        new = {path for path, is_new in read.items() if is_new}
        if index.meta(VALUES_CHANGED):
            masking = self.masking()
            new.update(mask_copies(index, self._root, prints, before, masking))
        return Changed(tuple(sorted(new)), tuple(lost))

    def _changed_meta(self, rules: str, *, has_read: bool) -> dict[str, str]:
        """Return the metadata of the index that a scan changes; `has_read` if it read
        files.
        """
        meta = {}
        if rules != self._known.rules:
            meta["rules"] = rules
        if self._ignore_state.tracked != self._known.tracked:
            meta["tracked"] = self._ignore_state.tracked
        if has_read and not self.index.meta(_MASKS):
            masking = self.masking()
            if masking:
                meta[_MASKS] = masking.rules
        return meta

    def _has_other_masks(self) -> bool:
        """Return whether the index was filled under other secret rules."""
        filled = self.index.meta(_MASKS)
        masking = self.masking() if filled else None
        return masking is not None and masking.rules != filled


def _changes(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, int | None]:
    """Return the verdicts of `new` that differ from `old`, and None for each path that
    only `old` has.
    """
    if old == new:
        return {}
    changed: dict[str, int | None] = {
        path: verdict for path, verdict in new.items() if old.get(path) != verdict
    }
    gone = old.keys() - new.keys()
    return changed | dict.fromkeys(gone)


def _check(files: Iterable[str], others: Iterable[str]) -> None:
    """Raise RulesChanged if a deleted path was an ignore file or the `.git` of a nested
    repository.
    """
    if any(map(is_rule_file, files)) or any(map(is_border, others)):
        raise RulesChanged


def _difference(
    before: Mapping[str, FileStamp], after: Mapping[str, FileStamp]
) -> Changed:
    written = []
    for path, stamp in after.items():
        old = before.get(path)
        if old is None or old.hash != stamp.hash:
            written.append(path)
    gone = before.keys() - after.keys()
    return Changed(tuple(sorted(written)), tuple(sorted(gone)))


def areas_of(
    paths: Iterable[str], root: str, verdicts: Mapping[str, int], *, has_links: bool
) -> set[str]:
    """Return the paths to scan: each path, or the topmost folder above it that is not
    known to be visible.
    """
    wanted = set(paths)
    if has_links:
        parents: dict[str, str] = {}
        wanted.update([_real(path, root, parents) for path in sorted(wanted)])
    areas = {_top_unknown(path, verdicts) for path in wanted}
    return {area for area in areas if not is_within(posixpath.dirname(area), areas)}


def _top_unknown(path: str, verdicts: Mapping[str, int]) -> str:
    """Return the topmost folder above a path that is not known to be visible, or the
    path.
    """
    steps = path.split("/")
    for end in range(1, len(steps)):
        folder = "/".join(steps[:end])
        if verdicts.get(folder) != FOLDER:
            return folder
    return path


def is_within(path: str, areas: set[str]) -> bool:
    """Return whether a path is one of the areas or below one."""
    while path:
        if path in areas:
            return True
        path = posixpath.dirname(path)
    return False


def _real(path: str, root: str, parents: dict[str, str]) -> str:
    """Return a path with the links in its parent folders resolved: a watcher may report
    only the path via a link.
    """
    parent, name = posixpath.split(path)
    if parent not in parents:
        real = os.path.relpath(
            os.path.realpath(os.path.join(root, parent)), root
        ).replace(os.sep, "/")
        if real == ".":
            real = ""
        is_outside = real == ".." or real.startswith("../")
        parents[parent] = parent if is_outside else real
    return posixpath.join(parents[parent], name)
