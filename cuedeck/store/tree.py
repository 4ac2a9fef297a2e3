"""The tree of the workspace and its index, brought up to date: as a whole, or path by path while watching."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from cuedeck.store.disk import read_bytes
from cuedeck.store.ignore import RULE_FILES, IgnoreRules, outside_rules
from cuedeck.store.index import Index
from cuedeck.store.read import Reading, read_files
from cuedeck.store.scan import RulesChanged, Scan, Scanner
from cuedeck.store.schema import open_index
from cuedeck.store.workspace import Workspace

_MANY = 300
"""Files from which on a second process earns the time it takes to start."""
_BATCH = 64

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

    def __init__(self, workspace: Workspace, index: Index, own_rules: Callable[[], Sequence[str]]) -> None:
        self.index = index
        self._root = workspace.root
        self._config = workspace.config
        self._own_rules = own_rules
        self._known = index.prints()
        self._verdicts = index.verdicts()
        self._rules_read: IgnoreRules | None = None

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Bring the index up to date with the whole tree."""
        signature = self._signature()
        ask = signature != self.index.meta("rules")
        while True:
            try:
                if ask:
                    self._rules_read = None
                found = Scanner(self._root, self._known, self._verdicts, self._rules, ask=ask).look()
                break
            except RulesChanged:
                ask = True
        fresh = found.verdicts != self._verdicts
        return self._take(
            found, progress, found.verdicts if fresh or ask else None, {"rules": signature} if ask else {}
        )

    def refresh_paths(self, paths: Iterable[str]) -> Changed:
        """Bring the index up to date with some paths; a folder stands for everything below it."""
        found = Scan(verdicts=dict(self._verdicts))
        for path in sorted(set(paths)):
            if os.path.basename(path) in RULE_FILES:
                return self.refresh()
            place = os.path.join(self._root, *path.split("/"))
            if not self._visible(path, os.path.isdir(place) and not os.path.islink(place)):
                found.gone += [known for known in self._known if known == path or known.startswith(path + "/")]
            elif os.path.isdir(place) and not os.path.islink(place):
                try:
                    below = Scanner(self._root, self._known, self._verdicts, self._rules, ask=False).look(path)
                except RulesChanged:
                    return self.refresh()
                found.suspects += below.suspects
                found.gone += below.gone
                found.verdicts.update(below.verdicts)
                found.verdicts[path] = False
            elif os.path.islink(place):
                return self.refresh()
            elif os.path.isfile(place):
                found.suspects.append(path)
            else:
                found.gone += self._below(path)
        return self._take(found, None, found.verdicts if found.verdicts != self._verdicts else None, {})

    def size(self, path: str) -> int:
        """Return the size a known file had when it was last read, in bytes."""
        mark = self._known.get(path)
        return mark.size if mark else 0

    def modified(self, path: str) -> datetime | None:
        """Return when a known file was last modified."""
        mark = self._known.get(path)
        return datetime.fromtimestamp(mark.mtime_ns / 1e9, UTC) if mark else None

    def _take(
        self, found: Scan, progress: Progress | None, verdicts: dict[str, bool] | None, meta: dict[str, str]
    ) -> Changed:
        suspects = list(dict.fromkeys(found.suspects))
        wanted = [(path, self._known[path].hash if path in self._known else "") for path in suspects]
        readings = _read(self._root, wanted, progress)
        read = {reading.path for reading in readings}
        vanished = [path for path in suspects if path not in read and path in self._known]
        gone = sorted({*found.gone, *vanished} & self._known.keys())
        if readings or gone or verdicts is not None or meta:
            problems = found.problems if verdicts is not None or meta else None
            self.index.apply(readings, gone, verdicts, problems, meta)
        self._known.update((reading.path, reading.print) for reading in readings)
        for path in gone:
            del self._known[path]
        if verdicts is not None:
            self._verdicts = verdicts
        return Changed(tuple(sorted(reading.path for reading in readings if reading.data)), tuple(gone))

    def _below(self, path: str) -> list[str]:
        if path in self._known:
            return [path]
        return [known for known in self._known if known.startswith(path + "/")]

    def _visible(self, path: str, is_folder: bool) -> bool:
        steps = path.split("/")
        for end in range(1, len(steps) + 1):
            part = "/".join(steps[:end])
            if part in self._known:
                continue
            verdict = self._verdicts.get(part)
            if verdict is None:
                verdict = self._rules().ignored(part, is_folder or end < len(steps))
            if verdict:
                return False
        return True

    def _rules(self) -> IgnoreRules:
        if self._rules_read is None:
            self._rules_read = IgnoreRules(self._root, self._own_rules())
        return self._rules_read

    def _signature(self) -> str:
        """Hash what decides about visibility and lies outside the tree that is scanned."""
        digest = hashlib.sha256(read_bytes(self._config) or b"")
        for place in outside_rules(self._root):
            digest.update(b"\0" + (read_bytes(place) or b"") if os.path.isfile(place) else b"\0")
        return digest.hexdigest()


def open_tree(workspace: Workspace, place: str, own_rules: Callable[[], Sequence[str]]) -> Tree:
    """Open the index at `place`, or one in memory when it is empty; call `refresh` before asking it anything."""
    return Tree(workspace, Index(open_index(place)), own_rules)


def _read(root: str, wanted: Sequence[tuple[str, str]], progress: Progress | None) -> list[Reading]:
    """Read files, on both cores when there are many."""
    if len(wanted) < _MANY:
        return read_files(root, wanted)
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial
    from multiprocessing import get_context

    batches = [wanted[at : at + _BATCH] for at in range(0, len(wanted), _BATCH)]
    done: list[Reading] = []
    # Not fork: a watcher has threads by now.
    with ProcessPoolExecutor(max(2, os.cpu_count() or 2), mp_context=get_context("spawn")) as pool:
        for readings in pool.map(partial(read_files, root), batches):
            done += readings
            if progress is not None:
                progress(len(done), len(wanted))
    return done
