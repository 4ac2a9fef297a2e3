"""LONGMEMORY.md: blocks under `## Summary (2026-11-01 to 2026-11-20)`, and what stands before the first.

Only such a heading ends a block: texts of other programs have headings of their own in them.

Format: CursorClaw, whose headings name one day, the day of its run; it begins a file with `TITLE` and puts two empty
lines before each heading and one behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

TITLE = "# LONGMEMORY.md — Long-term summaries\n"
_SUMMARY = re.compile(r"## Summary \((\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d))?\)[ \t]*\r?")


class Part(NamedTuple):
    """A block, or prose."""

    text: str
    """As it stands in the file, with the empty lines before it."""
    first: str = ""
    """The days its heading names; empty for prose."""
    last: str = ""
    body: tuple[str, ...] = ()
    """The lines under the heading of a block, without empty ones at both ends."""


def parse_long_memory(text: str) -> tuple[Part, ...]:
    """Return the parts of a long memory; their texts joined are the file."""
    if not text:
        return ()
    lines = text.split("\n")
    starts = [_with_blanks(lines, at) for at, line in enumerate(lines) if _SUMMARY.fullmatch(line)]
    if not starts or starts[0]:
        starts.insert(0, 0)
    pieces = ["\n".join(lines[at:end]) for at, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return tuple(map(_part, [f"{each}\n" for each in pieces[:-1]] + pieces[-1:]))


def _with_blanks(lines: Sequence[str], at: int) -> int:
    """Return where the empty lines before a heading begin: they go with it."""
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
    """Return a block with the empty lines before it."""
    return f"\n\n## Summary ({first if first == last else f'{first} to {last}'})\n\n{body}\n"
