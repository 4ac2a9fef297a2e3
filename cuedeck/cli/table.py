"""Tables: drawn with colour on a terminal, plain aligned columns in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.shown import shorten

_WIDEST = 300
"""Characters of a cell; `--json` has all of them."""
_OF_LINES = "\n\t\u00a0\u200c\u200d\u3000"
"""What texts of several lines are written with though it does not count as printable: ends, spaces, joiners."""


class Column(NamedTuple):
    """A heading and how its cells stand."""

    title: str
    right: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """Return rows as text; empty when there are none."""
    if not rows:
        return ""
    cells = [tuple(printable(shorten(cell, _WIDEST), lines=False) for cell in row) for row in rows]
    if not colourful():
        return _plain(columns, cells)
    from io import StringIO

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold cyan")
    for column in columns:
        drawn.add_column(column.title, justify="right" if column.right else "left", overflow="fold")
    for row in cells:
        drawn.add_row(*(Text(cell) for cell in row))
    console = Console(file=StringIO(), force_terminal=True, width=_width())
    console.print(drawn)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().rstrip("\n")


def colourful() -> bool:
    """Tell whether stdout is a terminal that wants colours (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def printable(text: str, *, lines: bool = True) -> str:
    """Return a text with blanks for the control characters of file contents; `lines` keeps its lines and tabs."""
    if text.isprintable():
        return text
    kept = _OF_LINES if lines else ""
    return "".join(letter if letter.isprintable() or letter in kept else " " for letter in text)


def _plain(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    lines = [tuple(column.title for column in columns), *rows]
    widths = [max(_columns(line[at]) for line in lines) for at in range(len(columns))]
    text = []
    for line in lines:
        padded = []
        for cell, width, column in zip(line, widths, columns, strict=True):
            space = " " * (width - _columns(cell))
            padded.append(space + cell if column.right else cell + space)
        text.append("  ".join(padded).rstrip())
    return "\n".join(text)


def _columns(text: str) -> int:
    """Return how many columns a text takes on a screen."""
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


def _width() -> int:
    try:
        return max(40, os.get_terminal_size().columns or 80)  # some terminals do not know, and say 0
    except OSError:
        return 100
