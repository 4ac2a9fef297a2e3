"""Intermediate results reused by the next scene. A pure cache: dropping it never changes the output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cuedeck.ranking.incremental_bm25 import Tally
from cuedeck.ranking.memo import Memo
from cuedeck.ranking.query_source import Readings

if TYPE_CHECKING:
    from cuedeck.model.scene_values import Shown, Span
    from cuedeck.ranking.candidates import CandidatePool
    from cuedeck.ranking.commit_relevance import CommitRelevance
    from cuedeck.ranking.ranking_cache import CachedRanking

Points = Mapping[int, int]
Nodes = dict[tuple["Span", ...], "Shown"]


@dataclass(slots=True)
class RelatedCache:
    """Cached results of one workspace."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    chunks: dict[str, tuple[object, dict[str, Points]]] = field(default_factory=dict)
    """By query name: the inputs of the points, and the points of the chunks of each file."""
    readings: Readings = field(default_factory=Readings)
    past: CommitRelevance | None = None
    heard: CachedRanking | None = None
    stock: CandidatePool | None = None
    nodes: Memo[Nodes] = field(default_factory=lambda: Memo(dict))
    """By path: the rendered node of each choice of lines."""
    behind: dict[str, None] | None = None
    """Paths changed since the cached ranking; None if any file may have changed."""

    def note(self, changed: Iterable[str] | None) -> None:
        """Mark files as changed, added or removed; None invalidates all."""
        paths = None if changed is None else dict.fromkeys(changed)
        for tally in self.tallies.values():
            tally.note(paths)
        for _, points in self.chunks.values():
            if paths is None:
                points.clear()
            for path in paths or ():
                points.pop(path, None)
        if self.past is not None:
            self.past.forget(paths)
        if paths is None or self.behind is None:
            self.behind = None
        else:
            self.behind.update(paths)
