"""Okapi BM25 with integer scores.

Every part of a score is rounded to an integer before it is added, so that a score is
independent of the order of its parts. Document frequency and mean length, which almost
every edit changes slightly, are rounded to coarse steps.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond
(2009).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

Name = TypeVar("Name")
SATURATION = 1.2
"""k1: how quickly repetitions of a term stop adding to the score."""
_CHUNKS_PER_FILE = 10
"""Assumed number of chunks per file, used to estimate the mean length of a chunk."""
UNIT = 1000
"""Points of a term that occurs once in a text of mean length, with weight 1 and rarity
1.
"""


def best_first(points: Mapping[Name, float]) -> list[Name]:
    """Return the names by descending points, ties by name."""
    names: list[Any] = sorted(points)
    names.sort(key=points.__getitem__, reverse=True)
    return names


def rarity(having: int, total: int) -> float:
    """Return the inverse document frequency of a term in steps of a quarter; 0 for a
    term that no text contains.
    """
    if not having:
        return 0.0
    return round(4 * math.log(1 + (total - having + 0.5) / (having + 0.5))) / 4


def middle(length: int, total: int) -> float:
    """Return the mean length of `total` texts in steps of the square root of 2."""
    mean = length / total if total else 0.0
    return float(2 ** (round(2 * math.log2(mean)) / 2)) if mean >= 1 else 1.0


def mean_lengths(
    lengths: Mapping[str, int], names: Mapping[str, int]
) -> dict[str, float]:
    """Return the mean length of texts (""), names ("n:") and chunks ("chunk"), in
    words.

    `lengths` and `names` are the number of words in the text and in the names of
    definitions of each file.
    """
    words, total = sum(lengths.values()), len(lengths)
    return {
        "": middle(words, total),
        "n:": middle(sum(names.values()), total),
        "chunk": middle(words, _CHUNKS_PER_FILE * max(total, 1)),
    }


def part(
    times: int,
    length: float,
    weight: float,
    *,
    mean: float,
    slope: float,
) -> int:
    """Return the points of one term in one text.

    `weight` is the query weight of the term times its rarity; `slope` (b) is the
    strength of length normalisation.
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
    """Return the points of every text that contains a term of the query.

    `query` maps terms to weights, `postings` maps terms to their count in each text,
    and `lengths` maps texts to their number of words. `total` is the number of all
    texts, including those without any of the terms.
    """
    weights = {}
    for term, weight in query.items():
        weights[term] = weight * rarity(len(postings.get(term, ())), total)
    mean = middle(sum(lengths.values()), len(lengths))
    return add_up(weights, postings, lengths, mean=mean, slope=slope)


def add_up(
    weights: Mapping[str, float],
    postings: Mapping[str, Mapping[Name, int]],
    lengths: Mapping[Name, float],
    *,
    mean: float,
    slope: float,
) -> dict[Name, int]:
    """Return the points of every text, with the mean length of the texts given.

    `weights` are the weights of terms in the query times their rarity. A text missing
    from `lengths` was removed and gets no points. The formula of `part` is repeated,
    because a call for each text costs more than the formula.
    """
    points: dict[Name, int] = {}
    norms: dict[Name, float] = {}
    for term, weight in weights.items():
        upper = UNIT * weight
        for name, times in postings.get(term, {}).items():
            norm = norms.get(name)
            if norm is None:
                if name not in lengths:
                    continue
                norm = SATURATION * (1 - slope + slope * lengths[name] / mean)
                norms[name] = norm
                points[name] = 0
            points[name] += round(upper * times * (SATURATION + 1) / (times + norm))
    return points


def to_score(points: int) -> float:
    """Return integer points as a score."""
    return round(points / UNIT, 3)
