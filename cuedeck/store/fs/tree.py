"""The tree of the workspace and its index, brought up to date: as a whole, or path by path while watching."""

from __future__ import annotations

import contextlib
import os
import posixpath
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.fs.ignore_rules import FOLDER, changes, is_border, is_rule_file
from cuedeck.store.fs.scan_result import FileStamp, Scan
from cuedeck.store.fs.scanner import RulesChanged, Scanner
from cuedeck.store.fs.visibility import OwnRules, Visibility
from cuedeck.store.index import Index
from cuedeck.store.index.read_file import parse_known
from cuedeck.store.index.scan_state import ScanState
from cuedeck.store.index.schema import DAMAGE, is_broken
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.model.ports import Progress
    from cuedeck.store.index.read_file import Find

_MASKS = "masks"
"""Names the rules for secrets under which the index was filled."""
_MANY = 300
"""Paths from which on looking at the whole tree is the shorter way."""


class Changed(NamedTuple):
    """Paths whose content is new or different, and paths that are gone."""

    written: tuple[str, ...]
    gone: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.written or self.gone)


class Masking(NamedTuple):
    """The search for secrets that the index must not hold."""

    find: Find
    rules: str
    """Identifies the rules of the search; an index made under other rules is rebuilt."""


class Tree:
    """Files on disk and the index that mirrors them. An update always equals a full rebuild."""

    def __init__(self, workspace: WorkspacePaths, index: Index, own: OwnRules) -> None:
        self.index = index
        index.rebuild = self._rebuild
        index.parse = partial(parse_known, workspace.root)
        self.masking: Callable[[], Masking | None] = lambda: None
        """Returns the search for secrets; asked for when a file is read."""
        self._root = workspace.root
        self._visibility = Visibility(workspace.root, own)
        self._load()

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Bring the index up to date with the whole tree. Raises: StorageError."""
        return self._surely(lambda: self._refresh(progress))

    def refresh_paths(self, paths: Iterable[str]) -> Changed:
        """Bring the index up to date with some paths; a folder stands for everything below it."""
        wanted = {path.strip("/") for path in paths}
        if len(wanted) > _MANY or not wanted.isdisjoint(("", ".")) or any("\ufffd" in path for path in wanted):
            return self.refresh()
        return self._surely(lambda: self._refresh_paths(wanted))

    def size(self, path: str) -> int:
        """Return the size a known file had when it was last read, in bytes."""
        mark = self._known.prints.get(path)
        return mark.size if mark else 0

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of a known file as of the last look; empty when it is unknown."""
        mark = self._known.prints.get(path)
        return mark.hash if mark else ""

    def modified(self, path: str) -> datetime | None:
        """Return when a known file was last modified."""
        from datetime import UTC, datetime

        mark = self._known.prints.get(path)
        return datetime.fromtimestamp(mark.mtime_ns / 1e9, UTC) if mark else None

    def distrust(self, path: str) -> None:
        """Have a file read again at the next refresh, whatever its times say."""
        prints = self._known.prints
        if path in prints:
            prints[path] = prints[path]._replace(checked_ns=0)

    def ignored(self, path: str) -> bool:
        """Tell whether the ignore rules hide a path or a folder above it, be it there or not."""
        return self._visibility.rules().keep_out(path)

    @property
    def tracked_fault(self) -> str:
        """Why git could not say what it tracks; see `TrackedFiles.fault`."""
        return self._visibility.tracked_fault

    # --- the index

    def _surely(self, act: Callable[[], Changed]) -> Changed:
        """Update the index; one that cannot be read or written gives way to a new one."""
        before = self._known.prints
        try:
            changed = act()
        except DAMAGE as error:
            self._rebuild(in_memory=not is_broken(error))
        # What another process took in meanwhile is news all the same.
        after = self._known.prints
        return changed if after is before else _difference(before, after)

    def _rebuild(self, *, in_memory: bool = False) -> None:
        """Fill an empty index in the place of the one that failed; in memory when a new file fails too."""
        if not in_memory:
            with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError):
                self.index.start_over(in_memory=False)
                self._load()
                self._refresh(None)
                return
        self.index.start_over(in_memory=True)
        self._load()
        self._refresh(None)

    def _load(self) -> None:
        """Take over what the index knows."""
        try:
            self._read_index()
        except DAMAGE as error:
            self.index.start_over(in_memory=not is_broken(error))
            self._read_index()

    def _read_index(self) -> None:
        self._known = ScanState(self.index)
        self._visibility.recall(self._known.tracked)

    def _is_foreign(self) -> bool:
        """Take over what another process wrote; tell whether there was anything."""
        if self.index.revision() == self._known.revision:
            return False
        self.index.forget()
        self._read_index()
        return True

    # --- looking

    def _refresh(self, progress: Progress | None) -> Changed:
        self._is_foreign()
        known = self._known
        try:
            if not self._visibility.is_still(known.rules):
                raise RulesChanged
            found = self._scanner(ask=False).look()
            gone = known.prints.keys() - found.seen
            _check(gone, known.verdicts.keys() - found.verdicts.keys())
        except RulesChanged:
            return self._ask_all(progress)
        return self._take(found, gone, known.verdicts, found.problems, known.rules, progress)

    def _ask_all(self, progress: Progress | None) -> Changed:
        """Look at the whole tree, and put every path to the rules as they are now."""
        if self._has_other_masks():
            self._rebuild()
            return Changed((), ())
        known, rules = self._known, self._visibility.renew()
        found = self._scanner(ask=True).look()
        return self._take(found, known.prints.keys() - found.seen, known.verdicts, found.problems, rules, progress)

    def _scanner(self, ask: bool) -> Scanner:
        return Scanner(self._root, self._known.prints, self._known.verdicts, self._visibility.rules, ask=ask)

    def _refresh_paths(self, paths: set[str]) -> Changed:
        if self._is_foreign():
            return self._refresh(None)
        if not self._visibility.is_still(self._known.rules):
            return self._ask_all(None)

        known, prints = self._known, self._known.prints
        areas = areas_of(paths, self._root, known.verdicts, has_links=bool(known.specials))
        files = {path for area in areas for path in known.files_in(area)}
        verdicts = {path for area in areas for path in known.verdicts_in(area)}
        links = sorted(path for path in known.specials - verdicts)
        try:
            found = self._scanner(ask=False).look_at(areas, links, lambda path: path in prints and path not in files)
            # Links that lie elsewhere were looked at again: what they lead to may have changed.
            gone = (files | {path for path in links if path in prints}) - found.seen
            _check(gone, verdicts - found.verdicts.keys())
        except RulesChanged:
            return self._ask_all(None)
        old = {path: known.verdicts[path] for path in verdicts}
        kept = [row for row in known.problems if row[3] != "link" and not is_within(row[0], areas)]
        problems = sorted([*kept, *(tuple(row) for row in found.problems)])
        return self._take(found, gone, old, problems, known.rules, None)

    # --- taking in

    def _take(
        self,
        found: Scan,
        gone: Iterable[str],
        old: Mapping[str, int],
        problems: Sequence[tuple[object, ...]],
        rules: str,
        progress: Progress | None,
    ) -> Changed:
        """Take in what was found where there were the verdicts `old`, and under which rules."""
        if found.suspects and self._has_other_masks():
            self._rebuild()
            return Changed((), ())
        known, prints, tracked = self._known, self._known.prints, self._visibility.tracked
        verdicts = changes(old, found.verdicts)
        read = self._read(found.suspects, progress)
        vanished = {path for path in found.suspects if path not in read and path in prints}
        lost = sorted({*gone, *vanished} - read.keys())
        mended = [tuple(row) for row in problems]
        meta = {"rules": rules} if rules != known.rules else {}
        meta |= {"tracked": tracked} if tracked != known.tracked else {}
        if found.suspects and not self.index.meta(_MASKS):
            masking = self.masking()
            meta |= {_MASKS: masking.rules} if masking else {}
        if lost or verdicts or meta or mended != known.problems:
            from cuedeck.store.index.update import take_in

            take_in(self.index, (), lost, verdicts, mended, meta)
        known.lose(lost)
        known.note(verdicts)
        known.problems, known.rules, known.tracked = mended, rules, tracked
        return Changed(tuple(sorted(path for path, is_new in read.items() if is_new)), tuple(lost))

    def _read(self, paths: Sequence[str], progress: Progress | None) -> dict[str, bool]:
        """Read files into the index; tell for each that was read whether its content is new."""
        if not paths:
            return {}
        from cuedeck.store.index.fill import fill

        prints = self._known.prints
        wanted = [(path, prints[path].hash if path in prints else "") for path in paths]
        masking = self.masking()
        return fill(self.index, self._root, wanted, prints, progress, masking.find if masking else None)

    def _has_other_masks(self) -> bool:
        """Return whether the index was filled under other rules for secrets."""
        filled = self.index.meta(_MASKS)
        masking = self.masking() if filled else None
        return masking is not None and masking.rules != filled


def open_tree(workspace: WorkspacePaths, place: str, own: OwnRules) -> Tree:
    """Open the index at `place`, or one in memory when it is empty; call `refresh` before asking it anything."""
    return Tree(workspace, Index(place), own)


def _check(files: Iterable[str], others: Iterable[str]) -> None:
    """Look at what is gone. Raises: RulesChanged when it had a say in what is visible."""
    if any(map(is_rule_file, files)) or any(map(is_border, others)):
        raise RulesChanged


def _difference(before: Mapping[str, FileStamp], after: Mapping[str, FileStamp]) -> Changed:
    written = (path for path, mark in after.items() if path not in before or before[path].hash != mark.hash)
    return Changed(tuple(sorted(written)), tuple(sorted(before.keys() - after.keys())))


def areas_of(paths: Iterable[str], root: str, verdicts: Mapping[str, int], *, has_links: bool) -> set[str]:
    """Return what to look at: each path, or the highest folder above it that is not known to be visible."""
    areas: set[str] = set()
    parents: dict[str, str] = {}
    for path in sorted(paths):
        for each in {path, _real(path, root, parents)} if has_links else {path}:
            steps = each.split("/")
            folders = ("/".join(steps[:end]) for end in range(1, len(steps)))
            areas.add(next((folder for folder in folders if verdicts.get(folder) != FOLDER), each))
    return {area for area in areas if not is_within(posixpath.dirname(area), areas)}


def is_within(path: str, areas: set[str]) -> bool:
    """Tell whether a path is one of the areas or lies in one."""
    while path:
        if path in areas:
            return True
        path = posixpath.dirname(path)
    return False


def _real(path: str, root: str, parents: dict[str, str]) -> str:
    """Return a path without links to folders in it: a watcher may come upon a file by such a way alone."""
    parent = posixpath.dirname(path)
    if parent not in parents:
        real = os.path.relpath(os.path.realpath(os.path.join(root, parent)), root)
        outside = real == ".." or real.startswith(".." + os.sep)
        parents[parent] = parent if outside else "" if real == "." else real.replace(os.sep, "/")
    return posixpath.join(parents[parent], posixpath.basename(path))
