"""A question as the words that are looked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cuedeck.parse.words import terms, word_terms

LONGEST = 1_000
"""Characters of a question that are looked at."""


class Question(NamedTuple):
    """What is asked."""

    text: str
    """As it was asked, without blanks around it."""
    weights: Mapping[str, float]
    """By term, in the order of the question."""
    shown: Mapping[str, str]
    """For each term the word of the question that it comes from."""

    def said(self, found: Iterable[str]) -> str:
        """Return the words that some terms come from, quoted. Order: of the question."""
        known = set(found)
        words = dict.fromkeys(word for term, word in self.shown.items() if term in known)
        return ", ".join(f"`{word}`" for word in words)


def read_question(text: str) -> Question:
    """Return what a text asks for."""
    text = text.strip()
    shown: dict[str, str] = {}
    for word in text[:LONGEST].split():
        for term in terms(word):
            shown.setdefault(term, word.strip("`'\"()[]{}<>,;:!?"))
    return Question(text, dict.fromkeys(shown, 1.0), shown)


def name_terms(name: str) -> frozenset[str]:
    """Return the terms of a name, be it an identifier, a heading or a path."""
    return frozenset(terms(name.replace("-", " ")).keys() | set(word_terms(name)))
