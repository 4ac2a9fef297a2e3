"""Weights of the stems of a query, and BM25 points of units and their windows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from cuedeck.knowledge.recall.recall_candidate import WINDOW, Candidate, Statistics
from cuedeck.knowledge.recall.recall_query import QueryTerm
from cuedeck.text.bm25 import SATURATION, UNIT, rarity

TURN_WEIGHT = 2.5
"""Weight of the window of a turn of a conversation, which its neighbours explain. Other
units may have nothing to do with their neighbours.
"""
_MIN_RARITY = 0.25
"""Rarity of a stem that every unit contains."""
_SLOPE = 0.9
"""Strength of length normalisation (b of BM25)."""

Postings = Mapping[str, Mapping[int, int]]
"""Count of each stem in the texts that have it, by the place of the text."""


class Layout(NamedTuple):
    """Lengths and windows of candidates in the order of their numbers."""

    lengths: Sequence[int]
    first: Sequence[int]
    """Place of the first unit in the window of each unit."""
    end: Sequence[int]
    """Place after the last unit in the window of each unit."""
    window_lengths: Sequence[int]
    window_weights: Sequence[float]
    mean_length: float
    """Mean number of stems of all units of the index."""


def lay_out(units: Sequence[Candidate], mean_length: float) -> Layout:
    """Return the layout of units, which are in the order of their numbers."""
    lengths = [len(unit.stems) for unit in units]
    numbers = [unit.number for unit in units]
    paths = [unit.path for unit in units]
    total = len(units)
    first = list(range(total))
    end = list(range(1, total + 1))
    for step in range(1, WINDOW + 1):
        for place in range(total - step):
            other = place + step
            is_near = numbers[other] - numbers[place] <= WINDOW
            if is_near and paths[other] == paths[place]:
                end[place] = other + 1
                first[other] = place
    sums = [0, *accumulate(lengths)]
    window_lengths = [
        sums[stop] - sums[start] for start, stop in zip(first, end, strict=True)
    ]
    weights = [TURN_WEIGHT if unit.speaker else 0.0 for unit in units]
    mean_length = max(mean_length, 1.0)
    return Layout(lengths, first, end, window_lengths, weights, mean_length)


def count_stems(units: Sequence[Candidate], stems: Iterable[str]) -> Postings:
    """Return how often each of the stems occurs in the units."""
    postings: dict[str, dict[int, int]] = {stem: {} for stem in stems}
    wanted = frozenset(postings)
    for place, unit in enumerate(units):
        unit_stems = unit.stems
        for stem in wanted.intersection(unit_stems):
            postings[stem][place] = unit_stems.count(stem)
    return postings


def find_stems(units: Sequence[Candidate], stems: Iterable[str]) -> Postings:
    """Return which units contain each of the stems, with a count of 1."""
    postings: dict[str, dict[int, int]] = {stem: {} for stem in stems}
    wanted = frozenset(postings)
    for place, unit in enumerate(units):
        for stem in wanted.intersection(unit.stems):
            postings[stem][place] = 1
    return postings


def unit_points(
    postings: Postings, weights: Mapping[str, float], layout: Layout
) -> list[float]:
    """Return the points of each unit."""
    return _add_points(postings, weights, layout.lengths, layout.mean_length)


def window_points(
    postings: Postings, weights: Mapping[str, float], layout: Layout
) -> list[float]:
    """Return the points that each unit gets for its window."""
    sums = {stem: _sum_windows(postings[stem], layout) for stem in weights}
    mean_length = layout.mean_length * (2 * WINDOW + 1)
    points = _add_points(sums, weights, layout.window_lengths, mean_length)
    return [
        weight * each
        for weight, each in zip(layout.window_weights, points, strict=True)
    ]


def _sum_windows(counts: Mapping[int, int], layout: Layout) -> dict[int, int]:
    """Return the count of a stem in each window, by the place of its unit."""
    first, end = layout.first, layout.end
    sums: dict[int, int] = {}
    for place, count in counts.items():
        for member in range(first[place], end[place]):
            sums[member] = sums.get(member, 0) + count
    return sums


def _add_points(
    postings: Postings,
    weights: Mapping[str, float],
    lengths: Sequence[int],
    mean_length: float,
) -> list[float]:
    """Return the BM25 points of texts. The order of the terms is fixed, so that sums of
    floats are the same on every machine.
    """
    flat = SATURATION * (1 - _SLOPE)
    steep = SATURATION * _SLOPE / mean_length
    norms = [flat + steep * length for length in lengths]
    points = [0.0] * len(lengths)
    for stem, weight in weights.items():
        upper = UNIT * weight * (SATURATION + 1)
        for place, count in postings[stem].items():
            points[place] += upper * count / (count + norms[place])
    return points


def term_weights(
    terms: Sequence[QueryTerm], statistics: Statistics
) -> dict[str, float]:
    """Return the weight of each stem times its rarity. Stems that no unit has are left
    out.
    """
    weights = {}
    for term in terms:
        having = statistics.spread[term.stem]
        if having:
            weights[term.stem] = term.weight * read_rarity(having, statistics.total)
    return weights


def read_rarity(having: int, total: int) -> float:
    """Return the inverse document frequency of a stem that `having` of `total` units
    contain.
    """
    return max(rarity(having, max(total, having)), _MIN_RARITY)
