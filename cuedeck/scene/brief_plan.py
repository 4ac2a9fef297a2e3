"""The brief: the scene at a small budget for the start of a session, within the limits of every host.

Essential parts come first, within the characters that remain when a host truncates the text; further parts follow as
room allows. All text is phrased as facts, because a host may treat unexpected instructions as an attack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from itertools import zip_longest
from typing import NamedTuple

from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Shown, Visit
from cuedeck.scene.budget import plan
from cuedeck.scene.visit_views import Views

MOST_TOKENS = 2_200
MOST_BYTES = 9_000
"""Maximum bytes: one host truncates at 10,000 bytes (at four bytes per token), another at 10,000 characters."""
ESSENTIAL_CHARACTERS = 2_000
ESSENTIAL_TOKENS = 1_000
"""Maximum tokens of the essential parts; limits scripts in which one character is one or two tokens."""
_LEAST_ROOM = 40
"""Minimum tokens of room for nodes; below it, no node is worth a heading."""
_NODES = "## From the scene\n\n"
_LINES = "Linked as well:\n\n"
_SHORTEST = 24
"""Minimum characters of a shortened row that is guaranteed."""
_LINE = 96
"""Minimum characters of a shortened row that is not guaranteed; shorter ones are counted instead."""
_NAMED = re.compile(r" \(`[^`]*`[^`()]*\)\n$")
"""End of a row with an address that can be requested."""


class Part(NamedTuple):
    """A heading with as many of its rows as fit."""

    head: str
    """Heading text; ends with a blank line."""
    rows: Sequence[str]
    """Rows, most important first; each ends with a newline."""
    more: str = "- and {} more\n"
    """Line that counts the omitted rows."""
    share: float = 1.0
    """Share of the characters for rows; parts with fewer rows leave the rest to the others."""
    least: int = 0
    """Number of rows that are guaranteed, shortened to one line each if necessary."""
    always: bool = False
    """Whether the heading appears even without rows."""


def fit_parts(parts: Sequence[Part], room: int) -> str:
    """Return the non-empty parts in at most `room` characters.

    Units: characters; headings always appear.
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
    """Return the result of `fit_parts` for the largest room, in steps of three quarters, within `tokens`."""
    text = fit_parts(parts(room), room)
    while room and count.count(text) > tokens:
        room = room * 3 // 4
        text = fit_parts(parts(room), room)
    return text


def compose(front: str, back: str, nodes: Callable[[int], str], count: Count) -> str:
    """Return the brief within both limits: `front`, the nodes for the remaining tokens, and `back`.

    A front that exceeds the limits alone is truncated at its end.
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
    """Return whether a text is within the limits of bytes and tokens."""
    size = len(text.encode("utf-8", "replace"))
    # A token has at least one byte, so a short text needs no token counter, which is slow to load.
    return size <= MOST_TOKENS or (size <= MOST_BYTES and count.count(text) <= MOST_TOKENS)


def show_nodes(visits: Sequence[Visit], views: Views, room: int, count: Count, told: Collection[int] = ()) -> str:
    """Return the visits that fit in `room` tokens; empty if none fits.

    The lines `told` of the root are already in the brief; they are omitted here and their room is used for other nodes.
    """
    numbers = views.task_numbers(visits[0]) if told else ()
    whole = views.offer(visits[0], "full", room + MOST_TOKENS) if told else None
    if whole is not None:
        room += max(0, count.count(whole.body) - count.count(_without(whole.body, numbers, told)))
    planned = plan(visits, views, room - count.count(_NODES + _LINES), 0)
    bodies = [each.head + _body(each, numbers, told) for each in planned.shown if each.view != "line"]
    lines = [each.entry for each in planned.shown if each.view == "line"]
    if not bodies and not lines:
        return ""
    listed = f"{_LINES}{''.join(lines)}\n" if lines else ""
    return _NODES + "".join(bodies) + listed


def _body(shown: Shown, numbers: Sequence[int], told: Collection[int]) -> str:
    """Return the text of a visit; for a root shown as consecutive lines, without the lines `told`."""
    root = shown.visit
    is_plain = root.spans[0][0] == 1 and len(root.spans) == 1 and (shown.view == "full" or not root.parts)
    is_task = root.depth == 0 and is_plain and shown.view != "outline"
    return _without(shown.body, numbers, told) if is_task else shown.body


def _without(body: str, numbers: Sequence[int], told: Collection[int]) -> str:
    """Return a fenced text without the lines `told`; a mark replaces each run of them.

    `numbers` are the line numbers of the text in its file.
    """
    kept: list[str] = []
    run = 0
    # The first line is the fence. The lines after the text, which have no number, are kept.
    for line, number in zip_longest(body.split("\n"), (0, *numbers)):
        if line is None:
            break
        if number in told:
            run += 1
            continue
        if run:
            kept.append(f"⋮ {run} of the check boxes: under Task, above")
        run = 0
        kept.append(line)
    return "\n".join(kept)


def _fit_rows(part: Part, room: int) -> str:
    """Return the rows that fit and the line that counts the others; empty if not even that line fits."""
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
    """Return a row of at most `most` characters; the text is shortened, but not the address at its end."""
    named = _NAMED.search(row)
    end = named[0] if named and len(named[0]) <= most // 2 else "\n"
    kept = row[: most - len(end) - 1].rstrip()
    if kept.count("“") > kept.count("”"):
        return kept[: most - len(end) - 2].rstrip() + "…”" + end
    return kept + "…" + end
