"""Rank texts for a question with BM25, or with the hash vectors of CursorClaw (setting
`similarity = "hash128"`).

The vector of a text counts its words in 128 buckets and is scaled to length 1; the
similarity of two texts is the cosine of their vectors. Words are runs of ASCII letters,
digits and underscores, so that a text in another script has no vector.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from cuedeck.text.bm25 import UNIT, add_up, middle, rarity
from cuedeck.text.words import read_stems, stop_stems

MAX_RESULTS = 50
"""Results of one question."""
_SLOPE = 0.5
"""Weight of the length of a text in BM25."""
_MIN_RARITY = 0.25
"""Weight of a word that every text has."""


class Ranked(NamedTuple):
    """A text that answers a question."""

    id: str
    score: float
    """Above 0; higher is better."""


def rank_texts(
    texts: Mapping[str, str], query: str, most: int, method: str = "words"
) -> list[Ranked]:
    """Return at most `most` texts that answer a question, by score, then by id."""
    score_texts = _score_vectors if method == "hash128" else _score_words
    scores = score_texts(texts, query)
    matches = [Ranked(name, score) for name, score in scores.items() if score > 0]
    matches.sort(key=lambda match: (-match.score, match.id))
    return matches[: max(1, min(most, MAX_RESULTS))]


def _score_words(texts: Mapping[str, str], query: str) -> dict[str, float]:
    stems = {name: Counter(read_stems(text)) for name, text in texts.items()}
    lengths = {name: found.total() for name, found in stems.items()}
    asked = dict.fromkeys(read_stems(query))
    content = [stem for stem in asked if stem not in stop_stems()]
    postings = {}
    weights = {}
    for stem in content or asked:
        having = {name: stems[name][stem] for name in stems if stem in stems[name]}
        postings[stem] = having
        weights[stem] = max(rarity(len(having), len(texts)), _MIN_RARITY)
    mean = middle(sum(lengths.values()), len(lengths))
    points = add_up(
        weights,
        postings,
        lengths,
        mean=mean,
        slope=_SLOPE,
    )
    return {name: each / UNIT for name, each in points.items()}


def _score_vectors(texts: Mapping[str, str], query: str) -> dict[str, float]:
    asked = hash_vector(query)
    return {
        name: round(cosine(asked, hash_vector(text)), 6) for name, text in texts.items()
    }


BUCKETS = 128
_MAX_TOKENS = 2_000
_MIN_LETTERS = 2
_SEPARATOR = re.compile(r"[^a-z0-9_]+")


def hash_vector(text: str) -> dict[int, float]:
    """Return the buckets of a text that are not 0, with their values. Order: by
    bucket.
    """
    words = _SEPARATOR.split(text.lower())
    tokens = [word for word in words if len(word) >= _MIN_LETTERS]
    counts = Counter(map(bucket_of, tokens[:_MAX_TOKENS]))
    length = math.sqrt(sum(times * times for times in counts.values()))
    return {bucket: counts[bucket] / length for bucket in sorted(counts)}


@lru_cache(30_000)
def bucket_of(token: str) -> int:
    """Return the bucket of a word."""
    return (
        int.from_bytes(
            hashlib.sha1(token.encode(), usedforsecurity=False).digest()[:4], "big"
        )
        % BUCKETS
    )


def cosine(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    """Return the cosine of two vectors of length 1, or 0 if one is empty."""
    total = 0.0
    for bucket, share in one.items():
        total += share * other.get(bucket, 0.0)
    return total
