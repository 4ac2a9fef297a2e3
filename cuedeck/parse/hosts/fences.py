"""Code fences of a Markdown file, as far as they decide what is quoted."""

from __future__ import annotations

import re

from cuedeck.parse.hosts.edit import Cut

_OPENING = re.compile(r"(?:\A\ufeff?|(?<=[\r\n])) {0,3}(`{3,}(?=[^`\r\n]*(?:[\r\n]|\Z))|~{3,})[^\r\n]*")


def closed_fence(text: str, at: int, before: int) -> Cut | None:
    """Return the first fence that begins in a span and is closed, wherever; what is never closed quotes nothing."""
    opening = _OPENING.search(text, at, before)
    end = _end_of(text, opening) if opening else -1
    return Cut(opening.start(), end) if opening and end >= 0 else None


def open_fence(text: str) -> int:
    """Return where the line begins that opens a fence which is never closed; -1 without one."""
    at = 0
    while opening := _OPENING.search(text, at):
        at = _end_of(text, opening)
        if at < 0:
            return opening.start() + text.startswith("\ufeff", opening.start())
    return -1


def _end_of(text: str, opening: re.Match[str]) -> int:
    mark = opening[1]
    closing = re.compile(rf"(?<=[\r\n]) {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*(?=[\r\n]|\Z)")
    found = closing.search(text, opening.end())
    return found.end() if found else -1
