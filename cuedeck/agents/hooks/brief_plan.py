"""Limits of a brief, and the text before its scene: parts that share a number of
characters.

Essential parts come first, within the characters that remain when a host truncates the
text. All text is phrased as facts, because a host may treat unexpected instructions as
an attack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cuedeck.model.ports import Count

MOST_TOKENS = 2_200
MOST_BYTES = 9_000
"""Maximum bytes: one host truncates at 10,000 bytes (at four bytes per token), another
at 10,000 characters.
"""
ESSENTIAL_CHARACTERS = 2_000
ESSENTIAL_TOKENS = 1_000
"""Maximum tokens of the essential parts; limits scripts in which one character is one
or two tokens.
"""
_SHORTEST = 24
"""Minimum characters of a shortened row that is guaranteed."""
_LINE = 96
"""Minimum characters of a shortened row that is not guaranteed; shorter ones are
counted instead.
"""
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
    """Share of the characters for rows; parts with fewer rows leave the rest to the
    others.
    """
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
    room_of_rows: list[int] = []
    for part in parts:
        promised = 0
        if part.rows:
            promised = int(max(0, free) * part.share / shares)
        needed = sum(map(len, part.rows))
        room_of_rows.append(min(needed, promised))
    pieces: list[str] = []
    for at, part in enumerate(parts):
        rows = _fit_rows(part, free - sum(room_of_rows[at + 1 :]))
        free -= len(rows)
        if rows:
            pieces.append(f"{part.head}{rows}\n")
        elif part.always:
            pieces.append(part.head)
    return "".join(pieces)


def fit_tokens(
    parts: Callable[[int], Sequence[Part]], room: int, tokens: int, count: Count
) -> str:
    """Return the result of `fit_parts` for the largest room, in steps of three
    quarters, within `tokens`.
    """
    text = fit_parts(parts(room), room)
    while room and count.count(text) > tokens:
        room = room * 3 // 4
        text = fit_parts(parts(room), room)
    return text


def size_of(text: str) -> int:
    """Return the number of bytes of a text."""
    return len(text.encode("utf-8", "replace"))


def is_small(text: str, counter: Callable[[], Count]) -> bool:
    """Return whether a text is within the limits of bytes and tokens; `counter` makes
    the counter of tokens.
    """
    size = size_of(text)
    # A token has at least one byte, so a short text needs no token counter, which is
    # slow to load.
    return size <= MOST_TOKENS or (
        size <= MOST_BYTES and counter().count(text) <= MOST_TOKENS
    )


def _fit_rows(part: Part, room: int) -> str:
    """Return the rows that fit and the line that counts the others; empty if not even
    that line fits.
    """
    rows = "".join(part.rows)
    if len(rows) <= room:
        return rows
    room -= len(part.more.format(len(part.rows)))
    if room < 0:
        return ""
    kept: list[str] = []
    for at, row in enumerate(part.rows):
        promised = min(part.least, len(part.rows)) - at
        most = room
        least = room + 1
        if promised > 0:
            most = room // promised
            least = _SHORTEST
        elif part.least:
            least = _LINE
        if len(row) > most:
            if most < least:
                break
            row = _cut(row, most)
        kept.append(row)
        room -= len(row)
    left = len(part.rows) - len(kept)
    return "".join(kept) + (part.more.format(left) if left else "")


def _cut(row: str, most: int) -> str:
    """Return a row of at most `most` characters; the text is shortened, but not the
    address at its end.
    """
    named = _NAMED.search(row)
    end = named[0] if named and len(named[0]) <= most // 2 else "\n"
    kept = row[: most - len(end) - 1].rstrip()
    if kept.count("“") > kept.count("”"):
        return kept[: most - len(end) - 2].rstrip() + "…”" + end
    return kept + "…" + end
