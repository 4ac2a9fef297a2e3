"""Words in a text that may begin an import; the syntax tree then tells whether they do."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ANY = re.compile(rb".*")
MAX_WORDS = 5_000
"""Looked up in one file; each costs a walk down the tree."""


def find_words(data: bytes, words: tuple[bytes, ...], lead: re.Pattern[bytes] = _ANY) -> Iterator[tuple[int, int]]:
    """Yield the half-open ranges of words that do not begin their line; `lead` fits what stands before them."""
    for word in words:
        at = data.find(word)
        for _ in range(MAX_WORDS):
            if at < 0:
                break
            start = data.rfind(b"\n", 0, at) + 1
            if at > start and lead.fullmatch(data, start, at):
                yield at, at + len(word)
            at = data.find(word, at + len(word))
