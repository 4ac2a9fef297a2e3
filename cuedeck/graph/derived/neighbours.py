"""Which code stands next to what is drawn, as much of it as a picture can take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from cuedeck.graph.draw.layout import MOST
from cuedeck.model.diagram import Arrow

_LEAST = 20
"""Files that may join even where the picture is full."""
_OF_ONE = 8
"""Files that join for the sake of one that is drawn."""
_RANKS = {"tests": 0, "documents": 1}
"""What says most stands first; imports are many."""


class Neighbours(NamedTuple):
    """What joins a picture."""

    paths: tuple[str, ...]
    """Sorted."""
    left_out: int
    """Files that stand as near and found no room."""


def choose_near(drawn: Collection[str], arrows: Sequence[Arrow]) -> Neighbours:
    """Return the files that an arrow joins to what is `drawn`: of each the nearest, of all the best joined."""
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
