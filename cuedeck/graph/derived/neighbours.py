"""Choice of the files next to the drawn nodes, limited to the size of a drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from cuedeck.graph.draw.layout import MOST
from cuedeck.model.diagram import Arrow

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

    Each node contributes its strongest neighbours; of all these, the files with the most connections are chosen.
    """
    beside: dict[str, dict[str, int]] = {}
    for source, target, edge, *_ in arrows:
        for one, other in ((source, target), (target, source)):
            if one in drawn and other not in drawn:
                near = beside.setdefault(one, {})
                near[other] = min(near.get(other, len(_RANKS)), _RANKS.get(edge, len(_RANKS)))
    ties = Counter(other for near in beside.values() for other in near)
    chosen: set[str] = set()
    for near in beside.values():
        chosen.update(sorted(near, key=lambda path: (near[path], -ties[path], path))[:_OF_ONE])
    best = sorted(chosen, key=lambda path: (-ties[path], path))[: max(MOST - len(drawn), _LEAST)]
    return Neighbours(tuple(sorted(best)), len(ties) - len(best))
