"""As much as fits: one price for all pieces, found by trying, then what little room is left, from the last file up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from cuedeck.model.scene import Shown
from cuedeck.scene.related.choice import GAP_TOKENS, NODE_TOKENS, Piece, Sized

Make = Callable[[Sized, Sequence[int]], Shown]
"""Puts some lines of a file on the page."""

_REST = 60
"""Pieces next in price that may use up what is left."""
_LEAST = 12
"""Tokens below which nothing more fits."""
_TOO_DEAR = 1.3
"""A piece whose estimated cost exceeds the room so many times is not tried."""


def fit(files: Sequence[Sized], pieces: Sequence[Piece], make: Make, room: int) -> tuple[Shown, ...]:
    """Return the files with what is shown of each, at most `room` tokens together.

    The price is the lowest at which everything of that price fits; in which order `pieces` come says nothing.
    Order: that of `files`.
    """
    pieces = _in_order(files, pieces)
    ends = _ends(pieces)
    at = _guess(files, pieces, ends, room)
    shown = _make(files, pieces[: ends[at]], make)
    if _tokens(shown) <= room:
        while at + 1 < len(ends):
            further = _make(files, pieces[: ends[at + 1]], make)
            if _tokens(further) > room:
                break
            at, shown = at + 1, further
    else:
        while at and _tokens(shown) > room:
            at -= 1
            shown = _make(files, pieces[: ends[at]], make)
    return _fill(files, pieces[: ends[at]], pieces[ends[at] : ends[at] + _REST], make, shown, room)


def _in_order(files: Sequence[Sized], pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return the pieces in falling price, ties by place of the file and line."""
    place = {each.candidate.path: at for at, each in enumerate(files)}
    return sorted(pieces, key=lambda each: (-each.level, place[each.path], each.lines[-1], len(each.lines), each.lines))


def _ends(pieces: Sequence[Piece]) -> list[int]:
    """Return 0, then how many pieces there are down to each price."""
    borders = (at for at in range(1, len(pieces)) if pieces[at].level != pieces[at - 1].level)
    return [0, *borders, len(pieces)]


def _guess(files: Sequence[Sized], pieces: Sequence[Piece], ends: Sequence[int], room: int) -> int:
    """Return the last price at which the estimated cost fits."""
    costs = {each.candidate.path: each.costs for each in files}
    seen: dict[str, set[int]] = {}
    used, at = 0.0, 0
    for number, (start, end) in enumerate(pairwise(ends), 1):
        for piece in pieces[start:end]:
            if piece.path not in seen:
                seen[piece.path] = set()
                used += NODE_TOKENS
            new = [line for line in piece.lines if line not in seen[piece.path]]
            seen[piece.path].update(new)
            used += sum(costs[piece.path][line - 1] for line in new) + GAP_TOKENS
        if used > room:
            break
        at = number
    return at


def _make(files: Sequence[Sized], pieces: Sequence[Piece], make: Make) -> tuple[Shown, ...]:
    lines = _lines(pieces)
    return tuple(make(each, sorted(lines[each.candidate.path])) for each in files if each.candidate.path in lines)


def _fill(
    files: Sequence[Sized],
    taken: Sequence[Piece],
    rest: Sequence[Piece],
    make: Make,
    shown: tuple[Shown, ...],
    room: int,
) -> tuple[Shown, ...]:
    """Use up what is left at the lowest files, where it moves the least of the page."""
    place = {each.candidate.path: at for at, each in enumerate(files)}
    by_path = {each.visit.path: each for each in shown}
    lines = _lines(taken)
    free = room - _tokens(shown)
    for piece in sorted(rest, key=lambda piece: -place[piece.path]):
        file = files[place[piece.path]]
        if free < _LEAST or sum(file.costs[line - 1] for line in piece.lines) > _TOO_DEAR * free:
            continue
        wanted = lines.get(piece.path, set()) | set(piece.lines)
        made = make(file, sorted(wanted))
        more = made.tokens - (by_path[piece.path].tokens if piece.path in by_path else 0)
        if 0 < more <= free:
            free -= more
            by_path[piece.path], lines[piece.path] = made, wanted
    return tuple(by_path[path] for path in place if path in by_path)


def _lines(pieces: Sequence[Piece]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for piece in pieces:
        found.setdefault(piece.path, set()).update(piece.lines)
    return found


def _tokens(shown: Sequence[Shown]) -> int:
    return sum(each.tokens for each in shown)
