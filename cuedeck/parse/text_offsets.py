"""Places in a text whose lines may end in `\\n`, `\\r\\n` or `\\r`."""

from __future__ import annotations

import re

from cuedeck.model.errors import Invalid

NEWLINE = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def line_number(text: str, at: int) -> int:
    """Return the number of the line that holds `at`, from 1."""
    return len(NEWLINE.findall(text, 0, at)) + 1


def line_start(text: str, at: int) -> int:
    """Return where the line that holds `at` begins."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def next_line(text: str, at: int) -> int:
    """Return where the line after the one that holds `at` begins."""
    match = _LINE.match(text, at)
    return match.end() if match else len(text)


def lead(text: str, at: int) -> str:
    """Return the text before `at` on its line."""
    return text[line_start(text, at) : at]


def newline_at(text: str, at: int) -> str:
    """Return the newline that ends just before `at`."""
    return "\r\n" if text.endswith("\r\n", 0, at) else text[at - 1 : at]


def invalid_at(text: str, at: int, problem: str, hint: str = "edit the front matter of this file by hand") -> Invalid:
    """Return the error that tells of a problem on the line that holds `at`."""
    return Invalid.on(line_number(text, at), problem, hint)
