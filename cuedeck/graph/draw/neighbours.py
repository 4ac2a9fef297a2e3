"""Choice of the files next to the drawn nodes, limited to the size of a drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from cuedeck.model.diagram import Arrow

MOST = 80
"""Maximum number of boxes in a picture; larger pictures are unreadable."""
_LEAST = 20
"""Minimum number of files that may be added, even if the drawing is full."""
_OF_ONE = 8
"""Maximum files added for one drawn node."""
_RANKS = {"tests": 0, "documents": 1}
"""Priority of edges, strongest first; imports come last because they are numerous."""


class Neighbours(NamedTuple):
    """Files to add to a drawing."""

    paths: tuple[str, ...]
    """Sorted paths."""
    left_out: int
    """Number of adjacent files for which there was no room."""


def choose_near(drawn: Collection[str], arrows: Sequence[Arrow]) -> Neighbours:
    """Return the files that an arrow connects to the `drawn` nodes.

    Each node contributes its strongest neighbours; of all these, the files with the
    most connections are chosen.
    """
    neighbours: dict[str, dict[str, int]] = {}
    for source, target, edge, *_ in arrows:
        rank = _RANKS.get(edge, len(_RANKS))
        for one, other in ((source, target), (target, source)):
            if one in drawn and other not in drawn:
                ranks = neighbours.setdefault(one, {})
                ranks[other] = min(ranks.get(other, rank), rank)
    ties: Counter[str] = Counter()
    for ranks in neighbours.values():
        ties.update(ranks.keys())
    chosen: set[str] = set()
    for ranks in neighbours.values():
        strongest = sorted((rank, -ties[path], path) for path, rank in ranks.items())
        chosen.update(path for _, _, path in strongest[:_OF_ONE])
    room = max(MOST - len(drawn), _LEAST)
    best = sorted(chosen, key=lambda path: (-ties[path], path))[:room]
    return Neighbours(tuple(sorted(best)), len(ties) - len(best))
