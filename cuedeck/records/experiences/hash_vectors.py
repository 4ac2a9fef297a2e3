"""The hash vectors of CursorClaw, number for number: `similarity = "hash128"`.

A text is the counts of its words over 128 buckets, at length 1; two texts are as alike as the cosine of theirs. Words
are runs of ASCII letters, digits and underscores, so that a text in other letters has no vector at all.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

BUCKETS = 128
_MOST_TOKENS = 2_000
_SHORTEST = 2
_APART = re.compile(r"[^a-z0-9_]+")


def hash_vector(text: str) -> dict[int, float]:
    """Return the vector of a text as its buckets that are not 0. Order: by bucket."""
    tokens = [token for token in _APART.split(text.lower()) if len(token) >= _SHORTEST][:_MOST_TOKENS]
    counts = Counter(bucket_of(token) for token in tokens)
    length = math.sqrt(sum(times * times for times in counts.values()))
    return {bucket: counts[bucket] / length for bucket in sorted(counts)}


@lru_cache(30_000)
def bucket_of(token: str) -> int:
    """Return the bucket of a word."""
    return int.from_bytes(hashlib.sha1(token.encode(), usedforsecurity=False).digest()[:4], "big") % BUCKETS


def cosine(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    """Return the cosine of two vectors of length 1; 0 with one that is empty."""
    total = 0.0
    for bucket, share in one.items():
        total += share * other.get(bucket, 0.0)
    return total
