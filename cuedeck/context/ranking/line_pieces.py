"""Division of candidate files into priced pieces of lines.

Every window of code and every signature is a piece with a value (the likelihood that it
is needed) and a cost in tokens. All pieces above one common price are shown. The price
has coarse steps, so that an edit that lengthens one file seldom changes the lines shown
of another.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.context.ranking.rank_files import Candidate
from cuedeck.model.file import Chunk, File
from cuedeck.model.scene_values import Shown, Span

STEP = math.log(1.1)
"""Step of the price scale; prices within a tenth of each other count as equal."""
NODE_TOKENS = 50
"""Estimated tokens of heading, reason, fence and map line of a file."""
GAP_TOKENS = 5
"""Estimated tokens of the mark for omitted lines."""
_NUMBER_TOKENS = 2
"""Estimated tokens of the number of a line."""
STOP = math.floor(math.log(0.0012) / STEP)
"""Price level below which a piece is not worth its tokens."""
STOP_WITHOUT_LINKS = math.floor(math.log(0.00085) / STEP)
"""The same for a task that links no file. Fewer signals agree on its candidates."""
_CHARACTERS = 3.4
"""Characters per token of code, without indentation."""
_DENSE = "\u2e80"
"""First character of scripts in which a character is about a word rather than a letter.
"""
_DENSE_TOKENS = 0.75
"""Tokens per character of such scripts."""
_SIGNATURE = 0.65
"""Value of a signature relative to a body; to plan an edit, an agent needs the body."""
_BODY_FLOOR = 20
_SIGNATURE_FLOOR = 15
"""Tokens added to the cost of every piece."""
_DECAY = 0.6
"""Exponent by which the value of a chunk falls with its rank in the file."""
NAMED = 1.5
"""Factor of the value of a chunk that contains a rare identifier of the task."""
PRECEDENTS = (2.0, 1.5, 1.2)
"""Factors of the value of a chunk with lines of the first, second and third precedent:
of the changed lines of the development cases, .53 are shown instead of .50.
"""
LONGEST_DEFINITION = 60
"""Maximum lines of a definition or section that is shown whole if one of its chunks is.
"""


class Piece(NamedTuple):
    """Lines that are shown together or not at all."""

    path: str
    lines: tuple[int, ...]
    level: int
    """Price in steps; pieces with a higher level are chosen first."""


@dataclass(frozen=True, slots=True)
class PricedFile:
    """A candidate with its text: lines without newline, and the estimated tokens of
    each.
    """

    candidate: Candidate
    kind: str
    hash: str
    """Content hash."""
    lines: Sequence[str]
    costs: Sequence[float]
    line: int = 1
    """The line that represents the file if no passage of it is shown."""


def estimate(line: str) -> float:
    """Return the estimated tokens of a line, including its newline."""
    bare = line.strip()
    if not bare:
        return 1.0 + _NUMBER_TOKENS
    dense = 0 if bare.isascii() else sum(char >= _DENSE for char in bare)
    return (
        1.2
        + _NUMBER_TOKENS
        + (len(bare) - dense) / _CHARACTERS
        + dense * _DENSE_TOKENS
        + (len(line) - len(bare)) / 24
    )


def short_definitions(file: File) -> Sequence[Span]:
    """Return the lines of the definitions and sections that are short enough to be
    shown whole, in file order.
    """
    parts = [(symbol.start, symbol.end) for symbol in file.symbols]
    parts += [(section.start, section.end) for section in file.sections]
    return sorted(
        (start, end) for start, end in parts if end - start < LONGEST_DEFINITION
    )


def enclosing(chunk: Chunk, definitions: Sequence[Span]) -> Span:
    """Return the first of the short definitions, in file order, that contains a chunk;
    the lines of the chunk without one.
    """
    earliest = chunk.start - LONGEST_DEFINITION
    for start, end in definitions[bisect_left(definitions, (earliest, 0)) :]:
        if start > chunk.start:
            break
        if chunk.end <= end:
            return start, end
    return chunk.start, chunk.end


def likely(candidate: Candidate, place: int, best: float) -> float:
    """Return the probability that a candidate belongs to the task, rounded to price
    steps.

    The coefficients are fitted on the development cases.
    """
    odds = (
        -5.26
        - 0.42 * math.log(1 + place / 2.5)
        + 0.31 * candidate.score
        + 3.33 * candidate.score / best
    )
    # Without rounding, the smallest change of a score would move pieces of the file to
    # another price.
    steps = round(-math.log1p(math.exp(-odds)) / STEP)
    return math.exp(STEP * steps)


def pieces_of(
    each: PricedFile,
    file: File,
    ordered: Sequence[Chunk],
    factors: Mapping[int, float],
    chance: float,
) -> Iterator[Piece]:
    """Yield signature and body of each chunk, most likely chunk first.

    `factors` has the factors of the values of chunks by their first lines; `chance` is
    the probability that the file belongs to the task.
    """
    definitions = short_definitions(file)
    parts = [enclosing(chunk, definitions) for chunk in ordered]
    values: list[float] = []
    totals: defaultdict[Span, float] = defaultdict(float)
    for rank, (chunk, part) in enumerate(zip(ordered, parts, strict=True)):
        value = chance / (1 + rank) ** _DECAY
        values.append(value * factors.get(chunk.start, 1.0))
        totals[part] += values[-1]
    signatures: set[str] = set()
    for chunk, part, value in zip(ordered, parts, values, strict=True):
        head = (chunk.head,) if chunk.head else ()
        for number in head:
            signature = each.lines[number - 1].strip()
            # Repeated signatures such as `def __init__(self):` add no information.
            if signature not in signatures:
                signatures.add(signature)
                yield _piece(each, head, _SIGNATURE * value, _SIGNATURE_FLOOR)
        start, end = part
        body = range(start, min(end, len(each.lines)) + 1)
        yield _piece(each, {*head, *body}, totals[part], _BODY_FLOOR)


def _piece(each: PricedFile, lines: Iterable[int], value: float, floor: int) -> Piece:
    numbers = tuple(sorted(lines))
    cost = sum(each.costs[line - 1] for line in numbers) + floor
    level = math.floor(math.log(value / cost) / STEP)
    return Piece(each.candidate.path, numbers, level)


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
