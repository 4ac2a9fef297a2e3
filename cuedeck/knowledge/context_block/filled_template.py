"""The filled-in part of a Markdown template."""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->|<!--[^\n]*", re.DOTALL)
"""A comment, or the rest of the line if the comment is not closed."""
_FIELD = re.compile(r"(\s*)[-*+] [^:\n]{1,60}:\s*")
_BLANK_LINES = re.compile(r"\n{3,}")
_HEADING = re.compile(r"(#{1,6})\s")
_REMOVED = "\0"
"""A removed comment or field."""


def filled_part(text: str) -> str:
    """Return a Markdown text without comments, empty fields such as `- Name:`, and
    headings with nothing else below them.

    A field with indented lines below it is not empty.
    """
    text = text.replace(_REMOVED, "")
    text = _COMMENT.sub(_REMOVED, text)
    lines = text.split("\n")
    for at in range(len(lines)):
        if _is_empty_field(lines, at):
            lines[at] = _REMOVED
    kept = [
        line
        for at, line in enumerate(lines)
        if not _is_empty_section(lines, at)  # the lines below decide
    ]
    filled = "\n".join(kept)
    filled = filled.replace(_REMOVED, "")
    filled = _BLANK_LINES.sub("\n\n", filled)
    return filled.strip()


def _is_empty_field(lines: Sequence[str], at: int) -> bool:
    field = _FIELD.fullmatch(lines[at])
    if field is None:
        return False
    indent = len(field[1])
    for line in lines[at + 1 :]:
        if line.strip():
            next_indent = len(line) - len(line.lstrip())
            return next_indent <= indent
    return True


def _is_empty_section(lines: Sequence[str], at: int) -> bool:
    """Return whether a line is a heading with only removed parts below it. A heading
    that was empty before counts as text.
    """
    heading = _HEADING.match(lines[at])
    if heading is None:
        return False
    level = len(heading[1])
    has_removed = False
    for number in range(at + 1, len(lines)):
        line = lines[number]
        below = _HEADING.match(line)
        if below is not None and len(below[1]) <= level:
            break
        if below is not None and _is_empty_section(lines, number):
            continue
        left = line.replace(_REMOVED, "")
        if left.strip():
            return False
        has_removed = has_removed or _REMOVED in line
    return has_removed
