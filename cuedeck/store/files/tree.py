"""Incremental update of the index from the files of the workspace: a full scan, or only
given paths.
"""

from __future__ import annotations

import contextlib
import json
import os
import posixpath
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.files.ignore_state import IgnoreState, OwnRules
from cuedeck.store.files.scanner import BORDER, LINK, SETTINGS, Scan, is_rule_file
from cuedeck.store.index import Index
from cuedeck.store.index.read_file import parse_known
from cuedeck.store.index.schema import DAMAGE, PROBLEMS, VALUES_CHANGED, is_broken
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.model.ports import Progress
    from cuedeck.parse.secrets import SecretSearch

_MASKS, _RULES, _TRACKED, _SPECIAL = _META = ("masks", "rules", "tracked", "special")
"""Keys of the index metadata: identifier of the secret rules under which the index was
filled, signature of the ignore rules outside the tree, state of git's tracked files,
and special paths with their sorts.
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

    def __init__(
        self,
        paths: WorkspacePaths,
        index: Index,
        own: OwnRules,
        secrets: Callable[[], SecretSearch],
    ) -> None:
        """`secrets` returns the search for secrets; called when files are read."""
        self.index = index
        index.rebuild = self._rebuild
        index.parse = partial(parse_known, paths.root)
        self._secrets = secrets
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
        mark = self._prints.get(path)
        return mark.size if mark else 0

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of a known file as of its last read; empty for an
        unknown file.
        """
        mark = self._prints.get(path)
        return mark.hash if mark else ""

    def modified(self, path: str) -> datetime | None:
        """Return the modification time of a known file; None for an unknown file."""
        from datetime import UTC, datetime

        mark = self._prints.get(path)
        if not mark:
            return None
        return datetime.fromtimestamp(mark.mtime_ns / 1e9, UTC)

    def distrust(self, path: str) -> None:
        """Force a file to be read again at the next refresh, even if its fingerprint is
        unchanged.
        """
        if path in self._prints:
            self._prints[path] = self._prints[path]._replace(checked_ns=0)

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
        return self._ignore_state.tracked.fault

    # --- the index

    def _surely(self, act: Callable[[], Changed]) -> Changed:
        """Run an index update; rebuild the index if it is corrupt or cannot be read or
        written.
        """
        before = self._prints
        try:
            changed = act()
        except DAMAGE as error:
            self._rebuild(in_memory=not is_broken(error))
        # Report also the changes that another process wrote to the index since the last
        # refresh.
        if self._prints is before:
            return changed
        written = []
        for path, stamp in self._prints.items():
            old = before.get(path)
            if old is None or old.hash != stamp.hash:
                written.append(path)
        gone = before.keys() - self._prints.keys()
        return Changed(tuple(sorted(written)), tuple(sorted(gone)))

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
        """Load the state of the last scan from the index; start with an empty index if
        it is damaged.
        """
        try:
            self._read_index()
        except DAMAGE as error:
            self.index.start_over(in_memory=not is_broken(error))
            self._read_index()

    def _read_index(self) -> None:
        """Read the state in one transaction. Raises: the errors in `DAMAGE`."""
        new = tuple.__new__  # the checks of the constructor take as long as the query
        with self.index.reading() as database:
            run = database.execute
            marks = ", ".join("?" * len(_META))
            rows = run(f"SELECT key, value FROM meta WHERE key IN ({marks})", _META)
            self._meta: dict[str, str] = dict(rows)
            self._revision = self.index.revision()
            self._prints: dict[str, FileStamp] = {
                row[0]: new(FileStamp, row[1:]) for row in run("SELECT * FROM prints")
            }
            self._problems: list[tuple[Any, ...]] = run(PROBLEMS).fetchall()
        self._special: dict[str, str] = json.loads(self._meta.get(_SPECIAL) or "{}")
        self._ignore_state.recall(self._meta.get(_TRACKED, ""))

    # --- scanning

    def _update(
        self, paths: set[str] | None, progress: Progress | None = None
    ) -> Changed:
        """Scan some paths, or the whole tree, and apply the result."""
        if self.index.revision() != self._revision:
            # Another process wrote to the index.
            self.index.forget()
            self._read_index()
            paths = None
        rules = self._meta.get(_RULES, "")
        if self._ignore_state.is_still(rules):
            scan = self._scan()
            gone = set(self._prints)
            if paths is None:
                scan.look()
            else:
                gone = self._look_at(scan, paths)
            gone -= scan.seen
            is_changed = any(map(is_rule_file, (*scan.suspects, *gone)))
            if not is_changed and _borders(scan.special) == _borders(self._special):
                return self._take(scan, gone, rules, progress)
        if self._has_other_rules():
            self._rebuild()
            return Changed((), ())
        rules = self._ignore_state.renew()
        scan = self._scan(asks=True)
        scan.look()
        return self._take(scan, self._prints.keys() - scan.seen, rules, progress)

    def _scan(self, *, asks: bool = False) -> Scan:
        return Scan(self._root, self._prints, self._ignore_state.rules, asks=asks)

    def _look_at(self, scan: Scan, paths: set[str]) -> set[str]:
        """Scan some paths; return the known files among them."""
        prints = self._prints
        areas = self._areas_of(paths)
        files: set[str] = set()
        for area in areas:
            files.update((area,) if area in prints else self.index.folder(area))
        others = {
            path: sort
            for path, sort in self._special.items()
            if not is_within(path, areas)
        }
        links = sorted(path for path, sort in others.items() if sort == LINK)
        scan.look_at(areas, links, lambda path: path in prints and path not in files)
        # Links outside the areas were scanned again, because their targets may have
        # changed.
        files.update(path for path in links if path in prints)
        scan.special.update(others)
        for row in self._problems:
            if row[3] != LINK and not is_within(row[0], areas):
                scan.problems.append(Diagnostic(*row))
        scan.problems.sort()
        return files

    def _areas_of(self, paths: Iterable[str]) -> set[str]:
        """Return the paths to scan: each path, or the topmost folder above it without
        known files.
        """
        wanted = set(paths)
        if LINK in self._special.values():
            parents: dict[str, str] = {}
            wanted.update([_real(path, self._root, parents) for path in sorted(wanted)])
        areas = {path if path in self._prints else self._top(path) for path in wanted}
        return {area for area in areas if not is_within(posixpath.dirname(area), areas)}

    def _top(self, path: str) -> str:
        steps = path.split("/")
        for end in range(1, len(steps)):
            folder = "/".join(steps[:end])
            if not self.index.has_folder(folder):
                return folder
        return path

    # --- applying a scan

    def _take(
        self, scan: Scan, gone: Iterable[str], rules: str, progress: Progress | None
    ) -> Changed:
        """Apply the result of a scan, with the known files that it did not find, and
        the signature of the ignore rules.
        """
        suspects = scan.suspects
        if suspects and self._has_other_rules():
            self._rebuild()
            return Changed((), ())
        meta = self._changed_meta(scan, rules)
        rows = [tuple(row) for row in scan.problems]
        is_new = bool(meta) or rows != self._problems
        gone = sorted(gone)
        changed = Changed((), ())
        if is_new or gone or suspects or self.index.meta(VALUES_CHANGED):
            state = (rows, meta) if is_new else None
            changed = self._store(scan, gone, state, progress)
        for path in changed.gone:
            self._prints.pop(path, None)
        self._special, self._problems = scan.special, rows
        self._meta.update(meta)
        return changed

    def _changed_meta(self, scan: Scan, rules: str) -> dict[str, str]:
        """Return the metadata of the index that a scan changes."""
        special = ""
        if scan.special:
            special = json.dumps(scan.special, sort_keys=True)
        meta = {
            _RULES: rules,
            _TRACKED: self._ignore_state.tracked.kept,
            _SPECIAL: special,
        }
        if scan.suspects and not self._meta.get(_MASKS):
            meta[_MASKS] = self._secrets().rules
        changed = {}
        for key, value in meta.items():
            if value != self._meta.get(key, ""):
                changed[key] = value
        return changed

    def _store(
        self,
        scan: Scan,
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
            note_hidden_values,
            read_copies,
            update_index,
        )

        index, prints = self.index, self._prints
        hidden = scan.special.items() - self._special.items()
        paths = sorted(path for path, sort in hidden if sort == SETTINGS)
        if paths:
            note_hidden_values(index, self._root, paths, self._secrets())
        before = None
        if index.meta(VALUES_CHANGED):
            index.forget_known_values()
        else:
            before = index.known_values()
        read: dict[str, bool] = {}
        if scan.suspects:
            wanted = [(path, self.hash(path)) for path in scan.suspects]
            read = fill(index, self._root, wanted, prints, progress, self._secrets())
        vanished = [path for path in scan.suspects if path in prints]
        lost = sorted({*gone, *vanished} - read.keys())
        if lost or state:
            with update_index(index) as update:
                update.remove(lost)
                if state:
                    update.store_scan(*state)
        new = {path for path, is_new in read.items() if is_new}
        if index.meta(VALUES_CHANGED):
            found = read_copies(index, self._root, prints, before, self._secrets())
            new.update(found)
        return Changed(tuple(sorted(new)), tuple(lost))

    def _has_other_rules(self) -> bool:
        """Return whether the index was filled under other secret rules."""
        filled = self._meta.get(_MASKS)
        return bool(filled) and self._secrets().rules != filled


def _borders(special: Mapping[str, str]) -> set[str]:
    return {path for path, sort in special.items() if sort == BORDER}


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
