"""Reciprocal rank fusion of several rankings, extended by a share of the score.

Source: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet
(2009). The share of the score is an addition of CueDeck.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from heapq import nlargest

DAMPING = 20
"""Constant of the reciprocal rank: the rank `DAMPING + 1` is worth half of the first.
"""
CLARITY = 0.4
"""Share of the worth of a rank that follows the score instead of the rank."""
_STEP = math.log(1.04)
"""Step of scores: scores within four percent of each other count as equal."""
_GRAIN = 512
"""Resolution of the fused score: it is rounded to multiples of 1/512."""
SIGNAL_WEIGHTS: Mapping[str, float] = {
    "path": 1.5,
    "defines": 1.5,
    "text": 1.5,
    "chunk": 1.5,
    "lines": 2.0,
    "session": 2.0,
}
"""Weights by signal; a signal without an entry has the weight 1."""

SIGNAL_NAMES: Mapping[str, str] = {
    "path": "words in its path",
    "stem": "similar name",
    "defines": "defines a name in the task",
    "names": "words in its definitions",
    "text": "words in its text",
    "chunk": "words close together",
    "sources": "words of linked files",
    "focus": "words of linked passages",
    "imports": "imports",
    "session": "used in this session",
    "cochange": "changed together",
    "commits": "similar commits",
    "lines": "similar commits",
}
"""Short descriptions of the signals, for the map of a scene."""


def leading(scores: Mapping[str, float], most: int) -> list[str]:
    """Return the names with the `most` highest scores above zero, including ties with
    the last of them.
    """
    positive = [value for value in scores.values() if value > 0]
    if len(positive) <= most:
        return [name for name, value in scores.items() if value > 0]
    least = nlargest(most, positive)[-1]
    return [name for name, value in scores.items() if value >= least]


def coarse(scores: Mapping[str, float]) -> dict[str, int]:
    """Return the scores above zero as integer steps below the best score."""
    best = max(scores.values(), default=0.0)
    return {
        name: round(math.log(value / best) / _STEP)
        for name, value in scores.items()
        if value > 0
    }


def ranks(steps: Mapping[str, int]) -> dict[str, int]:
    """Return the rank of each name from 1; ties share the rank of the first."""
    found: dict[str, int] = {}
    last = 1
    rank = 0
    for at, name in enumerate(_sorted(steps), 1):
        if steps[name] != last:
            last = steps[name]
            rank = at
        found[name] = rank
    return found


def worth(rank: int, step: int) -> float:
    """Return the contribution of one ranking to a name: 1 for the first rank,
    decreasing towards 0.
    """
    by_rank = (1 - CLARITY) * DAMPING / (DAMPING + rank - 1)
    by_score = CLARITY * math.exp(step * _STEP)
    return by_rank + by_score


def fuse(
    steps: Mapping[str, Mapping[str, int]],
    places: Mapping[str, Mapping[str, int]],
    weights: Mapping[str, float],
    share: Callable[[str], float],
) -> dict[str, float]:
    """Return the fused score of every name, from its coarse steps and its ranks in each
    signal.

    `share` returns the factor applied to the score of a name. Order: best first, ties
    by name.
    """
    total: dict[str, float] = {}
    for signal, ranked in places.items():
        weight = weights.get(signal, 1.0)
        step = steps[signal]
        for name, rank in ranked.items():
            total[name] = total.get(name, 0.0) + weight * worth(rank, step[name])
    rounded: dict[str, float] = {}
    for name, value in total.items():
        grains = round(value * share(name) * _GRAIN)
        rounded[name] = grains / _GRAIN
    return {name: rounded[name] for name in _sorted(rounded)}


def _sorted(values: Mapping[str, float]) -> list[str]:
    """Return the names by descending value, ties by name."""
    return sorted(sorted(values), key=values.__getitem__, reverse=True)
