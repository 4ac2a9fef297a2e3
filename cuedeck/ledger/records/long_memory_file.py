"""Parser of LONGMEMORY.md: summary blocks under `## Summary (2026-11-01 to
2026-11-20)`, and prose before the first.

Only such a heading ends a block, because a summary may contain other headings.

Format: that of CursorClaw, whose headings name one day (the day of its run). A file
begins with `TITLE`; each heading has two empty lines before it and one after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

TITLE = "# LONGMEMORY.md — Long-term summaries\n"
_SUMMARY = re.compile(
    r"## Summary \((\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d))?\)[ \t]*\r?"
)


class Part(NamedTuple):
    """A summary block, or prose."""

    text: str
    """The text as in the file, including the empty lines before it."""
    first: str = ""
    """The first and last day in the heading; empty for prose."""
    last: str = ""
    body: tuple[str, ...] = ()
    """The lines below the heading, without leading and trailing empty lines; empty for
    prose.
    """


def parse_long_memory(text: str) -> tuple[Part, ...]:
    """Parse LONGMEMORY.md; the joined texts of the parts reproduce the file."""
    if not text:
        return ()
    lines = text.split("\n")
    starts = [
        _with_blanks(lines, at)
        for at, line in enumerate(lines)
        if _SUMMARY.fullmatch(line)
    ]
    if not starts or starts[0]:
        starts.insert(0, 0)
    parts = []
    for start, end in pairwise(starts):
        block = "\n".join(lines[start:end])
        parts.append(_part(f"{block}\n"))
    parts.append(_part("\n".join(lines[starts[-1] :])))
    return tuple(parts)


def _with_blanks(lines: Sequence[str], at: int) -> int:
    """Return the index of the first of the empty lines before a heading; they belong to
    its block.
    """
    while at and not lines[at - 1].strip():
        at -= 1
    return at


def _part(text: str) -> Part:
    lines = text.lstrip("\r\n").split("\n")
    head = _SUMMARY.fullmatch(lines[0])
    if head is None:
        return Part(text)
    body = [line.rstrip("\r") for line in lines[1:]]
    while body and not body[0].strip():
        body.pop(0)
    while body and not body[-1].strip():
        body.pop()
    return Part(text, head[1], head[2] or head[1], tuple(body))


def format_block(first: str, last: str, body: str) -> str:
    """Return the text of a summary block, with the empty lines before it."""
    days = first if first == last else f"{first} to {last}"
    return f"\n\n## Summary ({days})\n\n{body}\n"
