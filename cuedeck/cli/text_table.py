"""Tables of aligned columns: fitted to the width of a terminal, unlimited in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import click

from cuedeck.model.display import shorten

_WIDEST = 300
"""Characters of a cell; `--json` has all of them."""
_GAP = 2
"""Blanks between columns."""
_NARROWEST = 24
"""Columns of the screen below which prose is not wrapped beside other cells."""
_INDENT = "    "
_OF_LINES = "\n\t\u00a0\u200c\u200d\u3000"
"""What texts of several lines are written with though it does not count as printable: ends, spaces, joiners."""


class Column(NamedTuple):
    """A heading and how the cells under it are laid out."""

    title: str
    right: bool = False
    wraps: bool = False
    """True for prose, which may be wrapped on a terminal; ids and addresses stay whole, so that they can be copied."""


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """Return rows as text; empty when there are none.

    On a terminal only the columns that wrap give way to its width. Where they have too little room beside the
    others, they go below them, indented.
    """
    if not rows:
        return ""
    cells = [tuple(printable(shorten(cell, _WIDEST), lines=False) for cell in row) for row in rows]
    lines = lay_out(columns, cells, _width() if sys.stdout.isatty() else 0)
    if colourful():
        lines[0] = f"\x1b[1;36m{lines[0]}\x1b[0m"
    return "\n".join(lines)


def lay_out(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the lines of a table with its head, in at most `width` columns of the screen if its addresses allow.

    A width of 0 means no limit.
    """
    head = [column.title for column in columns]
    natural = [max(_columns(cell) for cell in cells) for cells in zip(head, *rows, strict=True)]
    if not width or sum(natural) + _GAP * (len(columns) - 1) <= width:
        return [_line(columns, row, natural) for row in (head, *rows)]
    wrapping = [at for at, column in enumerate(columns) if column.wraps]
    fixed = [at for at in range(len(columns)) if at not in wrapping]
    room = width - sum(natural[at] for at in fixed) - _GAP * (len(columns) - 1)
    if wrapping and room < _NARROWEST * len(wrapping):
        return _folded(columns, [head, *rows], width)
    widths = list(natural)
    for at, share in zip(wrapping, _shares([natural[at] for at in wrapping], room), strict=True):
        widths[at] = share
    lines = []
    for row in (head, *rows):
        split = [_wrap(cell, widths[at]) if at in wrapping else [cell] for at, cell in enumerate(row)]
        lines += [_line(columns, cells, widths) for cells in zip_longest(*split, fillvalue="")]
    return lines


def _folded(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return each row on a line without the columns that wrap; these follow below it."""
    kept = [column for column in columns if not column.wraps]
    narrow = [[cell for column, cell in zip(columns, row, strict=True) if not column.wraps] for row in rows]
    prose = [[cell for column, cell in zip(columns, row, strict=True) if column.wraps and cell] for row in rows]
    lines: list[str] = []
    widths = [max(map(_columns, cells)) for cells in zip(*narrow, strict=True)]
    for cells, texts in zip(narrow, prose, strict=True):
        lines.append(_line(kept, cells, widths))
        lines += [_INDENT + line for text in texts for line in _wrap(text, width - len(_INDENT))]
    return lines


def _shares(wanted: Sequence[int], room: int) -> list[int]:
    """Share room among columns: none gets more than it wants, what is left goes to those that want more."""
    shares = [0] * len(wanted)
    for place, at in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        shares[at] = min(wanted[at], room // (len(wanted) - place))
        room -= shares[at]
    return shares


def _wrap(text: str, width: int) -> list[str]:
    """Break a text at its blanks into lines of at most `width` columns; a longer word stays whole."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and _columns(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def colourful() -> bool:
    """Return whether stdout is a terminal that accepts colours (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def printable(text: str, *, lines: bool = True) -> str:
    """Return a text with blanks for the control characters of file contents; `lines` keeps its lines and tabs."""
    if text.isprintable():
        return text
    kept = _OF_LINES if lines else ""
    return "".join(letter if letter.isprintable() or letter in kept else " " for letter in text)


def visible(text: str) -> str:
    """Return a text in which control characters and marks of the writing direction are written out, as `\\u001b`.

    In JSON that is the same text.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in _OF_LINES else _escape(letter) for letter in text)


def _escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _line(columns: Sequence[Column], cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = []
    for cell, width, column in zip(cells, widths, columns, strict=True):
        space = " " * (width - _columns(cell))
        padded.append(space + cell if column.right else cell + space)
    return (" " * _GAP).join(padded).rstrip()


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


_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


def level_word(level: str) -> str:
    """Return the word that begins the line of a finding."""
    word = f"{level:<7}"
    return click.style(word, fg=_COLOURS[level]) if colourful() else word


def place(path: str, line: int) -> str:
    """Return where a finding is; line 0 stands for the whole file."""
    return f"{path}:{line}" if line else path


def finding_line(level: str, path: str, line: int, message: str, hint: str) -> str:
    """Return a finding as one line: its level, where it is, what is wrong, what to do."""
    said = f"{place(path, line)}  {message}" + (f"  ({hint})" if hint else "")
    return f"{level_word(level)}  {printable(said, lines=False)}"


def problem_line(problem: Mapping[str, Any]) -> str:
    """Return what keeps a line of a file from being read, as it is told beside an answer."""
    where = place(problem["path"], problem["line"])
    return f"{problem['level']}: {where}: {problem['message']}; {problem['hint']}"
