"""Words that name the subject of a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from functools import cache

from cuedeck.model.ports import Count
from cuedeck.text.stems import CHAT_WORDS
from cuedeck.text.words import read_stems, read_terms, stop_stems

_NAME = re.compile(r"(?<=[\w,;:'’\"(] )[^\Wa-z_][\w'’-]+|\d[\w:.,/-]*|`[^`]+`")
"""A capitalised word inside a sentence, a number, or inline code."""
_WORD = re.compile(r"[^\W\d]\w*")
KEYWORDS = "Keywords: "
"""Beginning of the line."""
_WHOLE = "="
"""Begins the term of a whole identifier, whose parts are terms, too."""
_MOST_WORDS = 2_000
"""Distinct words that are considered."""


def content_terms(text: str) -> frozenset[str]:
    """Return the distinct stems of a text without those of stop words."""
    stems = frozenset(stem for stem in read_stems(text) if len(stem) > 1)
    return stems - stop_stems() - _chat_stems()


@cache
def _chat_stems() -> frozenset[str]:
    return frozenset(read_stems(CHAT_WORDS))


def name_terms(text: str) -> frozenset[str]:
    """Return the terms of the names, numbers and code of a text."""
    return content_terms(" ".join(_NAME.findall(text)))


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
