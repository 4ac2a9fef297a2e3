"""Choice of the sentences that cover most of the terms of a text within a budget.

Source: budgeted maximum coverage with the greedy rule "gain divided by cost to a
power", as in extractive summarisation (Lin and Bilmes 2010).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple

COST_POWER = 0.4
"""Power of the cost; below 1 it favours whole statements over many short ones.
Measured by `python -m benchmarks.layers`.
"""
_DIGITS = 9
"""Scores are rounded, so that equal scores are equal on every machine."""


class Candidate(NamedTuple):
    """A sentence that may be chosen."""

    terms: frozenset[str]
    cost: int
    """Tokens of the sentence."""
    group: int = 0
    """Sentences of one group share the cost of its head."""
    factor: float = 1.0
    """Multiplies the gain of the sentence."""


def choose(
    candidates: Sequence[Candidate],
    weights: Mapping[str, int],
    limit: int,
    head_costs: Mapping[int, int] | None = None,
) -> list[int]:
    """Return the positions of the chosen candidates, ascending.

    Their costs, with the cost of the head of each of their groups once, are at most
    `limit`. A term counts once; one without weight counts 1. Ties go to the earlier
    candidate.
    """
    heads = head_costs or {}
    covered: set[str] = set()
    opened: set[int] = set()
    chosen: list[int] = []
    left = limit
    heap = [
        (-_score(each, weights, covered), at, 0)
        for at, each in enumerate(candidates)
        if each.cost <= limit
    ]
    heapq.heapify(heap)
    while heap:
        score, at, round_ = heapq.heappop(heap)
        if not score:
            break
        each = candidates[at]
        cost = each.cost
        if each.group not in opened:
            cost += heads.get(each.group, 0)
        if cost > left:
            continue
        if round_ != len(chosen):
            # The gain may have shrunk since it was computed; it never grows.
            current = -_score(each, weights, covered)
            heapq.heappush(heap, (current, at, len(chosen)))
            continue
        chosen.append(at)
        opened.add(each.group)
        covered |= each.terms
        left -= cost
    return sorted(chosen)


def _score(each: Candidate, weights: Mapping[str, int], covered: set[str]) -> float:
    fresh = each.terms - covered
    gain = each.factor * sum(weights.get(term, 1) for term in fresh)
    return float(round(gain / max(each.cost, 1) ** COST_POWER, _DIGITS))
