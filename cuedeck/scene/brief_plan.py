"""The brief: what an agent is told when its session begins, small enough for every host.

The essentials come first, within the characters that are left of a text that a host cut; then what else there is
room for. Everything is said as a fact: a host may take orders that nobody gave for an attack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Shown, Visit
from cuedeck.scene.budget import plan
from cuedeck.scene.visit_views import Views

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
_SHORTEST = 24
"""Characters of a row below which nothing of it is worth saying."""
_LINE = 96
"""Characters from which on a row that nobody promised is cut instead of counted."""
_NAMED = re.compile(r" \(`[^`]*`[^`()]*\)\n$")
"""What a row ends with that can be asked for: the address of what it tells."""


class Part(NamedTuple):
    """A heading and rows under it, of which as many stand as there is room for."""

    head: str
    """Ends with a blank line."""
    rows: Sequence[str]
    """The most important first; each ends its line."""
    more: str = "- and {} more\n"
    """The line that counts the others."""
    share: float = 1.0
    """Of the characters for the rows of all parts that have any; what one leaves the others take."""
    least: int = 0
    """Rows that stand though they have to be cut to a line each."""
    always: bool = False
    """Whether the heading stands without rows as well."""


def fit_parts(parts: Sequence[Part], room: int) -> str:
    """Return the parts that have anything to say, in at most `room` characters.

    Units: characters; headings always stand.
    """
    parts = [part for part in parts if part.rows or part.always]
    free = room - sum(len(part.head) + 1 for part in parts)
    shares = sum(part.share for part in parts if part.rows)
    held = [min(sum(map(len, part.rows)), int(max(0, free) * part.share / shares)) if part.rows else 0
            for part in parts]  # fmt: skip
    pieces: list[str] = []
    for at, part in enumerate(parts):
        rows = _fit_rows(part, free - sum(held[at + 1 :]))
        free -= len(rows)
        if rows or part.always:
            pieces.append(f"{part.head}{rows}\n" if rows else part.head)
    return "".join(pieces)


def fit_tokens(parts: Callable[[int], Sequence[Part]], room: int, tokens: int, count: Count) -> str:
    """Return what `fit_parts` makes of the parts for a room; of those for less where it would cost more tokens."""
    text = fit_parts(parts(room), room)
    while room and count.count(text) > tokens:
        room = room * 3 // 4
        text = fit_parts(parts(room), room)
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


def show_nodes(visits: Sequence[Visit], views: Views, room: int, count: Count, told: Collection[int] = ()) -> str:
    """Return the visits of the walk as far as `room` tokens go; empty when there is no room for any.

    The lines `told` of the root stand before them already: they are left out, and others take their room.
    """
    whole = views.offer(visits[0], "full", room + MOST_TOKENS) if told else None
    if whole is not None:
        room += max(0, count.count(whole.body) - count.count(_without(whole.body, told)))
    planned = plan(visits, views, room - count.count(_NODES + _LINES), 0)
    bodies = [each.head + _body(each, told) for each in planned.shown if each.view != "line"]
    lines = [each.entry for each in planned.shown if each.view == "line"]
    if not bodies and not lines:
        return ""
    listed = f"{_LINES}{''.join(lines)}\n" if lines else ""
    return _NODES + "".join(bodies) + listed


def _body(shown: Shown, told: Collection[int]) -> str:
    """Return the text of a visit; that of a root whose lines stand one after the other without what was told."""
    root = shown.visit
    is_plain = root.spans[0][0] == 1 and len(root.spans) == 1 and (shown.view == "full" or not root.parts)
    return _without(shown.body, told) if root.depth == 0 and is_plain and shown.view != "outline" else shown.body


def _without(body: str, told: Collection[int]) -> str:
    """Return a fenced text from line 1 on without the lines that were told; a mark stands for each run of them."""
    kept: list[str] = []
    run = 0
    for number, line in enumerate(body.split("\n")):  # line 0 is the fence
        if number in told:
            run += 1
            continue
        if run:
            kept.append(f"⋮ {run} of the check boxes: under Task, above")
        run = 0
        kept.append(line)
    return "\n".join(kept)


def _fit_rows(part: Part, room: int) -> str:
    """Return the rows that fit, and the line that counts the others; empty where not even that has room."""
    rows = "".join(part.rows)
    if len(rows) <= room:
        return rows
    room -= len(part.more.format(len(part.rows)))
    if room < 0:
        return ""
    kept: list[str] = []
    for at, row in enumerate(part.rows):
        promised = min(part.least, len(part.rows)) - at
        most = room // promised if promised > 0 else room
        least = _SHORTEST if promised > 0 else _LINE if part.least else room + 1
        if len(row) > most:
            if most < least:
                break
            row = _cut(row, most)
        kept.append(row)
        room -= len(row)
    left = len(part.rows) - len(kept)
    return "".join(kept) + (part.more.format(left) if left else "")


def _cut(row: str, most: int) -> str:
    """Return a row of at most so many characters: its end is cut, not the address that it closes with."""
    named = _NAMED.search(row)
    end = named[0] if named and len(named[0]) <= most // 2 else "\n"
    kept = row[: most - len(end) - 1].rstrip()
    if kept.count("“") > kept.count("”"):
        return kept[: most - len(end) - 2].rstrip() + "…”" + end
    return kept + "…" + end
