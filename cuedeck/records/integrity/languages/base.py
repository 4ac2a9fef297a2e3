"""What the rule knows of a language whose words stand apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

IS = "is"
PREFER = "prefer"
USE = "use"
OWN = "own"
VALUES = frozenset(["is", "take", "cost", "call"])
"""Relations whose object is a value, of which there is one at a time."""
PLACES = frozenset(
    """
    is take cost call run live start end happen listen expire point go work born
    answer build deploy format indent install lint log name publish store write
    """.split()  # noqa: SIM905
)
"""Relations that have one place, time or means at a time; of all others there may be many beside each other."""

NOT = "¬"
"""Stands for a negation of several words."""
CONTRAST = "⊖"
"""Stands before what is turned down: `A instead of B`, `A over B`, `A, not B`."""


class Phrase(NamedTuple):
    """An expression of several words, and what stands for it."""

    hints: tuple[str, ...]
    """Pieces of which one is in every text that has the expression: most texts have none, and looking is cheap."""
    pattern: re.Pattern[str]
    by: str


def phrase(hints: str, pattern: str, by: str) -> Phrase:
    """Return an expression that is looked for whatever its case."""
    return Phrase(tuple(hints.split("|")), re.compile(pattern, re.IGNORECASE), by)


class Language(NamedTuple):
    """Words in lower case, as they are written. Whatever stands in no table is content."""

    verbs: Mapping[str, str]
    """Form of a verb -> its relation."""
    negations: frozenset[str]
    fillers: frozenset[str]
    """Words that change nothing: articles, auxiliary verbs, `now`."""
    joints: frozenset[str]
    """Words that begin a further part of the sentence: prepositions."""
    scopes: frozenset[str]
    """Joints of a part that says when and what for something holds, and is no value itself."""
    cuts: frozenset[str]
    """Words from which on a sentence gives its reason; the rest is not read."""
    doubts: frozenset[str]
    """Words that make a sentence no claim: may, was, if."""
    user: frozenset[str]
    us: frozenset[str]
    """Words for the user, and for those who work on the project."""
    vague: frozenset[str]
    """Pronouns of which nobody knows later what they stood for."""
    attributes: frozenset[str]
    """Nouns that have one value at a time: day, port, name."""
    norms: frozenset[str]
    """Words of a rule that holds from now on: always, never, prefers."""
    is_noun_first: bool = False
    """True when an adjective stands behind its noun: `réponses courtes`."""
    opposites: Mapping[str, str] = {}
    """Word -> the word that it is the negation of."""
    phrases: tuple[Phrase, ...] = ()
    """Expressions that are replaced before words are looked at."""


def words(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


def forms(text: str) -> dict[str, str]:
    """Return the words of lines `relation: form form`, each with its relation."""
    rows = (line.partition(":") for line in text.splitlines() if line.strip())
    return {form: name.strip() for name, _, listed in rows for form in listed.split()}


def replace_phrases(text: str, language: Language) -> str:
    """Return a text with each expression replaced, in the order of the table."""
    lowered = text.lower()
    for hints, pattern, by in language.phrases:
        for hint in hints:
            if hint in lowered:
                text = pattern.sub(by, text)
                lowered = text.lower()
                break
    return text
