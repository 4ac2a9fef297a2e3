"""A line of the most frequent words of a text that say something new."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from cuedeck.model.ports import Count
from cuedeck.text.words import read_terms

_WORD = re.compile(r"[^\W\d]\w*")
KEYWORDS = "Keywords: "
"""Beginning of the line."""
_WHOLE = "="
"""Begins the term of a whole identifier, whose parts are terms, too."""
_MOST_WORDS = 2_000
"""Distinct words that are considered."""


def keyword_line(
    text: str, count: Count, limit: int, shown: Collection[str] = ()
) -> str:
    """Return `Keywords: a, b, c` with at most `limit` tokens; empty if there are none.

    A word is listed as it is spelled, if one of its terms is new: neither in `shown`,
    the terms that the reader sees elsewhere, nor in a word before it. Order: most
    frequent first, then by spelling.
    """
    words = Counter(_WORD.findall(text))
    ordered = sorted(words, key=lambda word: (-words[word], word))
    covered = set(shown)
    line = ""
    for word in ordered[:_MOST_WORDS]:
        terms = read_terms(word)
        if covered.issuperset(term for term in terms if term[0] != _WHOLE):
            continue
        longer = f"{line}, {word}" if line else f"{KEYWORDS}{word}"
        if count.count(longer) > limit:
            break
        line = longer
        covered.update(terms)
    return line
