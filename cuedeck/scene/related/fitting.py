"""As much as fits: one price for all pieces, found by trying, then what little room is left, from the last file up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cuedeck.model.scene import Shown
from cuedeck.scene.related.choice import Sized
from cuedeck.scene.related.ladder import Ladder, Spans, spans_of

Make = Callable[[Sized, Spans], Shown]
"""Puts some lines of a file on the page."""

_REST = 60
"""Pieces next in price that may use up what is left."""
_LEAST = 12
"""Tokens below which nothing more fits."""
_TOO_DEAR = 1.3
"""A piece whose estimated cost exceeds the room so many times is not tried."""


def fit(ladder: Ladder, make: Make, room: int) -> tuple[Shown, ...]:
    """Return the files with what is shown of each, at most `room` tokens together.

    The price is the lowest at which everything of that price fits. Order: that of the ladder's files.
    """
    at = ladder.guess(room)
    shown = _make(ladder, at, make)
    if _tokens(shown) <= room:
        while at + 1 < len(ladder.ends):
            further = _make(ladder, at + 1, make)
            if _tokens(further) > room:
                break
            at, shown = at + 1, further
    else:
        while at and _tokens(shown) > room:
            at -= 1
            shown = _make(ladder, at, make)
    return _fill(ladder, at, make, shown, room)


def _make(ladder: Ladder, rung: int, make: Make) -> Sequence[Shown]:
    return [make(ladder.files[ladder.place[path]], spans) for path, spans in ladder.chosen(rung).items()]


def _fill(ladder: Ladder, rung: int, make: Make, shown: Sequence[Shown], room: int) -> tuple[Shown, ...]:
    """Use up what is left at the lowest files, where it moves the least of the page."""
    by_path = {each.visit.path: each for each in shown}
    lines = ladder.lines(rung)
    free = room - _tokens(shown)
    for piece in sorted(ladder.next(rung, _REST), key=lambda piece: -ladder.place[piece.path]):
        file = ladder.files[ladder.place[piece.path]]
        if free < _LEAST or sum(file.costs[line - 1] for line in piece.lines) > _TOO_DEAR * free:
            continue
        wanted = lines.get(piece.path, set()) | set(piece.lines)
        made = make(file, spans_of(file, sorted(wanted)))
        more = made.tokens - (by_path[piece.path].tokens if piece.path in by_path else 0)
        if 0 < more <= free:
            free -= more
            by_path[piece.path], lines[piece.path] = made, wanted
    return tuple(by_path[path] for path in ladder.place if path in by_path)


def _tokens(shown: Sequence[Shown]) -> int:
    return sum(each.tokens for each in shown)
