"""Text and regular-expression search with line numbers."""

from __future__ import annotations

from bisect import bisect_right

from cuedeck.parse.linear_patterns import compile_pattern, searchable

LARGEST_SEARCHED = 2_000_000
"""Maximum characters of a text for regular expressions and for parsing configuration."""
LONGEST_LINE = 10_000
"""Maximum characters of a line that a regular expression is applied to."""


def find_text(wanted: str, text: str) -> tuple[str, int] | None:
    """Return the searched text and the line on which it starts; it may span several lines."""
    wanted = wanted.replace("\r\n", "\n")
    at = text.find(wanted)
    lead = len(wanted) - len(wanted.lstrip("\n"))
    return (wanted, text.count("\n", 0, at + lead) + 1) if at >= 0 else None


def find_regex(expression: str, text: str) -> tuple[str, int] | None:
    """Return the first match and its line, searching line by line; long lines are truncated."""
    pattern = compile_pattern(expression)
    for number, line in enumerate(searchable(text).split("\n"), 1):
        if found := pattern.search(line[:LONGEST_LINE]):
            return found[0] or line, number
    return None


def line_saying(text: str, wanted: str) -> int:
    """Return the line where a text starts, ignoring case and whitespace; 0 if it does not occur."""
    starts: list[int] = []
    numbers: list[int] = []
    pieces: list[str] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        if words := _folded(line):
            starts.append(at)
            numbers.append(number)
            pieces.append(words)
            at += len(words) + 1
    found = " ".join(pieces).find(_folded(wanted))
    return numbers[bisect_right(starts, found) - 1] if found >= 0 and numbers else 0


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
