"""Diversity of ranked units: repetitions further down."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.knowledge.recall.recall_candidate import RankedUnit

POOL = 50
"""Best units that may change places; later ones keep their order."""


def diversify(ranked: Sequence[RankedUnit], relevance_share: float) -> list[RankedUnit]:
    """Return the units in an order that moves repetitions of better ones down.

    Maximal marginal relevance: each place goes to the unit with the largest difference
    of its relevance and its similarity to the units before it. Relevance is the share
    of the best score, similarity the share of common stems (Jaccard).

    Source: Carbonell and Goldstein, The Use of MMR (1998).
    """
    pool = list(ranked[:POOL])
    if len(pool) < 3:
        return list(ranked)
    best = pool[0].score
    sets = [frozenset(unit.candidate.stems) for unit in pool]
    similar = [0.0] * len(pool)
    left = list(range(len(pool)))
    order: list[int] = []
    while left:
        values = [
            relevance_share * pool[at].score / best
            - (1 - relevance_share) * similar[at]
            for at in left
        ]
        chosen = left.pop(values.index(max(values)))
        order.append(chosen)
        for at in left:
            similar[at] = max(similar[at], _jaccard(sets[at], sets[chosen]))
    return [*(pool[at] for at in order), *ranked[POOL:]]


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0
