"""What one scene worked out and the next may use; nothing in it changes what a scene says."""

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
    """What is kept from scene to scene of one workspace."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    chunks: dict[str, tuple[object, dict[str, Points]]] = field(default_factory=dict)
    """By query: what its points depend on, and the points of each file's chunks."""
    readings: Readings = field(default_factory=Readings)
    past: CommitRelevance | None = None
    heard: CachedRanking | None = None
    stock: CandidatePool | None = None
    nodes: Memo[Nodes] = field(default_factory=lambda: Memo(dict))
    """By path: the node of each choice of lines."""
    behind: dict[str, None] | None = None
    """Paths that changed since the ranking that is kept; None when all may have."""

    def note(self, changed: Iterable[str] | None) -> None:
        """Take note that these files may differ from now on, and that others came or went; None: all may."""
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
