"""All files in one text, as repository packers do: the entry file, then the others by
path.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.scenes.baselines.piece import piece
from benchmarks.scenes.cases import Case
from benchmarks.scenes.snapshot import Snapshot


def pack(case: Case, snapshot: Snapshot) -> Iterator[str]:
    """Yield every file as a whole."""
    for path in dict.fromkeys([case.entry, *sorted(snapshot.texts)]):
        yield piece(path, snapshot.texts[path])
