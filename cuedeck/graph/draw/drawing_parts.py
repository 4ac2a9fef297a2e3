"""What all formats of a drawing share: words of a box, colours, merged arrows."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from cuedeck.model.diagram import Box, Drawing
from cuedeck.model.formatting import VIEW_WORDS, counted

# Characters unsafe in a drawing: XML forbids some, terminals execute some, bidi marks
# reorder the text around them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_STATES = {"left-out": "left out", "dead": "dead"}
"""Texts for the states of boxes that are not shown."""
MOST = 80
"""Maximum number of boxes in a picture; larger pictures are unreadable."""


class Ink(NamedTuple):
    """The colours of one kind."""

    plural: str
    """The kind as a heading: `docs`."""
    strong: str
    """Outlines on a light page; contrast of at least 3:1 on white."""
    pale: str
    """Background of black text, and outlines on a dark page."""


INKS: dict[str, Ink] = {
    "card": Ink("cards", "#1273b8", "#d6e8f5"),
    "doc": Ink("docs", "#0a8f6b", "#d3efe6"),
    "source": Ink("sources", "#c77700", "#fbe7c6"),
    "decision": Ink("decisions", "#6a55b8", "#e3def6"),
    "record": Ink("records", "#8a7a00", "#f3ecc4"),
    "binary": Ink("binaries", "#a8588a", "#f3deea"),
    "folder": Ink("folders", "#7a7f87", "#e6e8eb"),
    "dead": Ink("dead links", "#cc4a1a", "#fbdfd3"),
    "other": Ink("other", "#7a7f87", "#e6e8eb"),
}


class Bundle(NamedTuple):
    """All arrows from one box to another, merged."""

    source: int
    """Index into the boxes of the drawing."""
    target: int
    edges: tuple[str, ...]


def ink_kind(kind: str) -> str:
    """Return the row of `INKS` for a kind of box."""
    return kind if kind in INKS else "other"


def clean(text: str) -> str:
    """Replace unsafe characters by visible ones.

    Example: a newline becomes `␊`, a right-to-left override `⟨202E⟩`.
    """
    return _UNSAFE.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else f"⟨{code:04X}⟩"


def box_note(box: Box) -> str:
    """Return size and view of a box as text; empty if neither is known."""
    size = counted(box.tokens, "token") if box.tokens > 0 else ""
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


def _cell(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, limit: int) -> str:
    """Replace the middle of `text` by `…` so that it has at most `limit` columns."""
    shown = text
    count = len(text)
    while cells(shown) > limit:
        count -= 1
        head = text[: (count + 1) // 2]
        tail = text[len(text) - count // 2 :]
        shown = f"{head}…{tail}"
    return shown


def bundles(drawing: Drawing) -> tuple[Bundle, ...]:
    """Merge the arrows between each pair of boxes; arrows without a box at both ends
    are omitted.

    Order: by the first arrow of each pair; edges within a pair likewise, without
    repeats.
    """
    index = _positions(drawing)
    merged: dict[tuple[int, int], dict[str, None]] = {}
    for arrow in drawing.arrows:
        if arrow.source in index and arrow.target in index:
            pair = (index[arrow.source], index[arrow.target])
            merged.setdefault(pair, {})[arrow.edge] = None
    return tuple(Bundle(*pair, tuple(edges)) for pair, edges in merged.items())


def cycle_pairs(drawing: Drawing) -> frozenset[tuple[int, int]]:
    """Return the index pairs on a cycle of the drawing (for membership only)."""
    index = _positions(drawing)
    steps = [step for cycle in drawing.cycles for step in pairwise(cycle)]
    return frozenset(
        (index[one], index[other])
        for one, other in steps
        if one in index and other in index
    )


def _positions(drawing: Drawing) -> dict[str, int]:
    """Return the first index of each address among the boxes."""
    last_first = reversed(list(enumerate(drawing.boxes)))
    return {box.address: i for i, box in last_first}
