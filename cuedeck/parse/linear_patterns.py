"""Linear-time regular expressions for patterns that come from committed files.

Patterns in `config.toml` and `assumptions.toml` are untrusted input. RE2 searches in
time linear in the text. The module `re` backtracks and holds the GIL meanwhile, so a
timeout could not interrupt it; without RE2 it runs a subset of the expressions. A
pattern matches the same with both, or is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import Invalid, install_hint

if TYPE_CHECKING:
    from typing import TypeAlias

    from re2 import _Regexp

    Pattern: TypeAlias = "_Regexp | re.Pattern[str]"

_MOST_MEMORY = 8 << 20
"""Memory limit of RE2 for the states of a search, in bytes. Above it RE2 uses a slower
algorithm, also linear.
"""
_MOST_STATES = 2_000
"""Maximum instructions of a compiled pattern; up to it that memory suffices: 400,000
characters in at most 0.1 s.
"""
_KEPT = 256
_BY_LINE = "(?m)"
_SURROGATE = re.compile("[\ud800-\udfff]")
_HINT = "write it in the syntax of RE2: https://github.com/google/re2/wiki/Syntax"
_HUGE = re.compile(r"\{(?:[0-9]+,)?[0-9]{4,}(?<!1000)(?:,[0-9]*)?\}")


@lru_cache(_KEPT)
def compile_pattern(expression: str, *, by_line: bool = False) -> Pattern:
    """Compile a pattern with RE2; with `by_line`, `^` and `$` match at every line.

    Raises: Invalid if RE2 rejects the pattern or the pattern is too large; without RE2,
    if it is not in the subset that `re` matches in linear time.
    """
    if _HUGE.search(expression):  # RE2 would match these characters literally
        raise Invalid(f"`{expression}` repeats more than 1,000 times", hint=_HINT)
    try:
        import re2
    except ImportError:
        return _compile_linear(expression, by_line)
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    try:
        pattern = re2.compile(_BY_LINE + expression if by_line else expression, options)
        if pattern.programsize <= _MOST_STATES:
            return pattern
        text = f"it compiles to {pattern.programsize:,} states, the limit is {_MOST_STATES:,}"
    except re2.error as error:
        reason = error.args[0]
        text = (
            reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        )
        text = str(text).replace(_BY_LINE, "")
    except UnicodeEncodeError:
        text = "half of a surrogate pair"
    problem = f"`{expression}` cannot be used as a regular expression: {text}"
    raise Invalid(problem, hint=_HINT)


def _compile_linear(expression: str, by_line: bool) -> Pattern:
    try:
        return compile_linear(expression, by_line=by_line)
    except Invalid as error:
        raise Invalid(
            f"`{expression}` needs the package google-re2, because it is not in the subset that"
            f" runs without it: {error.message}",
            hint=f"write it without that, or {install_hint('patterns')}",
        ) from None


def searchable(text: str) -> str:
    """Return the text with lone surrogates replaced by U+FFFD, because RE2 needs valid
    Unicode. The length is kept.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


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
