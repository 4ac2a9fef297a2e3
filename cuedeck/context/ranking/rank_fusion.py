"""Reciprocal rank fusion of several rankings, extended by a share of the score.

Source: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet
(2009). The share of the score is an addition of CueDeck.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from heapq import nlargest
from typing import NamedTuple

from cuedeck.text.bm25 import best_first

DAMPING = 20
"""Constant of the reciprocal rank: the rank `DAMPING + 1` is worth half of the first.
"""
CLARITY = 0.4
"""Share of the worth of a rank that follows the score instead of the rank."""
_STEP = math.log(1.04)
"""Step of scores: scores within four percent of each other count as equal."""
_GRAIN = 512
"""Resolution of the fused score: it is rounded to multiples of 1/512."""


class Place(NamedTuple):
    """The place of a name in one ranking."""

    rank: int
    """Rank from 1; ties share the rank of the first."""
    worth: float
    """Contribution to the fused score: 1 for the first rank, decreasing towards 0."""


def leading(scores: Mapping[str, float], most: int) -> list[str]:
    """Return the names with the `most` highest scores above zero, including ties with
    the last of them.
    """
    positive = [value for value in scores.values() if value > 0]
    if len(positive) <= most:
        return [name for name, value in scores.items() if value > 0]
    least = nlargest(most, positive)[-1]
    return [name for name, value in scores.items() if value >= least]


def place(scores: Mapping[str, float]) -> dict[str, Place]:
    """Return the place of each name with a score above zero, best first."""
    best = max(scores.values(), default=0.0)
    # Integer steps below the best score.
    steps = {
        name: round(math.log(value / best) / _STEP)
        for name, value in scores.items()
        if value > 0
    }
    places: dict[str, Place] = {}
    last = 1
    rank = 0
    for at, name in enumerate(best_first(steps), 1):
        if steps[name] != last:
            last = steps[name]
            rank = at
        by_rank = (1 - CLARITY) * DAMPING / (DAMPING + rank - 1)
        by_score = CLARITY * math.exp(last * _STEP)
        places[name] = Place(rank, by_rank + by_score)
    return places


def fuse(
    places: Mapping[str, Mapping[str, Place]],
    weights: Mapping[str, float],
    share: Callable[[str], float],
) -> dict[str, float]:
    """Return the fused score of every name, from its places in each signal.

    `share` returns the factor applied to the score of a name. Order: best first, ties
    by name.
    """
    total: defaultdict[str, float] = defaultdict(float)
    for signal, placed in places.items():
        for name, each in placed.items():
            total[name] += weights[signal] * each.worth
    rounded: dict[str, float] = {}
    for name, value in total.items():
        grains = round(value * share(name) * _GRAIN)
        rounded[name] = grains / _GRAIN
    return {name: rounded[name] for name in best_first(rounded)}
