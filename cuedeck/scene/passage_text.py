"""Numbered lines of a file, and the mark for lines left out between them.

A numbered line is `42│text`: the number in the file, `│`, and the text. One `⋮` line between two passages says how many
lines are left out there; nothing else marks an omission.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cuedeck.model.display import shorten
from cuedeck.model.scene_values import Shown, Span

GUTTER = "│"
LONGEST_LINE = 200
"""Maximum characters of a line of a related source; minified code has longer ones."""


class NumberedLine(NamedTuple):
    """A line of a file, masked and without its newline."""

    number: int
    text: str
    covered: int = 0
    """Number of further lines of the file that a secret in this line covers."""


def numbered(line: NumberedLine, most: int = 0) -> str:
    """Return a line with its number, its text cut to `most` characters; 0 for no limit."""
    text = shorten(line.text, most) if most and len(line.text) > most else line.text
    return f"{line.number}{GUTTER}{text}"


def gap(lines: int) -> str:
    """Return the mark for left-out lines."""
    return "⋮ 1 line" if lines == 1 else f"⋮ {lines} lines"


def gap_of(count: int, kind: str) -> str:
    """Return the mark for left-out entries of one kind, for example definitions."""
    return f"⋮ {count} {kind}" if count == 1 else f"⋮ {count} {kind}s"


def number_lines(passages: Iterable[Sequence[NumberedLine]], most: int = 0) -> list[str]:
    """Return the numbered lines of some passages, in order, with a mark between passages that do not touch."""
    rows: list[str] = []
    last = 0
    for passage in passages:
        if not passage:
            continue
        left_out = passage[0].number - last - 1
        if rows and left_out > 0:
            rows.append(gap(left_out))
        rows += [numbered(line, most) for line in passage]
        last = passage[-1].number + passage[-1].covered
    return rows


def passages_of(shown: Shown) -> Sequence[Span]:
    """Return the line ranges of a file that a visit shows as text; the rows of an outline are not counted."""
    if shown.visit.text or shown.visit.kind in ("folder", "binary"):
        return ()
    if shown.view == "full":
        return shown.visit.spans
    if shown.visit.tier == "related" or shown.view == "section":
        return shown.visit.parts
    return ()
