"""Deduplication of facts by a normal form that ignores case, plural, articles and
punctuation; word order counts.

Words that carry meaning must be equal: `first Monday` is not `first Tuesday`, `runs
tests` not `never runs tests`, module 1 not module 2. The wording that is kept therefore
adds nothing to any source. Facts are grouped by normal form, not compared pairwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from cuedeck.ledger.records.fact import MOST_SOURCES, Fact

_TOKEN = re.compile(r"-?\d(?:[\w.]*\w)?|\w+|[^\w\s]")
_LIGHT = frozenset(["a", "an", "the", "just", "also", "really", "very", "please"])
_SINGULAR_ENDINGS = ("ss", "us", "is")
_MAX_CACHED = 200_000
_SILENT = frozenset(".,;:!\"'`´‘’“”()[]{}*_–—-…•。、，；：！「」")

_TRACED = frozenset(b"bcdfgikmqwxz0123456789")
_UNTRACED = bytes(each for each in range(256) if each not in _TRACED)
"""All bytes except digits and letters that occur neither in ignored words nor in plural
endings.
"""


class _WordForms(dict[str, str]):
    """Cache of normal forms of words; empty for ignored words."""

    def __missing__(self, word: str) -> str:
        form = _word_form(word)
        if len(self) < _MAX_CACHED:
            self[word] = form
        return form


def _word_form(word: str) -> str:
    tail = word[1:]
    # A word with capitals after its first letter is a name.
    is_ordinary = bool(tail) and tail == tail.lower()
    plain = word.lower() if is_ordinary else word
    if plain in _LIGHT or plain in _SILENT or not plain.strip("_"):
        return ""
    if len(plain) <= 3 or not plain.isalpha():
        return plain
    is_plural = plain.endswith("s") and not plain.endswith(_SINGULAR_ENDINGS)
    if is_plural:
        return plain[:-1]
    return plain


def form(text: str) -> str:
    """Return the normal form shared by texts of the same meaning; empty for a text
    without content words.
    """
    return _form(text, _WordForms())


class TextIndex:
    """Texts by key, found again in any wording with the same normal form."""

    def __init__(self) -> None:
        self._word_forms = _WordForms()
        self._by_trace: dict[bytes, dict[str, str]] = {}

    def add(self, key: str, text: str) -> None:
        """Add a text under a key; the first text of a key counts."""
        self._by_trace.setdefault(_trace(text), {}).setdefault(key, text)

    def find(self, text: str) -> str:
        """Return the key of the first text with the normal form of a text; empty
        without one.
        """
        wanted = _form(text, self._word_forms)
        for key, other in self._by_trace.get(_trace(text), {}).items():
            is_equal = bool(wanted) and _form(other, self._word_forms) == wanted
            if is_equal or text == other:
                return key
        return ""


def _form(text: str, word_forms: _WordForms) -> str:
    tokens = _TOKEN.findall(text.removeprefix("A "))
    forms = map(word_forms.__getitem__, tokens)
    return " ".join(filter(None, forms))


def _trace(text: str) -> bytes:
    """Return the characters that occur only in significant words: texts of one normal
    form have one trace.
    """
    return text.lower().encode("utf-8", "replace").translate(None, _UNTRACED)


def merge_near(facts: Iterable[Fact]) -> list[Fact]:
    """Return each fact once per sensitivity, with all its sources; order of first
    appearance.

    A fact from the long memory has no sensitivity and joins the first equal fact.
    """
    every = list(facts)
    groups = _groups(every, _comparable_forms(every))
    return [_merge(group) for group in groups]


def _comparable_forms(facts: Sequence[Fact]) -> Mapping[int, str]:
    """Return, by index, the normal forms of the facts that share their trace with
    another fact.
    """
    traces: dict[bytes, list[int]] = {}
    for index, fact in enumerate(facts):
        # A summary of several records is never merged with another fact.
        if not fact.is_joint:
            traces.setdefault(_trace(fact.text), []).append(index)
    word_forms = _WordForms()
    forms: dict[int, str] = {}
    for indexes in traces.values():
        if len(indexes) < 2:
            continue
        for index in indexes:
            forms[index] = _form(facts[index].text, word_forms)
    return forms


def _groups(facts: Sequence[Fact], forms: Mapping[int, str]) -> Iterable[list[Fact]]:
    """Return groups of equal facts; a fact without a normal form is alone."""
    groups: dict[tuple[str, str] | int, list[Fact]] = {}
    first_sensitivity: dict[str, str] = {}
    for index, form in forms.items():
        sensitivity = facts[index].sensitivity
        if sensitivity:
            first_sensitivity.setdefault(form, sensitivity)
    for index, fact in enumerate(facts):
        if index not in forms:
            groups[index] = [fact]
            continue
        form = forms[index]
        sensitivity = fact.sensitivity or first_sensitivity.get(form, "")
        groups.setdefault((form, sensitivity), []).append(fact)
    return groups.values()


def _merge(group: list[Fact]) -> Fact:
    """Return one fact for several: the newest wording with the sources of all."""
    if len(group) == 1:
        return group[0]
    # For equal days, the later position counts as newer.
    newest_first = sorted(group, key=lambda fact: fact.day_number)[::-1]
    newest = newest_first[0]
    marks = dict.fromkeys(chain.from_iterable(fact.sources for fact in newest_first))
    sources = tuple(marks)
    sessions = dict.fromkeys(chain.from_iterable(fact.sessions for fact in group))
    categorised = [fact for fact in group if fact.category]
    most_valuable = max(categorised, key=lambda fact: fact.value, default=newest)
    sensitivities = (fact.sensitivity for fact in group if fact.sensitivity)
    unnamed = len(sources[MOST_SOURCES:])
    return replace(
        newest,
        sources=sources[:MOST_SOURCES],
        more=sum(fact.more for fact in group) + unnamed,
        first=min(fact.first for fact in group),
        sensitivity=next(sensitivities, ""),
        category=most_valuable.category,
        sessions=tuple(sessions),
    )
