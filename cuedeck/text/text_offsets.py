"""Line and offset arithmetic for text with `\\n`, `\\r\\n` or `\\r` newlines. `at` is a
character offset.
"""

from __future__ import annotations

import re

from cuedeck.model.errors import Invalid

NEWLINE = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def line_number(text: str, at: int) -> int:
    """Return the 1-based number of the line that contains `at`."""
    return len(NEWLINE.findall(text, 0, at)) + 1


def line_start(text: str, at: int) -> int:
    """Return the start offset of the line that contains `at`."""
    newline = text.rfind("\n", 0, at)
    carriage_return = text.rfind("\r", 0, at)
    return max(newline, carriage_return) + 1


def next_line(text: str, at: int) -> int:
    """Return the start offset of the line after the one that contains `at`."""
    match = _LINE.match(text, at)
    if match:
        return match.end()
    return len(text)


def lead(text: str, at: int) -> str:
    """Return the text from the start of the line to `at`."""
    return text[line_start(text, at) : at]


def newline_at(text: str, at: int) -> str:
    """Return the newline that ends directly before `at`."""
    if text.endswith("\r\n", 0, at):
        return "\r\n"
    return text[at - 1 : at]


def invalid_at(
    text: str,
    at: int,
    problem: str,
    hint: str = "edit the front matter of this file by hand",
) -> Invalid:
    """Return the error for a problem on the line that contains `at`."""
    return Invalid.on(line_number(text, at), problem, hint)
