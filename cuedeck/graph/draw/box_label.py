"""Labels of boxes: cleaning, measuring and shortening."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from cuedeck.model.diagram import Box
from cuedeck.model.formatting import VIEW_WORDS, counted

# Characters unsafe in a drawing: XML forbids some, terminals execute some, bidi marks
# reorder the text around them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_STATES = {"left-out": "left out", "dead": "dead"}
"""Texts for the states of boxes that are not shown."""


def clean(text: str) -> str:
    """Replace unsafe characters by visible ones.

    Example: a newline becomes `␊`, a right-to-left override `⟨202E⟩`.
    """
    return _UNSAFE.sub(_picture, text)


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


def cut(text: str, limit: int) -> str:
    """Replace the middle of `text` by `…` so that it has at most `limit` columns."""
    if cells(text) <= limit:
        return text

    def ends(count: int) -> str:
        """Return the text with `count` of its characters, from both ends."""
        tail = len(text) - count // 2
        return f"{text[: (count + 1) // 2]}…{text[tail:]}"

    fitting = bisect_right(
        range(len(text)), limit, key=lambda count: cells(ends(count))
    )
    return ends(max(0, fitting - 1))


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
