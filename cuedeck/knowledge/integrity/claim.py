"""Claims: the statement of a sentence in a form that can be compared, and the kinds of
its values.
"""

from __future__ import annotations

import re
from typing import NamedTuple

NUMBER = "number"
DAY = "day"
MONTH = "month"
PATH = "path"
OTHER = ""

_NUMBER = re.compile(
    r"[+-]?v?\d[\d.,:/-]*(?:[^\W\d_]{1,4}|%)?(?:[\w.+-]*\d)?|utc[+-]?\d*|\d+x\d+"
)
_PATH = re.compile(
    r"(?:[\w.~-]*/[\w./~@:+%?=#&-]+|[a-z][\w-]*(?:\.[a-z][\w-]*)+|https?://.*)"
)
_NUMERALS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NUMERAL_VALUES = {word: str(value) for value, word in enumerate(_NUMERALS)}
_DAY = re.compile(
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|lunes|martes|miércoles|jueves|viernes|sábado|domingo)s?"
)
_MONTH = re.compile(
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
)


def kind_of(word: str) -> str:
    """Return the kind of a lower-case word."""
    first = word[:1]
    if first.isdecimal() or (first in "+-vu" and _NUMBER.fullmatch(word)):
        return NUMBER
    if word in _NUMERAL_VALUES:
        return NUMBER
    if _DAY.fullmatch(word):
        return DAY
    if _MONTH.fullmatch(word):
        return MONTH
    if "/" not in word and "." not in word:
        return OTHER
    if _PATH.fullmatch(word):
        return PATH
    return OTHER


def numeral(word: str) -> str:
    """Return a number word in digits, any other word as it is."""
    return _NUMERAL_VALUES.get(word, word)


MAX_VALUE_WORDS = 3
"""Words in which two values may differ; more words are another topic."""

# What two values must have in common to exclude each other, in increasing order.
ANY = 0
"""Nothing: the subject has one value at a time."""
NAMES = 1
"""Both are names or values of one kind, or they share a word: `is PostgreSQL`, `is
MySQL`.
"""
ALIKE = 2
"""Both are values of one kind, a word being a kind of its own."""
SHARED = 3
"""They share a word: `light theme`, `dark theme`."""
TYPED = 4
"""Both are numbers, days, months or paths."""


class Slot(NamedTuple):
    """A place in a claim where another value contradicts it."""

    key: str
    """The rest of the claim: only slots with the same key are compared."""
    value: tuple[str, ...]
    demand: int
    is_name: bool = False


class Claim(NamedTuple):
    """The statement of one sentence."""

    subject: str
    """As written; empty if there is none."""
    frame: str
    """The statement without its negation: a claim and its negation have the same frame.
    """
    is_negative: bool
    slots: tuple[Slot, ...] = ()
    core: str = ""
    """Subject, relation and object, without circumstances; empty without an object."""
    is_bare: bool = False
    """True if it has no circumstances. A negative bare claim also denies claims with
    circumstances.
    """


def conflict(one: Slot, other: Slot) -> bool:
    """Return whether two values of slots with the same key exclude each other."""
    words, other_words = set(one.value), set(other.value)
    if words <= other_words or other_words <= words:
        return False  # the same, in another order, or one more precise than the other
    first, second = _differing(one.value, other.value)
    if max(len(first), len(second)) > MAX_VALUE_WORDS:
        return False
    kinds = _kind(first), _kind(second)
    shares = len(first) < len(one.value)
    are_names = one.is_name and other.is_name
    meets_demand = _DEMANDS[max(one.demand, other.demand)]
    return meets_demand(shares, kinds, are_names)


def _any(shares: bool, kinds: tuple[str, str], names: bool) -> bool:
    return True


def _names(shares: bool, kinds: tuple[str, str], names: bool) -> bool:
    if kinds[0] != kinds[1]:
        return False
    return names or shares or kinds[0] != OTHER


def _alike(shares: bool, kinds: tuple[str, str], names: bool) -> bool:
    return kinds[0] == kinds[1]


def _shared(shares: bool, kinds: tuple[str, str], names: bool) -> bool:
    return shares and kinds[0] == kinds[1]


def _typed(shares: bool, kinds: tuple[str, str], names: bool) -> bool:
    return kinds[0] == kinds[1] != OTHER


_DEMANDS = (_any, _names, _alike, _shared, _typed)


def _differing(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return both values without their common first and last words."""
    most = min(len(one), len(other))
    head = 0
    while head < most and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < most - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return one[head : len(one) - tail], other[head : len(other) - tail]


def _kind(words: tuple[str, ...]) -> str:
    """Return the kind of the first word that has one."""
    return next((kind for kind in map(kind_of, words) if kind), OTHER)
