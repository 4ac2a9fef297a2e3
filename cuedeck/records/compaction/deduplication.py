"""Deduplication of facts by a normal form that ignores case, plural, articles and punctuation; word order counts.

Words that carry meaning must be equal: `first Monday` is not `first Tuesday`, `runs tests` not `never runs tests`,
module 1 not module 2. The wording that is kept therefore adds nothing to any source. Facts are grouped by normal form,
not compared pairwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cuedeck.records.compaction.fact import MOST_SOURCES, Fact

_TOKEN = re.compile(r"-?\d(?:[\w.]*\w)?|\w+|[^\w\s]")
_LIGHT = frozenset(["a", "an", "the", "just", "also", "really", "very", "please"])
_SILENT = frozenset(".,;:!\"'`´‘’“”()[]{}*_–—-…•。、，；：！「」")

_TRACED = frozenset(b"bcdfgikmqwxz0123456789")
_UNTRACED = bytes(each for each in range(256) if each not in _TRACED)
"""All bytes except digits and letters that occur neither in ignored words nor in plural endings."""


class _Words(dict[str, str]):
    """Cache of normal forms of words; empty for ignored words."""

    def __missing__(self, word: str) -> str:
        # A word with capitals after its first letter is a name.
        plain = word.lower() if len(word) > 1 and word[1:] == word[1:].lower() else word
        if plain in _LIGHT or plain in _SILENT or not plain.strip("_"):
            plain = ""
        elif len(plain) > 3 and plain.isalpha() and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
            plain = plain[:-1]
        if len(self) < 200_000:
            self[word] = plain
        return plain


def form(text: str) -> str:
    """Return the normal form shared by texts of the same meaning; empty for a text without content words."""
    return _form(text, _Words())


def _form(text: str, words: _Words) -> str:
    return " ".join(filter(None, map(words.__getitem__, _TOKEN.findall(text.removeprefix("A ")))))


def _trace(text: str) -> bytes:
    """Return the characters that occur only in significant words: texts of one normal form have one trace."""
    return text.lower().encode("utf-8", "replace").translate(None, _UNTRACED)


def merge_near(facts: Iterable[Fact]) -> list[Fact]:
    """Return each fact once per sensitivity, with all its sources; order of first appearance.

    A fact from the long memory has no sensitivity and joins the first equal fact.
    """
    every = list(facts)
    traces: dict[bytes, list[int]] = {}
    for at, fact in enumerate(every):
        if not fact.is_joint:  # a summary of several records is never merged with another fact
            traces.setdefault(_trace(fact.text), []).append(at)
    words = _Words()
    forms = {at: _form(every[at].text, words) for near in traces.values() if len(near) > 1 for at in near}
    return [group[0] if len(group) == 1 else _one(group) for group in _groups(every, forms)]


def _groups(facts: Sequence[Fact], forms: Mapping[int, str]) -> Iterable[list[Fact]]:
    """Return groups of equal facts; a fact without a normal form is alone."""
    groups: dict[tuple[str, str] | int, list[Fact]] = {}
    homes: dict[str, tuple[str, str]] = {}
    for at, fact in enumerate(facts):
        if at in forms and fact.sensitivity:
            homes.setdefault(forms[at], (forms[at], fact.sensitivity))
    for at, fact in enumerate(facts):
        if at not in forms:
            groups[at] = [fact]
        else:
            key = (forms[at], fact.sensitivity) if fact.sensitivity else homes.get(forms[at], (forms[at], ""))
            groups.setdefault(key, []).append(fact)
    return groups.values()


def _place(each: tuple[str, int, Fact]) -> tuple[int, int]:
    return -int(each[0].replace("-", "")), -each[1]


def _one(facts: list[Fact]) -> Fact:
    """Return one fact for several: the newest wording with the sources of all."""
    # For equal days, the later position counts as newer.
    newest_first = [fact for _, _, fact in sorted(((fact.last, at, fact) for at, fact in enumerate(facts)), key=_place)]
    sources = tuple(dict.fromkeys(mark for fact in newest_first for mark in fact.sources))
    return replace(
        newest_first[0],
        sources=sources[:MOST_SOURCES],
        more=sum(fact.more for fact in facts) + len(sources[MOST_SOURCES:]),
        first=min(fact.first for fact in facts),
        last=newest_first[0].last,
        sensitivity=next((fact.sensitivity for fact in facts if fact.sensitivity), ""),
        category=max((fact for fact in facts if fact.category), key=lambda fact: fact.value, default=facts[0]).category,
        sessions=tuple(dict.fromkeys(name for fact in facts for name in fact.sessions)),
    )
