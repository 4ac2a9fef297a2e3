"""The reference for the output of a system, derived from the tree before the commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchmarks.scenes.cases import Case
from benchmarks.scenes.lines import canonical, weight
from benchmarks.scenes.snapshot import Snapshot

_LEAST_WEIGHT = 12
"""Minimum number of characters of a line that can identify a file."""


class Reference(NamedTuple):
    """The recognisable parts of a case. Lines are canonical."""

    paths: Sequence[str]
    """All files of the tree."""
    changed: Mapping[str, Sequence[str]]
    """By touched file: the changed lines that no other file has, each once."""
    distinct: Mapping[str, frozenset[str]]
    """By touched file: all its lines that no other file has."""
    alone: Mapping[str, Sequence[bool]]
    """By touched file: for each changed definition whether its signature line is in no
    other file.
    """


class Sight:
    """The canonical lines of files, cached by content for the next case."""

    def __init__(self) -> None:
        self._lines: dict[str, frozenset[str]] = {}

    def lines(self, snapshot: Snapshot, path: str) -> frozenset[str]:
        """Return the canonical lines of a file that are long enough to identify it."""
        sha = snapshot.sha(path)
        if sha not in self._lines:
            rows = map(canonical, snapshot.texts[path].split("\n"))
            self._lines[sha] = frozenset(
                row for row in rows if weight(row) >= _LEAST_WEIGHT
            )
        return self._lines[sha]


def prepare(case: Case, snapshot: Snapshot, sight: Sight) -> Reference:
    """Derive the reference of a case."""
    rows = {
        path: [canonical(row) for row in snapshot.texts[path].split("\n")]
        for path in case.hunks
    }
    wanted = {row for each in rows.values() for row in each}
    files: Counter[str] = Counter()
    for path in snapshot.texts:
        files.update(wanted & sight.lines(snapshot, path))
    changed = {}
    for path, spans in case.hunks.items():
        numbers = (number for start, end in spans for number in range(start, end + 1))
        found = (
            rows[path][number - 1] for number in numbers if number <= len(rows[path])
        )
        changed[path] = [row for row in dict.fromkeys(found) if files[row] == 1]
    return Reference(
        paths=snapshot.paths,
        changed=changed,
        distinct={
            path: frozenset(row for row in each if files[row] == 1)
            for path, each in rows.items()
        },
        alone={
            path: [
                files[canonical(each.signature)] == 1 for each in case.definitions[path]
            ]
            for path in case.hunks
        },
    )
