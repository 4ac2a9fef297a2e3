"""Labels of boxes: cleaning, splitting, measuring and shortening."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from cuedeck.model.address import split_anchor
from cuedeck.model.diagram import Box
from cuedeck.model.formatting import VIEW_WORDS, counted

# Characters unsafe in a drawing: XML forbids some, terminals execute some, bidi marks
# reorder the text around them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_NARROW = frozenset("fijlrtI.,:;'!|()[]{}/\\-` ")
_BROAD = frozenset("mwMW@%&—…→")
_WIDTHS = (0.0, 0.66, 1.05)
"""Width of a character that is not ASCII, by its number of terminal columns."""
_STATES = {"left-out": "left out", "dead": "dead"}
"""Texts for the states of boxes that are not shown."""


class Label(NamedTuple):
    """The cleaned texts of one box."""

    name: str
    """Title of a card; otherwise the file name, or the whole address if it has no
    folder.
    """
    anchor: str
    """`#LoginFlow`, or empty."""
    folder: str
    """`docs/api`, or empty; for a card its path."""
    note: str
    """Tokens and view: `1,204 tokens · part`."""


def clean(text: str) -> str:
    """Replace unsafe characters by visible ones.

    Example: a newline becomes `␊`, a right-to-left override `⟨202E⟩`.
    """
    return _UNSAFE.sub(_picture, text)


def label(box: Box) -> Label:
    """Return the label of a box: the parts of its address, and its note."""
    path, anchor = split_anchor(clean(box.address))
    bare = path.rstrip("/")
    folder, slash, name = bare.rpartition("/")
    name = name + path[len(bare) :] or path
    anchor = f"#{anchor}" if anchor else ""
    if box.title:
        return Label(clean(box.title), anchor, path, box_note(box))
    return Label(name, anchor, folder or slash, box_note(box))


def box_note(box: Box) -> str:
    """Return size and view of a box as text; empty if neither is known."""
    size = ""
    if box.tokens > 0:
        size = counted(box.tokens, "token")
    return _joined(size, view(box))


def words(box: Box) -> list[str]:
    """Return the lines of a box in text formats: title of a card, address, size and
    view.
    """
    return [each for each in (box.title, box.address, box_note(box)) if each]


def view(box: Box) -> str:
    """Return the view of a box, or the state of a box that is not shown."""
    return _STATES.get(box.state, VIEW_WORDS.get(box.view, clean(box.view)))


def cells(text: str) -> int:
    """Return the number of terminal columns of `text`."""
    return sum(_cell(char) for char in text)


def ems(text: str) -> float:
    """Estimate the width of `text` in a proportional sans-serif font.

    Units: multiples of the font size; rather too wide than too narrow, because fonts
    differ.
    """
    return sum(_em(char) for char in text)


def cut(text: str, limit: float, measure: Callable[[str], float]) -> str:
    """Replace the middle of `text` by `…` so that `measure` returns at most `limit`."""
    if measure(text) <= limit:
        return text

    def ends(count: int) -> str:
        """Return the text with `count` of its characters, from both ends."""
        tail = len(text) - count // 2
        return f"{text[: (count + 1) // 2]}…{text[tail:]}"

    fitting = bisect_right(
        range(len(text)), limit, key=lambda count: measure(ends(count))
    )
    return ends(max(0, fitting - 1))


def cut_place(
    anchor: str, folder: str, limit: float, measure: Callable[[str], float]
) -> str:
    """Join anchor and folder within `limit`; the folder is shortened first, from its
    outer end.

    Example: `#Plan.choose · …/scene`.
    """
    parts = folder.split("/")
    shorter = []
    for start in range(1, len(parts)):
        shorter.append("/".join(["…", *parts[start:]]))
    for shown in (folder, *shorter):
        text = _joined(anchor, shown)
        if measure(text) <= limit:
            return text
    return cut(_joined(anchor, folder), limit, measure)


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return f"⟨{code:04X}⟩"


def _cell(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 1


def _em(char: str) -> float:
    if char in _BROAD:
        return 0.92
    if not char.isascii():
        return _WIDTHS[_cell(char)]
    if char in _NARROW:
        return 0.37
    return 0.7 if char.isupper() else 0.59
