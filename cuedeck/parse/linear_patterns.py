"""Linear-time regular expressions for patterns that come from committed files.

Patterns in `config.toml` and `assumptions.toml` are untrusted input. RE2 searches in
time linear in the text. The module `re` backtracks and holds the GIL meanwhile, so a
timeout could not interrupt it; without RE2 it runs a subset of the expressions. A
pattern matches the same with both, or is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid

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
_INSTALL = "run: python -m pip install 'cuedeck[patterns]', or write it without that"
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
    from cuedeck.parse.linear_subset import compile_linear

    try:
        return compile_linear(expression, by_line=by_line)
    except Invalid as error:
        raise Invalid(
            f"`{expression}` needs the package google-re2, because it is not in the subset that"
            f" runs without it: {error.message}",
            hint=_INSTALL,
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
