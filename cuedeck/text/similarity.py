"""Similarity of two texts, from 0 to 1.

Passages that are shown together are compared by the share of their stems alone
(`share_in`, `Repeats`). Where texts are merged, a text is compared as the stems of its
words; stop words do not count. The similarity is twice the number of stems that both
texts share, divided by the number of stems in both (Dice coefficient). Two texts state
different facts, and are at most `CHANGED` similar, if each has a word that the other
lacks, if their exact tokens (numbers, flags, operators, negations) differ, or if two
words changed places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.text.fold_text import normalize
from cuedeck.text.stems import CHAT_WORDS, NEGATIONS
from cuedeck.text.words import read_stems, stop_stems

if TYPE_CHECKING:
    from cuedeck.model.recall_values import Unit

DECISIONS_HEAD = "## Decisions and attempts\n\n"
"""Heading of the part of a scene with decisions."""
REPEATED = 0.8
"""A text with more than this share of its stems in another one repeats it."""
CHANGED = 0.5
"""Factor for texts with different statements."""
MAX_CHARS = 20_000
"""Longer texts are cut before they are compared."""
_EXACT = re.compile(
    r"""(?<![\w-])--?[A-Za-z][\w-]*                     # flag
    |[-+$€£¥]?\d(?:[\w.:,/-]*\w)?[%$€£¥]?               # number
    |[=!<>]=+|(?<=\w[ ])[<>](?=[ ])|&&|\|\|             # operator""",
    re.VERBOSE | re.ASCII,
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LIMITS = """
    only always except unless up down off out first last
    two three four five six seven eight nine
    antes después solo siempre excepto salvo primero último dos tres cuatro cinco seis siete
"""
"""Words that change a statement where they are added."""
_LIST = re.compile(
    r"[\w.-]+(?:, [\w.-]+)*,? (?:and|or|y|o|et|ou|und|oder|e|oraz|lub|и|или) [\w.-]+"
)
"""A list in lower case, whose items may change places."""
_MIN_REPLACED_STOP = 4
"""Shorter stop words (articles, forms of `to be`) change with inflection, and carry no
meaning if they are replaced.
"""
_PRECISION = 6
_SLACK = 1e-5
"""Tolerance for rounding."""
_CACHE_SIZE = 256


class Features(NamedTuple):
    """A text prepared for comparison."""

    plain: str
    """The text in lower case, with single spaces."""
    counts: Mapping[str, int]
    """Occurrences of each stem but stop words."""
    replaceable: Mapping[str, int]
    """Occurrences of stems, and of longer stop words. If both texts have more of some,
    something was replaced.
    """
    exact: tuple[str, ...]
    """Exact tokens, sorted; equal in texts with the same statement."""
    order: tuple[str, ...]
    """Stems that occur once, in the order of the text."""
    size: int
    """Sum of `counts`."""


@lru_cache(_CACHE_SIZE)
def prepare(text: str) -> Features:
    """Return the features of a text; those of the latest texts are cached."""
    text = _THOUSANDS.sub("", normalize(text.strip()[:MAX_CHARS]))
    lower = text.casefold()
    stems = read_stems(lower)
    in_order = read_stems(_LIST.sub(_sort_items, lower)) if ", " in lower else stems
    exact = _EXACT.findall(text)
    for stem in stems:
        if "_" in stem or stem in _exact_stems():
            exact.append(_exact_stems().get(stem, stem))
    counts = Counter(stem for stem in stems if stem not in _ignored_stems())
    replaceable = Counter(filter(_is_replaceable, stems))
    return Features(
        plain=" ".join(lower.split()),
        counts=counts,
        replaceable=replaceable,
        exact=tuple(sorted(exact)),
        order=tuple(stem for stem in in_order if replaceable[stem] == 1),
        size=counts.total(),
    )


def _sort_items(found: re.Match[str]) -> str:
    return " ".join(sorted(found[0].replace(",", "").split()))


@cache
def _exact_stems() -> Mapping[str, str]:
    """Return the exact token of each stem that is one; all negations are `not`."""
    limits = dict.fromkeys(read_stems(_LIMITS))
    negations = dict.fromkeys(read_stems(NEGATIONS), "not")
    return {stem: stem for stem in limits} | negations


@cache
def _ignored_stems() -> frozenset[str]:
    return stop_stems().union(read_stems(CHAT_WORDS))


def _is_replaceable(stem: str) -> bool:
    if stem in _exact_stems() or stem[:1].isdecimal():
        return False
    return len(stem) >= _MIN_REPLACED_STOP or stem not in _ignored_stems()


def min_shared(size: int, threshold: float) -> float:
    """Return how many stems of a text of `size` stems another text must share to reach
    the threshold.
    """
    return threshold * size / (2 - threshold) - _SLACK


def similarity(one: Features, other: Features) -> float:
    """Return the similarity of two texts; the same in both directions."""
    if one.plain == other.plain and one.exact == other.exact:
        return 1.0
    shared = sum(
        min(times, other.counts.get(stem, 0)) for stem, times in one.counts.items()
    )
    if not shared:
        return 0.0
    alike = 2 * shared / (one.size + other.size)
    return round(alike * CHANGED if _is_changed(one, other) else alike, _PRECISION)


def share_in(one: Set[str], other: Set[str]) -> float:
    """Return the share of the stems of a text that another text has; 0 without any."""
    return len(one & other) / len(one) if one else 0.0


class Repeats:
    """The stems of texts that were shown."""

    def __init__(self) -> None:
        self._seen: list[frozenset[str]] = []

    def is_repeated(self, stems: Iterable[str]) -> bool:
        """Return whether a text has no stems or one that was shown has nearly all."""
        words = frozenset(stems)
        if not words:
            return True
        return any(share_in(words, other) > REPEATED for other in self._seen)

    def add(self, stems: Iterable[str]) -> None:
        """Note a text as shown."""
        self._seen.append(frozenset(stems))

    def add_known(self, units: Iterable[Unit], known: Collection[str]) -> None:
        """Note the units whose ids are in `known` as shown."""
        for unit in units:
            if unit.id in known:
                self.add(read_stems(unit.text))

    def add_decisions(self, scene: str) -> None:
        """Note the decisions and attempts in a scene as shown, a line each."""
        section = scene.partition(DECISIONS_HEAD)[2].partition("\n## ")[0]
        for line in section.splitlines():
            if line.strip():
                self.add(read_stems(line))

    def take_new(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """Yield the units that repeat nothing shown, and note them as shown."""
        for unit in units:
            stems = read_stems(unit.text)
            if not self.is_repeated(stems):
                self.add(stems)
                yield unit


def _is_changed(one: Features, other: Features) -> bool:
    if one.exact != other.exact:
        return True
    if _has_more(one.replaceable, other.replaceable) and _has_more(
        other.replaceable, one.replaceable
    ):
        return True
    return _common(one.order, other.order) != _common(other.order, one.order)


def _has_more(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    return any(times > other.get(stem, 0) for stem, times in one.items())


def _common(one: Iterable[str], other: Iterable[str]) -> list[str]:
    known = frozenset(other)
    return [stem for stem in one if stem in known]
