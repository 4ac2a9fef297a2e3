"""Hash vectors that are equal to those of CursorClaw, for the setting `similarity =
"hash128"`.

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
