"""Packing of pieces into a token limit: all pieces above the lowest common price that
fits, but none below the stop.

The limit need not be reached: below the stop a piece is not worth its tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from cuedeck.context.ranking.line_pieces import (
    GAP_TOKENS,
    STOP,
    Piece,
    PricedFile,
)
from cuedeck.model.scene_values import Shown, Span

Spans = tuple[Span, ...]
Make = Callable[[PricedFile, Spans], Shown]
"""Renders the given spans of a file."""

_WHOLE = 1.35
"""A file is shown whole if this costs at most this multiple of the chosen lines."""
_REST = 60
"""Maximum number of pieces tried in the remaining room."""
_LEAST = 12
"""Tokens of room below which filling stops."""
_TOO_DEAR = 1.3
"""A piece is skipped if its estimated cost exceeds this multiple of the remaining room.
"""


class CandidatePool:
    """The candidates of one ranking that contain text, best first, and their pieces
    by price.
    """

    def __init__(
        self, files: Sequence[PricedFile], pieces: Iterable[Piece], stop: int = STOP
    ) -> None:
        self.files = files
        self._by_path = {each.candidate.path: each for each in files}
        self._place = {path: at for at, path in enumerate(self._by_path)}
        self.pieces = sorted(pieces, key=self._order)
        most = sum(piece.level >= stop for piece in self.pieces)
        self._ends = [0]
        """0, followed by the number of pieces down to each price level above the
        stop.
        """
        for at, piece in enumerate(self.pieces[:most], 1):
            if at == most or self.pieces[at].level != piece.level:
                self._ends.append(at)
        self._chosen: dict[int, Mapping[str, Spans]] = {}

    def listed(self, shown: Collection[str], most: int) -> Sequence[PricedFile]:
        """Return the best `most` files that are not in `shown`."""
        hidden = [file for path, file in self._by_path.items() if path not in shown]
        return hidden[:most]

    def fit(self, make: Make, room: int) -> tuple[Shown, ...]:
        """Return the rendered files, at most `room` tokens in total, in order.

        The price is the lowest above the stop at which all pieces fit.
        """
        last = len(self._ends) - 1
        shown = self._make(last, make)
        if _tokens(shown.values()) <= room:
            return tuple(shown.values())
        fitting = 0
        failing = last
        while failing - fitting > 1:
            at = (fitting + failing) // 2
            if _tokens(self._make(at, make).values()) <= room:
                fitting = at
            else:
                failing = at
        return self._fill(fitting, make, room)

    def _make(self, level: int, make: Make) -> dict[str, Shown]:
        """Return the rendered files with the pieces down to a level."""
        if level not in self._chosen:
            lines = self._lines(level)
            chosen: dict[str, Spans] = {}
            for path, file in self._by_path.items():
                if path in lines:
                    chosen[path] = spans_of(file, sorted(lines[path]))
            self._chosen[level] = chosen
        made: dict[str, Shown] = {}
        for path, spans in self._chosen[level].items():
            made[path] = make(self._by_path[path], spans)
        return made

    def _lines(self, level: int) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for piece in self.pieces[: self._ends[level]]:
            found.setdefault(piece.path, set()).update(piece.lines)
        return found

    def _fill(self, level: int, make: Make, room: int) -> tuple[Shown, ...]:
        """Add the next pieces below a level that fit into the remaining room, those of
        the last files first.
        """
        shown = self._make(level, make)
        lines = self._lines(level)
        free = room - _tokens(shown.values())
        start = self._ends[level]
        rest = self.pieces[start : min(start + _REST, self._ends[-1])]
        rest.sort(key=lambda piece: -self._place[piece.path])
        for piece in rest:
            path = piece.path
            file = self._by_path[path]
            cost = sum(file.costs[line - 1] for line in piece.lines)
            if free < _LEAST or cost > _TOO_DEAR * free:
                continue
            wanted = lines.get(path, set()) | set(piece.lines)
            made = make(file, spans_of(file, sorted(wanted)))
            more = made.cost
            if path in shown:
                more -= shown[path].cost
            if 0 < more <= free:
                free -= more
                shown[path] = made
                lines[path] = wanted
        return tuple(shown[path] for path in self._place if path in shown)

    def _order(self, piece: Piece) -> tuple[int, int, int, int, tuple[int, ...]]:
        lines = piece.lines
        return -piece.level, self._place[piece.path], lines[-1], len(lines), lines


def spans_of(sized: PricedFile, lines: Sequence[int]) -> Spans:
    """Return sorted lines of a file as spans; the whole file if only a little is
    missing.

    A gap that costs no more than its omission mark is closed.
    """
    costs = sized.costs
    chosen = set(lines)
    gaps = sum(line - 1 not in chosen for line in lines)
    part = sum(costs[line - 1] for line in lines) + GAP_TOKENS * gaps
    if sum(costs) <= part * _WHOLE:
        return ((1, len(sized.lines)),)
    spans: list[Span] = []
    for line in lines:
        start = line
        if spans:
            first, last = spans[-1]
            if sum(costs[last : line - 1]) <= GAP_TOKENS:
                start = first
                spans.pop()
        spans.append((start, line))
    return tuple(spans)


def _tokens(shown: Iterable[Shown]) -> int:
    return sum(each.cost for each in shown)
