"""The tree of the workspace and its index, brought up to date: as a whole, or path by path while watching."""

from __future__ import annotations

import contextlib
import os
import posixpath
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.disk import read_bytes
from cuedeck.store.ignore import IgnoreRules, outside_rules
from cuedeck.store.index import Index
from cuedeck.store.scan import FOLDER, SPECIAL, Print, RulesChanged, Scan, Scanner, is_rule_file
from cuedeck.store.schema import DAMAGE, is_broken
from cuedeck.store.workspace import Workspace

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.store.read import Reading

_MANY = 300
"""Paths from which on looking at the whole tree is the shorter way."""
_PORTION = 4_000
"""Files that are taken into the index at once: others who write to it wait so long."""

Progress = Callable[[int, int], None]
"""Called with files done and files to do."""


class Changed(NamedTuple):
    """Paths whose content is new or different, and paths that are gone."""

    written: tuple[str, ...]
    gone: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.written or self.gone)


class OwnRules(NamedTuple):
    """What the settings say about files, and the bytes that say it."""

    source: Callable[[], bytes]
    """Returns what the patterns are read from; other bytes mean that all rules are to be asked again."""
    patterns: Callable[[], Sequence[str]]


class Tree:
    """Files on disk and the index that mirrors them. An update always equals a full rebuild."""

    def __init__(self, workspace: Workspace, index: Index, own: OwnRules) -> None:
        self.index = index
        index.rebuild = self._rebuild
        self._root = workspace.root
        self._own = own
        self._rules_read: IgnoreRules | None = None
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
        mark = self._known.get(path)
        return mark.size if mark else 0

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of a known file as of the last look; empty when it is unknown."""
        mark = self._known.get(path)
        return mark.hash if mark else ""

    def modified(self, path: str) -> datetime | None:
        """Return when a known file was last modified."""
        from datetime import UTC, datetime

        mark = self._known.get(path)
        return datetime.fromtimestamp(mark.mtime_ns / 1e9, UTC) if mark else None

    def distrust(self, path: str) -> None:
        """Have a file read again at the next refresh, whatever its times say."""
        if path in self._known:
            self._known[path] = self._known[path]._replace(checked_ns=0)

    # --- the index

    def _surely(self, act: Callable[[], Changed]) -> Changed:
        """Update the index; one that cannot be read or written gives way to a new one."""
        before = self._known
        try:
            changed = act()
        except DAMAGE as error:
            self._rebuild(in_memory=not is_broken(error))
        # What another process took in meanwhile is news all the same.
        return changed if self._known is before else _difference(before, self._known)

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
        self._revision, self._known, self._verdicts, self._problems, self._signature = self.index.state()
        self._specials = {path for path, verdict in self._verdicts.items() if verdict == SPECIAL}
        self._rules_read = None

    def _is_foreign(self) -> bool:
        """Take over what another process wrote; tell whether there was anything."""
        if self.index.revision() == self._revision:
            return False
        self.index.forget()
        self._read_index()
        return True

    # --- looking

    def _refresh(self, progress: Progress | None) -> Changed:
        self._is_foreign()
        signature = self._rules_signature()
        ask = signature != self._signature
        try:
            found = self._look(ask)
            gone = self._known.keys() - found.seen
            if not ask and any(is_rule_file(path) for path in gone):
                raise RulesChanged
        except RulesChanged:
            found = self._look(ask=True)
            gone = self._known.keys() - found.seen
        return self._take(found, gone, _delta(self._verdicts, found.verdicts), found.problems, signature, progress)

    def _look(self, ask: bool) -> Scan:
        if ask:
            self._rules_read = None
        return Scanner(self._root, self._known, self._verdicts, self._rules, ask=ask).look()

    def _refresh_paths(self, paths: set[str]) -> Changed:
        if self._is_foreign() or self._rules_signature() != self._signature:
            return self._refresh(None)
        areas = self._areas(paths)
        known = {path for area in areas for path in self._known_in(area)}
        verdicts = {path for area in areas for path in self._verdicts_in(area)}
        links = sorted(path for path in self._specials - verdicts)
        scanner = Scanner(self._root, self._known, self._verdicts, self._rules, ask=False)
        try:
            found = scanner.look_at(areas, links, lambda path: path in self._known and path not in known)
            # Links that lie elsewhere were looked at again: what they lead to may have changed.
            gone = (known | {path for path in links if path in self._known}) - found.seen
            if any(is_rule_file(path) for path in gone):
                raise RulesChanged
        except RulesChanged:
            return self._refresh(None)
        old = {path: self._verdicts[path] for path in verdicts}
        kept = [row for row in self._problems if row[3] != "link" and not _within(row[0], areas)]
        problems = sorted([*kept, *(tuple(row) for row in found.problems)])
        return self._take(found, gone, _delta(old, found.verdicts), problems, self._signature, None)

    def _areas(self, paths: Iterable[str]) -> set[str]:
        """Return what to look at: each path, or the highest folder above it that is not known to be visible."""
        areas: set[str] = set()
        parents: dict[str, str] = {}
        for path in sorted(paths):
            for each in {path, self._real(path, parents)} if self._specials else {path}:
                steps = each.split("/")
                folders = ("/".join(steps[:end]) for end in range(1, len(steps)))
                areas.add(next((folder for folder in folders if self._verdicts.get(folder) != FOLDER), each))
        return {area for area in areas if not _within(posixpath.dirname(area), areas)}

    def _real(self, path: str, parents: dict[str, str]) -> str:
        """Return a path without links to folders in it: a watcher may come upon a file by such a way alone."""
        parent = posixpath.dirname(path)
        if parent not in parents:
            real = os.path.relpath(os.path.realpath(os.path.join(self._root, parent)), self._root)
            outside = real == ".." or real.startswith(".." + os.sep)
            parents[parent] = parent if outside else "" if real == "." else real.replace(os.sep, "/")
        return posixpath.join(parents[parent], posixpath.basename(path))

    def _known_in(self, area: str) -> Iterable[str]:
        if self._verdicts.get(area) == FOLDER:
            return self.index.folder(area)
        return (area,) if area in self._known else ()

    def _verdicts_in(self, area: str) -> Iterable[str]:
        verdict = self._verdicts.get(area)
        if verdict is None:
            return ()
        return (area, *self.index.verdicts_below(area)) if verdict == FOLDER else (area,)

    # --- taking in

    def _take(
        self,
        found: Scan,
        gone: Iterable[str],
        verdicts: Mapping[str, int | None],
        problems: Sequence[tuple[object, ...]],
        signature: str,
        progress: Progress | None,
    ) -> Changed:
        wanted = [(path, self._known[path].hash if path in self._known else "") for path in found.suspects]
        read = self._read(wanted, progress)
        vanished = {path for path in found.suspects if path not in read and path in self._known}
        lost = sorted({*gone, *vanished} - read.keys())
        mended = [tuple(row) for row in problems]
        meta = {"rules": signature} if signature != self._signature else {}
        if lost or verdicts or meta or mended != self._problems:
            self.index.apply((), lost, verdicts, mended, meta)
        for path in lost:
            self._known.pop(path, None)
        self._note(verdicts)
        self._problems = mended
        self._signature = signature
        return Changed(tuple(sorted(path for path, is_new in read.items() if is_new)), tuple(lost))

    def _read(self, wanted: Sequence[tuple[str, str]], progress: Progress | None) -> dict[str, bool]:
        """Read files into the index, a portion at a time; tell for each that was read whether it is new."""
        if not wanted:
            return {}
        from cuedeck.store.readers import read_all

        read: dict[str, bool] = {}
        prints: dict[str, Print] = {}

        def noted(readings: Iterable[Reading]) -> Iterator[Reading]:
            for reading in readings:
                read[reading.path] = bool(reading.data)
                prints[reading.path] = reading.print
                yield reading

        again: list[str] = []
        with contextlib.closing(read_all(self._root, wanted, progress)) as readings:
            for _ in range(0, len(wanted), _PORTION):
                again += self.index.apply(noted(islice(readings, _PORTION)))
                self._known.update(prints)
                prints.clear()
        return read | self._read([(path, "") for path in again], None) if again else read

    def _note(self, verdicts: Mapping[str, int | None]) -> None:
        for path, verdict in verdicts.items():
            if verdict is None:
                self._verdicts.pop(path, None)
            else:
                self._verdicts[path] = verdict
            if verdict == SPECIAL:
                self._specials.add(path)
            else:
                self._specials.discard(path)

    def _rules(self) -> IgnoreRules:
        if self._rules_read is None:
            self._rules_read = IgnoreRules(self._root, self._own.patterns())
        return self._rules_read

    def _rules_signature(self) -> str:
        """Spell out what decides about visibility and lies outside the tree that is scanned."""
        parts = [self._own.source()]
        for place in outside_rules(self._root):
            parts.append(os.path.relpath(place, self._root).encode("utf-8", "surrogateescape"))
            parts.append((read_bytes(place) or b"") if os.path.isfile(place) else b"")
        return repr(parts)


def open_tree(workspace: Workspace, place: str, own: OwnRules) -> Tree:
    """Open the index at `place`, or one in memory when it is empty; call `refresh` before asking it anything."""
    return Tree(workspace, Index(place), own)


def _delta(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, int | None]:
    if old == new:
        return {}
    changed: dict[str, int | None] = {path: verdict for path, verdict in new.items() if old.get(path) != verdict}
    changed.update((path, None) for path in old.keys() - new.keys())
    return changed


def _difference(before: Mapping[str, Print], after: Mapping[str, Print]) -> Changed:
    written = (path for path, mark in after.items() if path not in before or before[path].hash != mark.hash)
    return Changed(tuple(sorted(written)), tuple(sorted(before.keys() - after.keys())))


def _within(path: str, areas: set[str]) -> bool:
    """Tell whether a path is one of the areas or lies in one."""
    while path:
        if path in areas:
            return True
        path = posixpath.dirname(path)
    return False
