"""The comment at the head of a source file, freed of its comment marks."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_LINES = 200
MAX_COLUMNS = 1_000

_PREAMBLE = re.compile(r"#!|<\?|<!DOCTYPE\b", re.IGNORECASE)
# Opening and closing mark, and what decorates the lines between them. Ordered: `--[[` before `--`.
_BLOCKS = (
    (re.compile(r"\s*/\*+"), "*/", re.compile(r"\s*\*+(?!/)")),
    (re.compile(r"\s*<!--"), "-->", None),
    (re.compile(r"\s*--\[\["), "]]", None),
    (re.compile(r"\s*[rRuU]?\"\"\""), '"""', None),
    (re.compile(r"\s*[rRuU]?'''"), "'''", None),
)
# A `#` that begins a directive or an attribute is code.
_LINES = (
    re.compile(r"\s*#+(?!\[|!\[|\s*(?:include|define|undef|pragma|if|ifdef|ifndef|import|region|using|error|line)\b)"),
    re.compile(r"\s*//+!?"),
    re.compile(r"\s*--+"),
    re.compile(r"\s*;+"),
    re.compile(r"\s*%+"),
)


class Comment(NamedTuple):
    """One line of the header."""

    line: int
    text: str
    """What stands behind the comment mark, blanks included."""


def read_header(text: str) -> tuple[Comment, ...]:
    """Return the comment lines before the first line of code, within 200 lines; each cut at 1,000 characters."""
    rows = text.split("\n", MAX_LINES)[:MAX_LINES]
    comments: list[Comment] = []
    at = 0
    while at < len(rows):
        row = rows[at]
        after = at + 1
        if row.strip() and not _PREAMBLE.match(row):
            after = _read_block(rows, at, comments) or _read_line(rows, at, comments)
            if not after:
                break
        at = after
    return tuple(Comment(comment.line, comment.text[:MAX_COLUMNS]) for comment in comments)


def _read_block(rows: list[str], at: int, comments: list[Comment]) -> int:
    """Read a block comment that opens at rows[at]; return the index after it, 0 when there is none."""
    for opener, closer, decoration in _BLOCKS:
        match = opener.match(rows[at])
        if match is None:
            continue
        rest = rows[at][match.end() :]
        while closer not in rest:
            comments.append(Comment(at + 1, rest))
            at += 1
            if at == len(rows):
                return at
            rest = decoration.sub("", rows[at], count=1) if decoration else rows[at]
        comments.append(Comment(at + 1, rest.partition(closer)[0]))
        # Code may follow on the closing line; then the header ends there.
        return at + 1 if not rest.partition(closer)[2].strip() else len(rows)
    return 0


def _read_line(rows: list[str], at: int, comments: list[Comment]) -> int:
    for prefix in _LINES:
        if match := prefix.match(rows[at]):
            comments.append(Comment(at + 1, rows[at][match.end() :]))
            return at + 1
    return 0
