"""Custom secret patterns and allowed values from `config.toml`.

The file is untrusted input, so its patterns run in RE2. A pattern that cannot be
evaluated masks whole lines, so that text which it might match is never shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.model.errors import Invalid
from cuedeck.model.secret import Secret
from cuedeck.parse.linear_patterns import compile_pattern, searchable

_MOST_WORK = 1_000_000_000
"""Limit of matches per pattern times characters of the text: at worst, each search
reads to the end of the text.
"""
_LEAST_MATCHES = 1_000
_LINE = re.compile(r"[^\r\n]*[^\s][^\r\n]*")


def find_custom(text: str, patterns: Sequence[tuple[str, str]]) -> Iterator[Secret]:
    """Yield the matches of each (kind, pattern): the group `secret` if there is one,
    else the whole match.

    After the maximum number of matches of a pattern, the rest of the text is masked
    line by line.
    """
    readable = searchable(text)
    most = max(_LEAST_MATCHES, _MOST_WORK // (len(text) or 1))
    for kind, expression in patterns:
        try:
            pattern = compile_pattern(expression, by_line=True)
        except Invalid:
            yield from _lines(kind, text, 0)
            continue
        group = pattern.groupindex.get("secret", 0)
        for number, match in enumerate(pattern.finditer(readable)):
            if number == most:
                yield from _lines(kind, text, match.start())
                break
            start, end = match.span(group)
            if start < 0:
                start, end = match.span()
            if start < end:
                yield Secret(start, end, kind)


def is_allowed(value: str, expressions: Sequence[str]) -> bool:
    """Return whether a value fully matches one of the patterns. A pattern that cannot
    be evaluated allows nothing.
    """
    for expression in expressions:
        try:
            if compile_pattern(expression).fullmatch(searchable(value)):
                return True
        except Invalid:
            continue
    return False


def _lines(kind: str, text: str, start: int) -> Iterator[Secret]:
    """Yield every non-blank line from the line that contains `start` to the end of the
    text.
    """
    newline = text.rfind("\n", 0, start)
    carriage_return = text.rfind("\r", 0, start)
    begin = max(newline, carriage_return) + 1
    for line in _LINE.finditer(text, begin):
        yield Secret(line.start(), line.end(), kind)
