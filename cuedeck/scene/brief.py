"""The brief: what an agent is told when its session begins, small enough for every host.

The essentials come first, within the characters that are left of a text that a host cut; then what else there is
room for. Everything is said as a fact: a host may take orders that nobody gave for an attack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cuedeck.model.ports import Count
from cuedeck.model.scene import Visit
from cuedeck.scene.budget import plan
from cuedeck.scene.views import Views

MOST_TOKENS = 2_200
MOST_BYTES = 9_000
"""A host that counts four bytes for a token cuts at 10,000 of them, another at as many characters."""
ESSENTIAL_CHARACTERS = 2_000
ESSENTIAL_TOKENS = 1_000
"""Of the same: in scripts of which a character is a token or two there is room for less."""
_LEAST_ROOM = 40
"""Tokens below which no node is worth a heading."""
_NODES = "## From the scene\n\n"
_LINES = "Linked as well:\n\n"


class Part(NamedTuple):
    """A heading and rows under it, of which as many stand as there is room for."""

    head: str
    """Ends with a blank line."""
    rows: Sequence[str]
    """The most important first; each ends its line."""
    more: str = "- and {} more\n"
    """The line that counts the others."""
    share: float = 1.0
    """Of the characters for the rows of all parts; what one leaves the others take."""
    always: bool = False
    """Whether the heading stands without rows as well."""


def fit_parts(parts: Sequence[Part], room: int) -> str:
    """Return the parts that have anything to say, in at most `room` characters.

    Units: characters; headings always stand.
    """
    parts = [part for part in parts if part.rows or part.always]
    free = room - sum(len(part.head) + 1 for part in parts)
    held = [min(sum(map(len, part.rows)), int(max(0, free) * part.share)) for part in parts]
    pieces: list[str] = []
    for at, part in enumerate(parts):
        rows = _fit_rows(part, free - sum(held[at + 1 :]))
        free -= len(rows)
        if rows or part.always:
            pieces.append(f"{part.head}{rows}\n" if rows else part.head)
    return "".join(pieces)


def fit_tokens(parts: Sequence[Part], room: int, tokens: int, count: Count) -> str:
    """Return what `fit_parts` does, in less room where it would cost more than `tokens`."""
    text = fit_parts(parts, room)
    while room and count.count(text) > tokens:
        room = room * 3 // 4
        text = fit_parts(parts, room)
    return text


def compose(front: str, back: str, nodes: Callable[[int], str], count: Count) -> str:
    """Return the brief: `front`, what `nodes` makes of the tokens that are left, `back`; within both limits.

    A front that is too long for them alone loses its end.
    """
    room = MOST_TOKENS - count.count(front) - count.count(back)
    while room >= _LEAST_ROOM:
        text = front + nodes(room) + back
        if is_small(text, count):
            return text
        room = room * 3 // 4
    while front and not is_small(front + back, count):
        front = count.cut(front, min(count.count(front) - 1, MOST_TOKENS) * 9 // 10).rstrip() + "…\n\n"
    return front + back


def is_small(text: str, count: Count) -> bool:
    """Tell whether a text is within both limits."""
    size = len(text.encode("utf-8", "replace"))
    # No token is shorter than a byte, and a counter is not opened for a short text.
    return size <= MOST_TOKENS or (size <= MOST_BYTES and count.count(text) <= MOST_TOKENS)


def show_nodes(visits: Sequence[Visit], views: Views, room: int, count: Count) -> str:
    """Return the visits of the walk as far as `room` tokens go; empty when there is no room for any."""
    planned = plan(visits, views, room - count.count(_NODES + _LINES), 0)
    bodies = [each.head + each.body for each in planned.shown if each.view != "line"]
    lines = [each.entry for each in planned.shown if each.view == "line"]
    if not bodies and not lines:
        return ""
    listed = f"{_LINES}{''.join(lines)}\n" if lines else ""
    return _NODES + "".join(bodies) + listed


def _fit_rows(part: Part, room: int) -> str:
    """Return the rows that fit, and the line that counts the others; empty where not even that has room."""
    rows = "".join(part.rows)
    if len(rows) <= room:
        return rows
    room -= len(part.more.format(len(part.rows)))
    kept: list[str] = []
    for row in part.rows:
        if len(row) > room:
            break
        kept.append(row)
        room -= len(row)
    return "".join(kept) + part.more.format(len(part.rows) - len(kept)) if room >= 0 else ""
