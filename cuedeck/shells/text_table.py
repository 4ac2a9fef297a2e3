"""Text tables with aligned columns, fitted to the terminal width; unlimited width in a
pipe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from cuedeck.model.formatting import shorten
from cuedeck.shells.call import Styled

_WIDEST = 300
"""Maximum characters of a cell; `--json` prints the whole value."""
_GAP = 2
"""Blanks between columns."""
_NARROWEST = 24
"""Minimum width in columns for wrapped prose next to other cells."""
_OF_LINES = "\n\t\u00a0\u200c\u200d\u3000"
"""Characters to keep although `isprintable` rejects them: line ends, spaces, joiners.
"""


class Column(NamedTuple):
    """A heading and the layout of its cells."""

    title: str
    right: bool = False
    wraps: bool = False
    """True for prose, which may wrap on a terminal; ids and addresses stay whole, so
    that they can be copied.
    """


def table(columns: str, rows: Sequence[Sequence[str]]) -> Styled:
    """Return rows as text; empty if there are none. The headings are separated by
    commas: `>name` is aligned to the right, `name~` wraps.

    On a terminal, only wrapping columns are narrowed to fit its width, each to no less
    than `_NARROWEST`.
    """
    if not rows:
        return Styled()
    cells = [tuple(map(_cell, row)) for row in rows]
    width = 0
    if sys.stdout.isatty():
        width = _width()
    heads = []
    for name in columns.split(","):
        head = Column(name.strip(">~"), name.startswith(">"), name.endswith("~"))
        heads.append(head)
    lines = lay_out(heads, cells, width)
    if colourful():
        lines[0] = f"\x1b[1;36m{lines[0]}\x1b[0m"
    return Styled("\n".join(lines))


def _cell(text: str) -> str:
    return printable(shorten(text, _WIDEST), lines=False)


def lay_out(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> list[str]:
    """Return the lines of a table with its head, at most `width` columns wide if its
    fixed columns fit.

    A width of 0 means unlimited.
    """
    rows = [[column.title for column in columns], *rows]
    widths = [max(map(_columns, cells)) for cells in zip(*rows, strict=True)]
    wrapping = [at for at, column in enumerate(columns) if column.wraps]
    over = sum(widths) + _GAP * (len(columns) - 1) - width
    if width and over > 0:
        wanted = [widths[at] for at in wrapping]
        room = max(sum(wanted) - over, _NARROWEST * len(wrapping))
        for at, share in zip(wrapping, _shares(wanted, room), strict=True):
            widths[at] = share
    lines = []
    for row in rows:
        cells = [[cell] for cell in row]
        for at in wrapping:
            cells[at] = _wrap(row[at], widths[at])
        for parts in zip_longest(*cells, fillvalue=""):
            lines.append(_line(columns, parts, widths))
    return lines


def _shares(wanted: Sequence[int], room: int) -> list[int]:
    """Distribute `room` among columns: none gets more than it wants, the rest goes to
    those that want more.
    """
    shares = [0] * len(wanted)
    remaining = len(wanted)
    for at in sorted(range(len(wanted)), key=wanted.__getitem__):
        shares[at] = min(wanted[at], room // remaining)
        room -= shares[at]
        remaining -= 1
    return shares


def _wrap(text: str, width: int) -> list[str]:
    """Break a text at blanks into lines of at most `width` columns; a longer word stays
    whole.
    """
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
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def printable(text: str, *, lines: bool = True) -> str:
    """Return a text with control characters replaced by blanks; with `lines`, newlines
    and tabs are kept.
    """
    if text.isprintable():
        return text
    kept = _OF_LINES if lines else ""
    return "".join(
        letter if letter.isprintable() or letter in kept else " " for letter in text
    )


def visible(text: str) -> str:
    r"""Return a text with control and bidirectional formatting characters escaped, as
    `\u001b`.

    Within JSON the result is an equal string.
    """
    if text.isprintable():
        return text
    letters = []
    for letter in text:
        if letter.isprintable() or letter in _OF_LINES:
            letters.append(letter)
        else:
            letters.append(_escape(letter))
    return "".join(letters)


def _escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    escaped = ""
    for at in range(0, len(units), 2):
        unit = units[at : at + 2]
        escaped += f"\\u{unit.hex()}"
    return escaped


def _line(
    columns: Sequence[Column], cells: Sequence[str], widths: Sequence[int]
) -> str:
    padded = []
    for cell, width, column in zip(cells, widths, columns, strict=True):
        space = " " * (width - _columns(cell))
        aligned = space + cell if column.right else cell + space
        padded.append(aligned)
    return (" " * _GAP).join(padded).rstrip()


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    combining = sum(unicodedata.combining(letter) > 0 for letter in text)
    return len(text) + wide - combining


def _width() -> int:
    try:
        # Some terminals do not know their width and report 0.
        return max(40, os.get_terminal_size().columns or 80)
    except OSError:
        return 100


_COLOURS = {"error": 31, "warning": 33, "info": 36}


def level_word(level: str) -> str:
    """Return the padded and coloured level at the start of a finding's line."""
    word = f"{level:<7}"
    if colourful():
        return f"\x1b[{_COLOURS[level]}m{word}\x1b[0m"
    return word


def place(path: str, line: int) -> str:
    """Return the location of a finding; line 0 means the whole file."""
    if line:
        return f"{path}:{line}"
    return path


def finding_line(level: str, path: str, line: int, message: str, hint: str) -> Styled:
    """Return a finding as one line: level, location, message, hint."""
    text = f"{place(path, line)}  {message}"
    if hint:
        text += f"  ({hint})"
    return Styled(f"{level_word(level)}  {printable(text, lines=False)}")
