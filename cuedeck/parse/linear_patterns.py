"""Regular expressions that come from a file, compiled by RE2.

`config.toml` and `assumptions.toml` are committed, so their expressions are foreign input. RE2 searches in time linear
in the text. The module `re` backtracks, holds the interpreter while it does, and so no timeout would end it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from re2 import _Regexp as Pattern

_MOST_MEMORY = 8 << 20
"""Bytes for the states of a search. Where they do not suffice, RE2 takes a slower way, linear as well."""
_MOST_STATES = 2_000
"""Instructions of a compiled expression for which that memory suffices: 400,000 characters take at most 0.1 s."""
_KEPT = 256
_BY_LINE = "(?m)"
_SURROGATE = re.compile("[\ud800-\udfff]")
_HINT = "write it in the syntax of RE2: https://github.com/google/re2/wiki/Syntax"
_NO_ENGINE = "the package google-re2 is not installed, and nothing else may run an expression from a file"
_HUGE = re.compile(r"\{(?:[0-9]+,)?[0-9]{4,}(?<!1000)(?:,[0-9]*)?\}")
_CONSTRUCTS = (
    (r"\(\?<?[=!]", "look-around"),
    (r"\(\?>", "an atomic group"),
    (r"\(\?\(", "a conditional group"),
    (r"\(\?P=\w*", "a back reference"),
    (r"\(\?#", "a comment"),
    (r"\(\?[a-zA-Z]*[aLux]", "a flag"),
    (r"[*+?}]\+", "a possessive quantifier"),
    (r"\\[1-9][0-9]?", "a back reference"),
    (r"\\Z", "the end of the text as \\Z: write \\z"),
    (r"\\[uUN]", "an escape"),
)
"""Constructs of Python's `re` that RE2 lacks: how one is recognised in an expression that RE2 refused, and its name."""


@lru_cache(_KEPT)
def compile_pattern(expression: str, *, by_line: bool = False) -> Pattern:
    """Compile an expression; with `by_line`, `^` and `$` match at every line.

    Raises: Invalid, which names the construct that RE2 lacks.
    """
    try:
        import re2
    except ImportError:
        raise Invalid(_NO_ENGINE, hint="run: python -m pip install google-re2") from None
    if _HUGE.search(expression):  # RE2 would look for these very characters
        raise Invalid(f"`{expression}` repeats more than 1,000 times", hint=_HINT)
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
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        text = text.replace(_BY_LINE, "")
    except UnicodeEncodeError:
        text = "half of a surrogate pair"
    raise Invalid(f"`{expression}` cannot be used as a regular expression: {_named(expression, text)}", hint=_HINT)


def searchable(text: str) -> str:
    """Return a text of the same length that RE2 can read: half a surrogate pair becomes the replacement character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _named(expression: str, reason: str) -> str:
    """Return why RE2 refused an expression, with the name of the construct if it is one that `re` knows."""
    plain = re.sub(r"\\\\", "  ", expression)
    for pattern, name in _CONSTRUCTS:
        found = re.search(pattern, plain)
        # The reason quotes the place; for a repetition, an escape or an operator that is the construct itself.
        if found and (found[0][:2] in reason or (reason.startswith("bad repetition") and "+" in found[0])):
            return f"{name}, `{found[0]}`, is not supported"
    return reason
