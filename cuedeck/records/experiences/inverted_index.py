"""Texts by how their words begin, and which of them have most of the words of another.

A beginning that few texts have is a list of these, one that many have a number with a bit for each text: where all
texts are made of the same few words, lists would hold most of them, and a step over all bits at once costs next to
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import NamedTuple

from cuedeck.records.experiences.similarity import Features

SLACK = 1e-5
"""Below a bound that is computed another way than the similarity itself."""
_LISTED = 16
"""Texts up to which it is cheaper to look at each."""
_LONGEST_LIST, _SHARE = 64, 128
"""Texts that have a beginning, from which on it is common; or one of so many of all, if that is more."""
_FEW = 16
"""Texts left, from which on it is cheaper to look at each than to take further steps."""
_MOST_STEPS = 500


class Member(NamedTuple):
    """A text that is known."""

    id: str
    features: Features
    keys: frozenset[str]
    """How what it has begins."""


class _Wanted(NamedTuple):
    """What is looked for."""

    weight: int
    keys: Mapping[str, int]
    least: float
    most: float
    """Weights of the texts that may be alike."""


class Postings:
    """Texts by how their words begin."""

    def __init__(self, *, is_nested: bool) -> None:
        self._is_nested = is_nested
        """Whether one of two texts that are alike has all beginnings of the other, and weighs more if it has more."""
        self._members: list[Member] = []
        self._rare: dict[str, list[int]] = {}
        self._common: dict[str, int] = {}
        self._by_weight: dict[int, int] = {}

    def add(self, member: Member) -> None:
        """Take note of a text."""
        self._members.append(member)
        if len(self._members) == _LISTED:
            for at, each in enumerate(self._members):
                self._index(at, each)
        elif len(self._members) > _LISTED:
            self._index(len(self._members) - 1, member)

    def near(self, weight: int, keys: Mapping[str, int], threshold: float) -> Iterator[Member]:
        """Yield all texts, each once, that may be as like one as the threshold.

        Of that one all weighs `weight`, and what begins like one of `keys` what stands there.
        """
        wanted = _Wanted(
            weight, keys, threshold * weight - SLACK, weight / threshold + SLACK if threshold else float("inf")
        )
        is_indexed = len(self._members) >= _LISTED
        names = frozenset(keys)
        for each in map(self._members.__getitem__, self._having(wanted)) if is_indexed else self._members:
            is_fit = wanted.least <= each.features.weight <= wanted.most
            if is_fit and (not self._is_nested or names <= each.keys or each.keys <= names):
                yield each

    def _index(self, at: int, member: Member) -> None:
        bit = 1 << at
        weight = member.features.weight
        self._by_weight[weight] = self._by_weight.get(weight, 0) | bit
        for key in member.keys:
            if key in self._common:
                self._common[key] |= bit
                continue
            places = self._rare.setdefault(key, [])
            places.append(at)
            if len(places) > max(_LONGEST_LIST, at // _SHARE):
                self._common[key] = sum(1 << place for place in self._rare.pop(key))

    def _having(self, wanted: _Wanted) -> Iterator[int]:
        """Yield the places of the texts that do not lack too much.

        One that does not has one of any words that weigh more; if none of the rare ones, the more of the common ones.
        """
        rare = sorted((len(self._rare.get(key, ())), key) for key in wanted.keys if key not in self._common)
        seen: set[int] = set()
        left = wanted.weight
        for _, key in rare:
            if left < wanted.least:
                return
            places = self._rare.get(key, ())
            yield from (at for at in places if at not in seen)
            seen.update(places)
            left -= wanted.keys[key]
        if left >= wanted.least:
            yield from (at for at in _places(self._left_over(wanted, left)) if at not in seen)

    def _left_over(self, wanted: _Wanted, left: int) -> int:
        """Return the bits of the texts that do not lack too much of what is common, beside all that is rare.

        `left` is the weight of what they may still have.
        """
        fit = {each: bits for each, bits in self._by_weight.items() if wanted.least <= each <= wanted.most}
        lacking = _union(bits for each, bits in fit.items() if each < wanted.weight or not self._is_nested)
        levels = {left: lacking if left < wanted.weight else _union(fit.values())}
        common = sorted((self._common[key].bit_count(), key) for key in wanted.keys if key in self._common)
        steps = 0
        for _, key in common:
            having, cost = self._common[key], wanted.keys[key]
            following: dict[int, int] = {}
            for here, texts in levels.items():
                both = texts & having
                following[here] = following.get(here, 0) | both
                if here - cost >= wanted.least:
                    following[here - cost] = following.get(here - cost, 0) | ((texts ^ both) & lacking)
            levels = {here: texts for here, texts in following.items() if texts}
            steps += len(levels)
            if steps > _MOST_STEPS or sum(map(int.bit_count, levels.values())) <= _FEW:
                break
        return _union(levels.values())


def _union(each: Iterable[int]) -> int:
    return reduce(or_, each, 0)


def _places(bits: int) -> Iterator[int]:
    """Yield the places of the bits that are set."""
    while bits:
        last = bits & -bits
        yield last.bit_length() - 1
        bits ^= last
