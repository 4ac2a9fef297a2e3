"""The subset of regular expressions that Python's `re` matches in linear time.

`re` tries every way to match. An expression is in the subset if the number of ways is
bounded by a small number that does not depend on the text: repetitions have limits, and
only the last part, after which nothing can fail, may repeat one character without
limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from cuedeck.model.errors import Invalid

_MOST_WORK = 10_000
"""Maximum ways to match from one position, times the characters of the longest."""
_FOREIGN = r"\(\?[a-zA-Z]*[aLux]|\(\?#|\\[uUN]|\[\[:|\{,"
"""Flags, comments, escapes, classes and limits that RE2 reads in another way."""
_ONE = frozenset(
    {_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN}
)
_AT = {
    _constants.AT_BEGINNING: "^",
    _constants.AT_BOUNDARY: r"\b",
    _constants.AT_NON_BOUNDARY: r"\B",
    _constants.AT_BEGINNING_STRING: r"\A",
}
"""Positions that mean the same in RE2."""


def compile_linear(expression: str, *, by_line: bool) -> re.Pattern[str]:
    """Compile an expression of the subset; it matches what RE2 matches.

    Raises: Invalid if it is not in the subset, with the part that is not.
    """
    foreign = re.search(_FOREIGN, expression.replace("\\\\", "  "))
    if foreign is not None:
        raise Invalid(f"`{foreign[0]}` is not in it")
    flags = re.ASCII | (re.MULTILINE if by_line else 0)
    try:
        compiled = re.compile(expression, flags)
        parts = list(_parser.parse(expression, flags))
        ways, length = _cost(parts, is_last=True, by_line=by_line)
    except (re.error, RecursionError, OverflowError) as error:
        raise Invalid(str(error)) from None
    if ways * max(length, 1) > _MOST_WORK:
        raise Invalid(
            f"it has {ways:,} ways to match {length:,} characters, the limit of both is {_MOST_WORK:,}"
        )
    return compiled


def _cost(
    parts: Sequence[tuple[Any, Any]], *, is_last: bool, by_line: bool
) -> tuple[int, int]:
    """Return the number of ways to match a sequence, and its maximum length."""
    ways, length = 1, 0
    for at, (kind, value) in enumerate(parts):
        ends = is_last and at == len(parts) - 1
        more, size = _cost_of(kind, value, is_last=ends, by_line=by_line)
        ways = min(ways * more, _MOST_WORK + 1)
        length = min(length + size, _MOST_WORK + 1)
    return ways, length


def _cost_of(kind: Any, value: Any, *, is_last: bool, by_line: bool) -> tuple[int, int]:
    if kind in _ONE:
        return 1, 1
    if kind is _constants.AT:
        if value in _AT or (by_line and value is _constants.AT_END):
            return 1, 0
        raise Invalid("the end of the text, `$` or `\\Z`, is not in it")
    if kind is _constants.SUBPATTERN:
        _, added, removed, inner = value
        if added or removed:
            raise Invalid("a group with flags is not in it")
        return _cost(list(inner), is_last=is_last, by_line=by_line)
    if kind is _constants.BRANCH:
        costs = [
            _cost(list(each), is_last=is_last, by_line=by_line) for each in value[1]
        ]
        return sum(ways for ways, _ in costs), max(length for _, length in costs)
    if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
        return _repeat(kind, value, is_last=is_last, by_line=by_line)
    raise Invalid(f"{str(kind).lower().replace('_', ' ')} is not in it")


def _repeat(kind: Any, value: Any, *, is_last: bool, by_line: bool) -> tuple[int, int]:
    least, most, inner = value
    parts = list(inner)
    is_one = len(parts) == 1 and parts[0][0] in _ONE
    if is_last and is_one and kind is _constants.MAX_REPEAT:
        # Nothing follows that could fail.
        return 1, int(least) + 1
    if most is _constants.MAXREPEAT:
        raise Invalid(
            "a repetition without limit is in it only for one character at the end"
        )
    ways, length = _cost(parts, is_last=False, by_line=by_line)
    most = min(int(most), _MOST_WORK + 1)
    repeated = min(ways**most, _MOST_WORK + 1) if ways > 1 else 1
    return repeated * (most - int(least) + 1), length * most
