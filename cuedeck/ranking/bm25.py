"""Okapi BM25 in whole numbers.

Every part of a score is rounded to an integer before it is added, so that a score does not depend on the order
of its parts and may be changed part by part. The figures that every edit moves a little, how many files have a
term and how long files are, count in coarse steps.
Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

SATURATION = 1.2
"""k1: how soon more of the same word counts no more."""
UNIT = 1000
"""Points of a word that stands once in a text of middle length, of weight 1 and rarity 1."""


def rarity(having: int, total: int) -> float:
    """Return the inverse document frequency of a term in steps of a quarter; 0 for one that nothing has."""
    if not having:
        return 0.0
    return round(4 * math.log(1 + (total - having + 0.5) / (having + 0.5))) / 4


def middle(length: int, total: int) -> float:
    """Return the mean length of `total` texts in steps of the square root of 2."""
    mean = length / total if total else 0.0
    return float(2 ** (round(2 * math.log2(mean)) / 2)) if mean >= 1 else 1.0


def part(times: int, length: int, weight: float, *, mean: float, slope: float) -> int:
    """Return the points of one term in one text.

    `weight` is that of the term in the query times its rarity; `slope` (b) says how much long texts pay.
    """
    norm = SATURATION * (1 - slope + slope * length / mean)
    return round(UNIT * weight * times * (SATURATION + 1) / (times + norm))


def score(
    query: Mapping[str, float],
    postings: Mapping[str, Mapping[str, int]],
    lengths: Mapping[str, int],
    *,
    total: int,
    slope: float,
) -> dict[str, int]:
    """Return the points of every text that has a term of the query.

    `query` gives the weight of each term, `postings` how often each text has it, `lengths` the words of each
    text; `total` is the number of all texts, also of those without any of the terms. A text without a length is
    gone meanwhile, and has no points.
    """
    mean = middle(sum(lengths.values()), len(lengths))
    points: dict[str, int] = {}
    for term, weight in query.items():
        having = postings.get(term)
        if not having:
            continue
        weight *= rarity(len(having), total)
        for name, times in having.items():
            if name in lengths:
                points[name] = points.get(name, 0) + part(times, lengths[name], weight, mean=mean, slope=slope)
    return points
