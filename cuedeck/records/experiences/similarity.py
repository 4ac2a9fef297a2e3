"""How much two texts say the same.

In plain words: a text is what is left of it without case, accents, punctuation, small words, fillers and politeness,
each word by its stem. Two texts are as alike as the share of this that both have. But where each has something the
other has not, where one has a number, a name, a piece of code, a weekday, a colour or a negation more, or where two
things changed places, something else is said: then they are at most half alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from cuedeck.records.experiences.analyzer import KANA, LONGEST, NAME, SIGN, TELLING, WORD, read_said
from cuedeck.records.experiences.case_sensitive import is_recased
from cuedeck.records.experiences.normalization import even

CHANGED = 0.5
"""What is left of the likeness of texts of which one says something else."""
_WEIGHTS = {WORD: 2, NAME: 2, TELLING: 2, SIGN: 1, KANA: 2}
"""A Chinese character is about half a word."""
_LEAST_SHARED = (4, 2)
"""Letters that two forms of a word share at least; of a word in hiragana."""
_BENDING = (WORD, KANA)
_ENDING_WORDS = "a e i o u y s z n es en em er om ow ja ne in ie а е и о у ы ю я ь й в т л ва ша ен ов ет ит"
_ENDINGS = frozenset(_ENDING_WORDS.split())
"""What one form of a word may have more than another, as far as stems still have it."""
_TURN_WORDS = "y/i f/v t/v t/s t/c k/c k/cz g/z g/dz d/dz r/rz c/z g/j к/ч г/ж д/ж т/ч с/ш з/ж х/ш"
_TURNS = frozenset(tuple(pair.split("/")) for pair in _TURN_WORDS.split())
"""Last consonants of a stem that turn into each other where the word bends: `écrit`, `écrivent`."""
_SHARED = 0.7
"""Part of the longer of two forms of a word that both begin with."""
_MOST_CROSSED = 80
"""Tokens of a text in which every one of them may stand between things that changed places."""
_GRAIN = 1e-6


class Features(NamedTuple):
    """A text prepared for comparison."""

    plain: str
    """Without case, one blank for each stretch of white space."""
    counts: Mapping[str, int]
    kinds: Mapping[str, int]
    order: tuple[str, ...]
    marks: tuple[tuple[str, int], ...]
    is_list: bool
    weight: int
    even: str
    """The text, which still has its case."""
    telling: tuple[str, ...]
    """What changes a text wherever it is added, sorted: texts that say the same have the same of it."""


def prepare(text: str) -> Features:
    """Return the features of a text."""
    said = read_said(text)
    order = tuple(token.form for token in said.tokens)
    kinds: dict[str, int] = {}
    for token in said.tokens:
        # A word is a name only where it always has its capital.
        kinds[token.form] = min(kinds.get(token.form, token.kind), token.kind)
    counts = Counter(order)
    telling = sorted(token.form for token in said.tokens if token.kind == TELLING)
    weight = sum(_WEIGHTS[token.kind] for token in said.tokens)
    written = even(text[:LONGEST])
    plain = " ".join(written.casefold().split())
    return Features(plain, counts, kinds, order, said.marks, said.is_list, weight, written, tuple(telling))


def beginnings(features: Features, *, telling: bool) -> dict[str, int]:
    """Return the weight of what a text has, by how it begins: one word in two forms begins alike.

    `telling` says whether what changes a text counts as well.
    """
    found: dict[str, int] = {}
    for form, times in features.counts.items():
        kind = features.kinds[form]
        if kind != TELLING or telling:
            key = form if kind == TELLING else form[: _LEAST_SHARED[kind == KANA]]
            found[key] = found.get(key, 0) + times * _WEIGHTS[kind]
    return found


def similarity(one: Features, other: Features) -> float:
    """Return how much two texts say the same, from 0 to 1; the same both ways."""
    if one.plain == other.plain and one.telling == other.telling and not is_recased(one.even, other.even):
        return 1.0
    if not one.weight or not other.weight:
        return 0.0
    if (one.plain, one.even) > (other.plain, other.even):
        one, other = other, one
    left = _beyond(one, other)
    right = _beyond(other, one)
    shared = one.weight - _weight(left, one)
    if left and right:
        shared += _reconcile(left, one, right, other)
    alike = shared / (shared + _weight(left, one) + _weight(right, other))
    is_changed = bool(left and right) or _tells(left, one) or _tells(right, other) or _is_crossed(one, other)
    is_changed = is_changed or is_recased(one.even, other.even)
    return round((alike * CHANGED if is_changed else alike) / _GRAIN) * _GRAIN


def _beyond(one: Features, other: Features) -> dict[str, int]:
    """Return what one text has more than the other."""
    found: dict[str, int] = {}
    for form, times in one.counts.items():
        more = times - other.counts.get(form, 0)
        if more > 0:
            found[form] = more
    return found


def _weight(forms: Mapping[str, int], features: Features) -> int:
    return sum(_WEIGHTS[features.kinds[form]] * times for form, times in forms.items())


def _tells(forms: Mapping[str, int], features: Features) -> bool:
    return any(features.kinds[form] in (TELLING, NAME) for form in forms)


def _reconcile(left: dict[str, int], one: Features, right: dict[str, int], other: Features) -> int:
    """Take away from both sides what is one word in two forms; return the weight of that."""
    begun: dict[tuple[int, str], list[str]] = {}
    for form in sorted(right):
        kind = other.kinds[form]
        if kind in _BENDING:
            begun.setdefault((kind, form[: _LEAST_SHARED[kind == KANA]]), []).append(form)
    total = 0
    for form in sorted(left):
        kind = one.kinds[form]
        for near in begun.get((kind, form[: _LEAST_SHARED[kind == KANA]]), ()):
            if near in right and is_one_word(form, near, kind):
                times = min(left[form], right[near])
                total += times * _WEIGHTS[kind]
                _take(left, form, times)
                _take(right, near, times)
                break
    return total


def _take(forms: dict[str, int], form: str, times: int) -> None:
    forms[form] -= times
    if not forms[form]:
        del forms[form]


def is_one_word(one: str, other: str, kind: int) -> bool:
    """Tell whether two stems are of one word that bends within.

    They begin alike and one of them has an ending more, or their last consonants are two that turn into each other.
    """
    short, long = sorted((one, other), key=len)
    shared = 0
    while shared < len(short) and short[shared] == long[shared]:
        shared += 1
    if kind == KANA:
        return shared >= _LEAST_SHARED[True] and len(long) - shared <= 1
    if shared < _LEAST_SHARED[False] or shared < _SHARED * len(long):
        return False
    tails = (short[shared:], long[shared:])
    return tails[1] in _ENDINGS if not tails[0] else tails in _TURNS or tails[::-1] in _TURNS


def _is_crossed(one: Features, other: Features) -> bool:
    """Tell whether two things changed places around a third: `a over b`, `b over a`."""
    if one.order == other.order:
        return False
    places = _places(one)
    for mark, at in _places(other).items():
        if mark in places and _cross(one.order, places[mark], other.order, at):
            return True
    return False


def _places(features: Features) -> dict[tuple[str, int], int]:
    """Return where things may not cross: at words that set sides; in a text that lists nothing at every word."""
    found: dict[tuple[str, int], int] = {}
    seen: Counter[str] = Counter()
    for mark, at in features.marks:
        found[mark, seen[mark]] = at
        seen[mark] += 1
    if not features.is_list and len(features.order) <= _MOST_CROSSED:
        for at, form in enumerate(features.order):
            if features.counts[form] == 1:
                found.setdefault((form, -1), at)
    return found


def _cross(one: tuple[str, ...], at: int, other: tuple[str, ...], there: int) -> bool:
    before, after = set(one[:at]), set(one[at:])
    return (
        not before.isdisjoint(other[there:])
        and any(form in after and form not in before for form in other[:there])
        and any(form in before and form not in after for form in other[there:])
    )
