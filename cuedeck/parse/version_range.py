"""Version ranges in the syntax of package manifests: `>=3.10,<4`, `^18.2 || 20.x`, `~>
1.2`, `1.21`.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Literal, NamedTuple

from cuedeck.model.errors import Invalid

Bare = Literal["exact", "caret", "minimum"]
"""Interpretation of a version without an operator: `exact` in npm and Poetry, `caret`
in Cargo, `minimum` in go.mod.
"""

_CLAUSE = re.compile(
    r"\s*,?\s*(===|==|>=|<=|~=|~>|!=|>|<|=|\^|~)?\s*v?(\d+(?:\.\d+)*)?((?:\.?[*xX])+)?([-+.\w]*)"
)
_CONSTRAINED = re.compile(
    r"(?P<name>.*?[^\s<>=!~^])\s*(?P<range>(?:[<>=!~^]=?|===).*)", re.DOTALL
)
_HYPHEN = re.compile(r"\s*(\S+)\s+-\s+(\S+)\s*")

Release = tuple[int, ...]


class Range(NamedTuple):
    """An interval of versions from `low` to `high`; `has_low` and `has_high` are True
    if the bound is included.
    """

    low: Release = ()
    has_low: bool = True
    high: Release | None = None
    has_high: bool = False

    def contains(self, other: Range) -> bool:
        """Return whether every version of `other` lies in this range."""
        low, other_low = _padded(self.low, other.low)
        if other_low < low or (other_low == low and other.has_low and not self.has_low):
            return False
        if self.high is None:
            return True
        if other.high is None:
            return False
        high, other_high = _padded(self.high, other.high)
        return other_high < high or (
            other_high == high and (self.has_high or not other.has_high)
        )


def split_constraint(text: str) -> tuple[str, str]:
    """Return the name and the version range of a constraint such as `python>=3.10`; the
    range may be empty.
    """
    found = _CONSTRAINED.fullmatch(text.strip())
    if found:
        return (found["name"], found["range"])
    return (text, "")


def is_within(declared: str, wanted: str, bare: Bare) -> bool:
    """Return whether the range `declared` in a manifest lies inside the range `wanted`.

    Raises: Invalid if one of them is not a version range.
    """
    accepted = read_ranges(wanted)
    return all(
        _is_covered(alternative, accepted)
        for alternative in read_ranges(declared, bare)
    )


def _is_covered(wanted: Range, accepted: list[Range]) -> bool:
    return any(each.contains(wanted) for each in accepted)


def read_ranges(text: str, bare: Bare = "exact") -> list[Range]:
    """Return the alternatives of a version range. `!=` clauses are ignored, because
    they exclude single versions only.

    Raises: Invalid if the text is not a version range.
    """
    return [_read_range(part, bare) for part in text.split("||")]


def _read_range(text: str, bare: Bare) -> Range:
    rest = text.strip()
    hyphen = _HYPHEN.fullmatch(text)
    if hyphen:
        rest = f">={hyphen[1]} <={hyphen[2]}"
    found = Range()
    while rest:
        clause = _CLAUSE.match(rest)
        if clause is None or not (clause[2] or clause[3]):
            raise Invalid(
                f"`{text.strip()}` is not a version range",
                hint="write a range such as >=3.10 or >=3.10,<4",
            )
        rest = rest[clause.end() :].strip()
        numbers = clause[2].split(".") if clause[2] else ()
        release = tuple(map(int, numbers))
        is_wild = bool(clause[3])
        operator = clause[1] or _bare_operator(release, is_wild, bare)
        found = _narrowed(found, _clause_range(operator, release, is_wild))
    return found


def _bare_operator(release: Release, is_wild: bool, bare: Bare) -> str:
    """Return the operator that a version without one implies."""
    if bare == "minimum":
        return ">="
    if bare == "caret" and not is_wild:
        return "^"
    # In npm a version of fewer than three parts matches all versions with its prefix.
    return "=*" if len(release) < 3 else "="


def _clause_range(operator: str, release: Release, is_wild: bool) -> Range:
    """Return the range of one clause, given its operator and the numbers of its
    version.
    """
    if not release or operator == "!=":
        return Range()
    if operator == ">=":
        return Range(release)
    if operator == ">":
        return Range(release, has_low=False)
    if operator in ("<", "<="):
        return Range(high=release, has_high=operator == "<=")
    same = _same_parts(operator, release, is_wild)
    if same:
        return Range(release, high=_next(release[:same]))
    return Range(release, high=release, has_high=True)


def _same_parts(operator: str, release: Release, is_wild: bool) -> int:
    """Return how many parts of the version a matching version shares, with the last one
    as a minimum.

    Zero for an exact version.
    """
    if operator == "^":
        zeros = len(list(takewhile(lambda number: number == 0, release)))
        return min(zeros + 1, len(release))
    if operator in ("~=", "~>"):
        return max(len(release) - 1, 1)
    if operator == "~":
        return min(2, len(release))
    if is_wild or operator == "=*":
        return len(release)
    return 0


def _narrowed(one: Range, other: Range) -> Range:
    """Return the intersection of two ranges."""
    low, other_low = _padded(one.low, other.low)
    lower = one
    if other_low > low or (other_low == low and not other.has_low):
        lower = other
    upper = one
    if other.high is not None and (one.high is None or _is_before(other, one)):
        upper = other
    return Range(lower.low, lower.has_low, upper.high, upper.has_high)


def _is_before(one: Range, other: Range) -> bool:
    high, other_high = _padded(one.high or (), other.high or ())
    if high < other_high:
        return True
    return high == other_high and not one.has_high


def _next(release: Release) -> Release:
    return (*release[:-1], release[-1] + 1)


def _padded(one: Release, other: Release) -> tuple[Release, Release]:
    """Return both releases padded with zeros to equal length: 3.10 equals 3.10.0."""
    missing = len(other) - len(one)
    # A tuple times a negative number is empty.
    padded_one = one + (0,) * missing
    padded_other = other + (0,) * -missing
    return padded_one, padded_other
