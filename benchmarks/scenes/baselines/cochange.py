"""The files that changed together with the entry, with their signatures."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.scenes.baselines.piece import signatures
from benchmarks.scenes.cases import Case
from benchmarks.scenes.snapshot import Snapshot

_MOST_FILES = 30
"""Maximum number of files of a commit that counts as a relation between them."""


def cochange(case: Case, snapshot: Snapshot) -> Iterator[str]:
    """Yield the files that commits of the history changed together with the entry.
    Order: frequent and exclusive ones first.
    """
    points: dict[str, float] = {}
    for paths in snapshot.touched:
        if case.entry in paths and 1 < len(paths) <= _MOST_FILES:
            for path in paths:
                points[path] = points.get(path, 0.0) + 1 / (len(paths) - 1)
    for path in sorted(points, key=lambda each: (-points[each], each)):
        if path in snapshot.texts and path != case.entry:
            yield signatures(path, snapshot)
