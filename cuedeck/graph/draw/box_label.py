"""Labels of boxes: cleaning, measuring and shortening."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import NamedTuple

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
    return " · ".join(filter(None, (size, view(box))))


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


class Ink(NamedTuple):
    """The colours of one kind."""

    plural: str
    """The kind as a heading: `docs`."""
    strong: str
    """Marks and outlines; contrast of at least 3:1 on white."""
    pale: str
    """Background of black text."""
    bright: str
    """Marks and outlines on a dark page."""


INKS: dict[str, Ink] = {
    "card": Ink("cards", "#1273b8", "#d6e8f5", "#55aee8"),
    "doc": Ink("docs", "#0a8f6b", "#d3efe6", "#35c49b"),
    "source": Ink("sources", "#c77700", "#fbe7c6", "#f2a93b"),
    "decision": Ink("decisions", "#6a55b8", "#e3def6", "#a898ee"),
    "record": Ink("records", "#8a7a00", "#f3ecc4", "#dcc93a"),
    "binary": Ink("binaries", "#a8588a", "#f3deea", "#d791bd"),
    "folder": Ink("folders", "#7a7f87", "#e6e8eb", "#9aa1ab"),
    "dead": Ink("dead links", "#cc4a1a", "#fbdfd3", "#f58158"),
}
OTHER = Ink("other", "#7a7f87", "#e6e8eb", "#9aa1ab")
ALL_INKS = {**INKS, "other": OTHER}


def ink(kind: str) -> Ink:
    """Return the colours of `kind`; grey for an unknown kind."""
    return INKS.get(kind, OTHER)
