"""The tree of the workspace and its index, brought up to date: as a whole, or path by path while watching."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.areas import areas_of, is_within
from cuedeck.store.ignore import is_rule_file
from cuedeck.store.index import Index
from cuedeck.store.index.intake import take_in
from cuedeck.store.index.schema import DAMAGE, is_broken
from cuedeck.store.index.state import read_state
from cuedeck.store.scan import Print, RulesChanged, Scan, Scanner
from cuedeck.store.verdicts import FOLDER, SPECIAL, changes
from cuedeck.store.visibility import OwnRules, Visibility
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


class Tree:
    """Files on disk and the index that mirrors them. An update always equals a full rebuild."""

    def __init__(self, workspace: Workspace, index: Index, own: OwnRules) -> None:
        self.index = index
        index.rebuild = self._rebuild
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
        self._revision, self._known, self._verdicts, self._problems, self._signature = read_state(self.index)
        self._specials = {path for path, verdict in self._verdicts.items() if verdict == SPECIAL}
        self._visibility.forget()

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
        signature = self._visibility.signature()
        ask = signature != self._signature
        try:
            found = self._look(ask)
            gone = self._known.keys() - found.seen
            if not ask and any(is_rule_file(path) for path in gone):
                raise RulesChanged
        except RulesChanged:
            found = self._look(ask=True)
            gone = self._known.keys() - found.seen
        return self._take(found, gone, changes(self._verdicts, found.verdicts), found.problems, signature, progress)

    def _look(self, ask: bool) -> Scan:
        if ask:
            self._visibility.forget()
        return Scanner(self._root, self._known, self._verdicts, self._visibility.rules, ask=ask).look()

    def _refresh_paths(self, paths: set[str]) -> Changed:
        if self._is_foreign() or self._visibility.signature() != self._signature:
            return self._refresh(None)
        areas = areas_of(paths, self._root, self._verdicts, has_links=bool(self._specials))
        known = {path for area in areas for path in self._known_in(area)}
        verdicts = {path for area in areas for path in self._verdicts_in(area)}
        links = sorted(path for path in self._specials - verdicts)
        scanner = Scanner(self._root, self._known, self._verdicts, self._visibility.rules, ask=False)
        try:
            found = scanner.look_at(areas, links, lambda path: path in self._known and path not in known)
            # Links that lie elsewhere were looked at again: what they lead to may have changed.
            gone = (known | {path for path in links if path in self._known}) - found.seen
            if any(is_rule_file(path) for path in gone):
                raise RulesChanged
        except RulesChanged:
            return self._refresh(None)
        old = {path: self._verdicts[path] for path in verdicts}
        kept = [row for row in self._problems if row[3] != "link" and not is_within(row[0], areas)]
        problems = sorted([*kept, *(tuple(row) for row in found.problems)])
        return self._take(found, gone, changes(old, found.verdicts), problems, self._signature, None)

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
            take_in(self.index, (), lost, verdicts, mended, meta)
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
                again += take_in(self.index, noted(islice(readings, _PORTION)))
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


def open_tree(workspace: Workspace, place: str, own: OwnRules) -> Tree:
    """Open the index at `place`, or one in memory when it is empty; call `refresh` before asking it anything."""
    return Tree(workspace, Index(place), own)


def _difference(before: Mapping[str, Print], after: Mapping[str, Print]) -> Changed:
    written = (path for path, mark in after.items() if path not in before or before[path].hash != mark.hash)
    return Changed(tuple(sorted(written)), tuple(sorted(before.keys() - after.keys())))
