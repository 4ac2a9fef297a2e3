"""Deduplication of facts by a normal form that ignores case, plural, articles and
punctuation; word order counts.

Words that carry meaning must be equal: `first Monday` is not `first Tuesday`, `runs
tests` not `never runs tests`, module 1 not module 2. The wording that is kept therefore
adds nothing to any source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from cuedeck.ledger.records.fact import MOST_SOURCES, Fact

_TOKEN = re.compile(r"-?\d(?:[\w.]*\w)?|\w+|[^\w\s]")
_LIGHT = frozenset("a an the just also really very please".split())  # noqa: SIM905
_SINGULAR_ENDINGS = ("ss", "us", "is")
_SHORT = 3
_SILENT = frozenset(".,;:!\"'`´‘’“”()[]{}*_–—-…•。、，；：！「」")


def form(text: str) -> str:
    """Return the normal form shared by texts of the same meaning; empty for a text
    without content words.
    """
    tokens = _TOKEN.findall(text.removeprefix("A "))
    return " ".join(filter(None, map(_word_form, tokens)))


@lru_cache(maxsize=50_000)
def _word_form(word: str) -> str:
    tail = word[1:]
    # A word with capitals after its first letter is a name.
    plain = word
    if tail and tail == tail.lower():
        plain = word.lower()
    if plain in _LIGHT or plain in _SILENT:
        return ""
    if not plain.strip("_"):
        return ""
    if len(plain) <= _SHORT or not plain.isalpha():
        return plain
    if plain.endswith(_SINGULAR_ENDINGS):
        return plain
    return plain.removesuffix("s")


def merge_near(facts: Iterable[Fact]) -> list[Fact]:
    """Return each fact once per sensitivity, with all its sources, in order of first
    appearance. A summary of several records is never merged with another fact.

    A fact of the long memory has no sensitivity and joins the last equal fact before
    it.
    """
    groups: dict[tuple[str, str], list[Fact]] = {}
    sensitivity_of: dict[str, str] = {}
    for at, fact in enumerate(facts):
        key = form(fact.text)
        if fact.is_joint:
            key = f"\0{at}"
        sensitivity = fact.sensitivity or sensitivity_of.get(key, "")
        sensitivity_of[key] = sensitivity
        groups.setdefault((key, sensitivity), []).append(fact)
    return [_merge(group) for group in groups.values()]


def _merge(group: Sequence[Fact]) -> Fact:
    if len(group) == 1:
        return group[0]
    # For equal days, the later position counts as newer.
    newest_first = sorted(group, key=lambda fact: fact.day)[::-1]
    marks: dict[str, None] = {}
    sensitivity = category = ""
    more = 0
    for fact in newest_first:
        marks.update(dict.fromkeys(fact.sources))
        sensitivity = sensitivity or fact.sensitivity
        category = category or fact.category
        more += fact.more
    sources = tuple(marks)
    more += len(sources[MOST_SOURCES:])
    return replace(
        newest_first[0],
        sources=sources[:MOST_SOURCES],
        more=more,
        sensitivity=sensitivity,
        category=category,
    )
