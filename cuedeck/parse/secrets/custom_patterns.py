"""Custom secret patterns and allowed values from `config.toml`.

The file is untrusted input, so its patterns run in RE2. A pattern that cannot be
evaluated masks whole lines, so that text which it might match is never shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_lowercase, ascii_uppercase, digits

from cuedeck.model.errors import Invalid
from cuedeck.model.secret import Secret
from cuedeck.parse.linear_patterns import compile_pattern, searchable
from cuedeck.parse.secrets.formats import RULES

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


_ALNUM = ascii_lowercase + ascii_uppercase + digits
_HEX = "0123456789abcdef"
_FORMATS = (
    ("anthropic-key", "sk-ant-api03-", _ALNUM, 95),
    ("aws-key", "AKIA", ascii_uppercase + digits, 16),
    ("aws-secret", "", _ALNUM + "+/", 40),
    ("github-token", "ghp_", _ALNUM, 36),
    ("github-token", "github_pat_", _ALNUM, 82),
    ("gitlab-token", "glpat-", _ALNUM, 20),
    ("google-key", "AIza", _ALNUM, 35),
    ("huggingface-token", "hf_", _ALNUM, 34),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJ", _ALNUM, 40),
    ("npm-token", "npm_", _ALNUM, 36),
    ("openai-key", "sk-proj-", _ALNUM, 124),
    ("password", "Tr0ub4dor&", _ALNUM, 3),
    ("sendgrid-key", "SG.", _ALNUM, 66),
    ("slack-token", "xoxb-", digits, 40),
    ("stripe-key", "sk_live_", _ALNUM, 24),
)
"""(kind, prefix, alphabet of the rest, length of the rest) of formats with a structure
of their own.
"""
_BODIES = (
    *((_ALNUM, size) for size in (16, 20, 24, 28, 32, 36, 40, 43, 64, 100)),
    *((_HEX, size) for size in (32, 40, 48, 64)),
    *((ascii_uppercase + digits, size) for size in (16, 27, 58)),
)
"""Alphabet and length of the rest of a token after the prefix of its vendor."""
_STEPS = (37, 23)
"""Two values per format are generated: a pattern that matches both allows the format,
not just one value.
"""


def allowed_samples(expression: str) -> tuple[str, ...]:
    """Return the sorted kinds for which a pattern allows every sample value of a
    format.
    """
    found = set()
    for kind, prefix, alphabet, size in _formats():
        values = (prefix + _body(alphabet, size, step) for step in _STEPS)
        if all(is_allowed(value, [expression]) for value in values):
            found.add(kind)
    return tuple(sorted(found))


@cache
def _formats() -> Sequence[tuple[str, str, str, int]]:
    found = list(_FORMATS)
    found += [("secret-value", "", *body) for body in _BODIES]
    for rule in RULES:
        for prefix in rule.prefixes:
            found += [(rule.kind, prefix, *body) for body in _BODIES]
    return found


def _body(alphabet: str, size: int, step: int) -> str:
    return "".join(
        alphabet[(at * step + at // 7) % len(alphabet)] for at in range(size)
    )
