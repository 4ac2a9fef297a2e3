"""Packing of pieces into a token limit: all pieces above the lowest common price that
fits, but none below the stop.

The limit need not be reached: below the stop a piece is not worth its tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from cuedeck.context.ranking.line_pieces import (
    GAP_TOKENS,
    STOP,
    Piece,
    PricedFile,
)
from cuedeck.model.scene_values import Shown, Span

Spans = tuple[Span, ...]

_WHOLE = 1.35
"""A file is shown whole if this costs at most this multiple of the chosen lines."""


class PriceLevels:
    """Pieces grouped by price level."""

    def __init__(
        self, files: Sequence[PricedFile], pieces: Iterable[Piece], stop: int = STOP
    ) -> None:
        self.files = files
        self.place = {each.candidate.path: at for at, each in enumerate(files)}
        self.pieces = sorted(pieces, key=self._order)
        self.ends = _ends(self.pieces)
        self.stop = max(
            at
            for at, end in enumerate(self.ends)
            if not end or self.pieces[end - 1].level >= stop
        )
        """Last level that is worth its tokens."""
        self._chosen: dict[int, Mapping[str, Spans]] = {}

    def chosen(self, level: int) -> Mapping[str, Spans]:
        """Return the chosen spans down to a level, by path, in file order."""
        if level not in self._chosen:
            lines = self.lines(level)
            self._chosen[level] = {
                path: spans_of(each, sorted(lines[path]))
                for path, each in zip(self.place, self.files, strict=True)
                if path in lines
            }
        return self._chosen[level]

    def lines(self, level: int) -> dict[str, set[int]]:
        """Return the lines of the pieces down to a level, by path."""
        found: dict[str, set[int]] = {}
        for piece in self.pieces[: self.ends[level]]:
            found.setdefault(piece.path, set()).update(piece.lines)
        return found

    def next(self, level: int, most: int) -> Sequence[Piece]:
        """Return the next `most` pieces below a level, down to the stop."""
        start = self.ends[level]
        end = min(start + most, self.ends[self.stop])
        return self.pieces[start:end]

    def _order(self, piece: Piece) -> tuple[int, int, int, int, tuple[int, ...]]:
        return (
            -piece.level,
            self.place[piece.path],
            piece.lines[-1],
            len(piece.lines),
            piece.lines,
        )


def spans_of(sized: PricedFile, lines: Sequence[int]) -> Spans:
    """Return sorted lines of a file as spans; the whole file if only a little is
    missing.

    A gap that costs no more than its omission mark is closed.
    """
    chosen = set(lines)
    part = sum(
        sized.costs[line - 1] + GAP_TOKENS * (line - 1 not in chosen) for line in lines
    )
    if sum(sized.costs) <= part * _WHOLE:
        return ((1, len(sized.lines)),)
    spans: list[Span] = []
    for line in lines:
        if (
            spans
            and line - spans[-1][1] - 1 <= GAP_TOKENS
            and sum(sized.costs[spans[-1][1] : line - 1]) <= GAP_TOKENS
        ):
            spans[-1] = (spans[-1][0], line)
        else:
            spans.append((line, line))
    return tuple(spans)


def _ends(pieces: Sequence[Piece]) -> Sequence[int]:
    """Return 0, followed by the number of pieces down to each price level."""
    borders = (
        at for at in range(1, len(pieces)) if pieces[at].level != pieces[at - 1].level
    )
    return [0, *borders, len(pieces)] if pieces else [0]


Make = Callable[[PricedFile, Spans], Shown]
"""Renders the given spans of a file."""

_REST = 60
"""Maximum number of pieces tried in the remaining room."""
_LEAST = 12
"""Tokens of room below which filling stops."""
_TOO_DEAR = 1.3
"""A piece is skipped if its estimated cost exceeds this multiple of the remaining room.
"""


def fit(levels: PriceLevels, make: Make, room: int) -> tuple[Shown, ...]:
    """Return the rendered files, at most `room` tokens in total.

    The price is the lowest above the stop at which all pieces fit. Order: that of
    `levels.files`.
    """
    shown = _make(levels, levels.stop, make)
    if _tokens(shown) <= room:
        return tuple(shown)
    fitting, failing = 0, levels.stop
    while failing - fitting > 1:
        at = (fitting + failing) // 2
        if _tokens(_make(levels, at, make)) <= room:
            fitting = at
        else:
            failing = at
    return _fill(levels, fitting, make, _make(levels, fitting, make), room)


def _make(levels: PriceLevels, level: int, make: Make) -> Sequence[Shown]:
    return [
        make(levels.files[levels.place[path]], spans)
        for path, spans in levels.chosen(level).items()
    ]


def _fill(
    levels: PriceLevels, level: int, make: Make, shown: Sequence[Shown], room: int
) -> tuple[Shown, ...]:
    by_path = {each.visit.path: each for each in shown}
    lines = levels.lines(level)
    free = room - _tokens(shown)
    for piece in sorted(
        levels.next(level, _REST), key=lambda piece: -levels.place[piece.path]
    ):
        file = levels.files[levels.place[piece.path]]
        if (
            free < _LEAST
            or sum(file.costs[line - 1] for line in piece.lines) > _TOO_DEAR * free
        ):
            continue
        wanted = lines.get(piece.path, set()) | set(piece.lines)
        made = make(file, spans_of(file, sorted(wanted)))
        more = made.cost - (by_path[piece.path].cost if piece.path in by_path else 0)
        if 0 < more <= free:
            free -= more
            by_path[piece.path], lines[piece.path] = made, wanted
    return tuple(by_path[path] for path in levels.place if path in by_path)


def _tokens(shown: Sequence[Shown]) -> int:
    return sum(each.cost for each in shown)
