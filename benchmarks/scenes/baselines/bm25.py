"""Okapi BM25 over identifiers split into words.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond
(2009).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

_SATURATION = 1.2
_SLOPE = 0.75
_WORD = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")


def words(text: str) -> Counter[str]:
    """Return the count of each word in a text; `loadFile` counts as itself, as `load`
    and as `file`.
    """
    counts: Counter[str] = Counter()
    for word, times in Counter(_WORD.findall(text)).items():
        parts = [part.lower() for part in _PART.findall(word)]
        for each in [*parts, word.lower()] if len(parts) > 1 else parts:
            counts[each] += times
    return counts


def rank(query: Iterable[str], documents: Mapping[Key, Counter[str]]) -> list[Key]:
    """Return the documents that have a word of the query. Order: best first, ties as
    given.
    """
    lengths = {key: counts.total() for key, counts in documents.items()}
    mean = sum(lengths.values()) / max(len(lengths), 1) or 1.0
    points: dict[Key, float] = {}
    for word in sorted(set(query)):
        having = [
            (key, counts[word]) for key, counts in documents.items() if word in counts
        ]
        rarity = math.log(
            1 + (len(documents) - len(having) + 0.5) / (len(having) + 0.5)
        )
        for key, times in having:
            norm = _SATURATION * (1 - _SLOPE + _SLOPE * lengths[key] / mean)
            points[key] = points.get(key, 0.0) + rarity * times * (_SATURATION + 1) / (
                times + norm
            )
    places = {key: at for at, key in enumerate(documents)}
    return sorted(points, key=lambda key: (-points[key], places[key]))
