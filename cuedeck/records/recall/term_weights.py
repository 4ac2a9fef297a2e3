"""Weights of the stems of a query."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.ranking.bm25 import rarity
from cuedeck.records.recall.recall_candidate import Statistics
from cuedeck.records.recall.recall_query import QueryTerm

_MIN_RARITY = 0.25
"""Rarity of a stem that every unit contains."""


def term_weights(
    terms: Sequence[QueryTerm], statistics: Statistics
) -> dict[str, float]:
    """Return the weight of each stem times its rarity. Stems that no unit has are left
    out.
    """
    weights = {}
    for term in terms:
        having = statistics.spread.get(term.stem, 0)
        if having:
            weights[term.stem] = term.weight * read_rarity(having, statistics.total)
    return weights


def read_rarity(having: int, total: int) -> float:
    """Return the inverse document frequency of a stem that `having` of `total` units
    contain.
    """
    return max(rarity(having, max(total, having)), _MIN_RARITY)
