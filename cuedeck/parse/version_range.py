"""Version ranges in the syntax of package manifests: `>=3.10,<4`, `^18.2 || 20.x`, `~>
1.2`, `1.21`.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Literal

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

Bound = tuple[tuple[float, ...], bool]
"""A release without zeros at its end, and whether the bound is just above it: as the
low end, True excludes the release; as the high end, True includes it.
"""
Range = tuple[Bound, Bound]
_EVERY: Range = ((), False), ((float("inf"),), False)


def split_constraint(text: str) -> tuple[str, str]:
    """Return the name and the version range of a constraint such as `python>=3.10`; the
    range may be empty.
    """
    found = _CONSTRAINED.fullmatch(text.strip())
    return (found["name"], found["range"]) if found else (text, "")


def is_within(declared: str, wanted: str, bare: Bare) -> bool:
    """Return whether the range `declared` in a manifest lies inside the range `wanted`.

    Raises: Invalid if one of them is not a version range.
    """
    accepted = read_ranges(wanted)
    return all(
        any(low <= each[0] and each[1] <= high for low, high in accepted)
        for each in read_ranges(declared, bare)
    )


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
    low, high = _EVERY
    while rest:
        clause = _CLAUSE.match(rest)
        if clause is None or not (clause[2] or clause[3]):
            problem = f"`{text.strip()}` is not a version range"
            raise Invalid(problem, hint="write a range such as >=3.10 or >=3.10,<4")
        rest = rest[clause.end() :].strip()
        release = tuple(map(int, clause[2].split("."))) if clause[2] else ()
        is_wild = bool(clause[3])
        operator = clause[1] or _bare_operator(release, is_wild, bare)
        if is_wild and not operator.strip("="):
            operator = "=*"
        clause_low, clause_high = _clause_range(operator, release)
        low = max(low, clause_low)
        high = min(high, clause_high)
    return low, high


def _bare_operator(release: tuple[int, ...], is_wild: bool, bare: Bare) -> str:
    if bare == "minimum":
        return ">="
    if bare == "caret" and not is_wild:
        return "^"
    # In npm a version of fewer than three parts matches all versions with its prefix.
    return "=*" if len(release) < 3 else "="


def _clause_range(operator: str, release: tuple[int, ...]) -> Range:
    lowest, highest = _EVERY
    if not release or operator == "!=":
        return _EVERY
    if operator in (">=", ">"):
        return (_stripped(release), operator == ">"), highest
    if operator in ("<", "<="):
        return lowest, (_stripped(release), operator == "<=")
    same = _same_parts(operator, release)
    if not same:
        return (_stripped(release), False), (_stripped(release), True)
    following = (*release[: same - 1], release[same - 1] + 1)
    return (_stripped(release), False), (_stripped(following), False)


def _same_parts(operator: str, release: tuple[int, ...]) -> int:
    """Return how many parts of the version a matching version shares, with the last one
    as a minimum; 0 for an exact version.
    """
    if operator == "^":
        zeros = len(list(takewhile(lambda number: number == 0, release)))
        return min(zeros + 1, len(release))
    if operator in ("~=", "~>"):
        return max(len(release) - 1, 1)
    if operator == "~":
        return min(2, len(release))
    return len(release) if operator == "=*" else 0


def _stripped(release: tuple[int, ...]) -> tuple[int, ...]:
    """Return a release without zeros at its end: 3.10 equals 3.10.0."""
    while release and not release[-1]:
        release = release[:-1]
    return release
