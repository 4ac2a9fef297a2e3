"""A line of the most frequent terms of a text, each in its most frequent spelling."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from cuedeck.model.ports import Count
from cuedeck.parse.search_terms import part_of, read_terms

_WORD = re.compile(r"[^\W\d]\w*")
KEYWORDS = "Keywords: "
"""Beginning of the line."""
_MOST_WORDS = 2_000
"""Distinct words that are considered."""


def keyword_line(
    text: str, count: Count, limit: int, shown: Collection[str] = ()
) -> str:
    """Return `Keywords: a, b, c` with at most `limit` tokens; empty if there are none.

    Terms of `shown`, stems that the reader sees elsewhere, are left out. Order: most
    frequent first, then by spelling.
    """
    spellings: dict[str, Counter[str]] = {}
    for word, times in sorted(Counter(_WORD.findall(text)).items()):
        for term in read_terms(word):
            if term.startswith("=") or term in shown:
                continue
            spellings.setdefault(term, Counter())[part_of(word, term).lower()] += times
    weights = {term: sum(found.values()) for term, found in spellings.items()}
    ordered = sorted(weights, key=lambda term: (-weights[term], term))[:_MOST_WORDS]
    line = ""
    for term in ordered:
        word = _most_frequent(spellings[term])
        longer = f"{line}, {word}" if line else f"{KEYWORDS}{word}"
        if count.count(longer) > limit:
            break
        line = longer
    return line


def _most_frequent(spellings: Counter[str]) -> str:
    return min(spellings, key=lambda word: (-spellings[word], word))
