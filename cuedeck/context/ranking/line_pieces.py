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
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.context.ranking.rank_files import Candidate
from cuedeck.model.file import Chunk, File
from cuedeck.model.scene_values import Span

STEP = math.log(1.1)
"""Step of the price scale; prices within a tenth of each other count as equal."""
NODE_TOKENS = 50
"""Estimated tokens of heading, reason, fence and map line of a file."""
GAP_TOKENS = 5
"""Estimated tokens of the mark for omitted lines."""
_NUMBER_TOKENS = 2
"""Estimated tokens of the number of a line."""
STOP = math.floor(math.log(0.0015) / STEP)
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
_NAMED = 1.5
"""Factor of the value of a chunk that contains a rare identifier of the task."""
LONGEST_DEFINITION = 40
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
    named: Collection[int],
    chance: float,
) -> Iterator[Piece]:
    """Yield signature and body of each chunk, most likely chunk first.

    `named` has the first lines of the chunks that contain a rare identifier of the
    task; `chance` is the probability that the file belongs to the task.
    """
    definitions = short_definitions(file)
    parts = [enclosing(chunk, definitions) for chunk in ordered]
    values: list[float] = []
    totals: defaultdict[Span, float] = defaultdict(float)
    for rank, (chunk, part) in enumerate(zip(ordered, parts, strict=True)):
        value = chance / (1 + rank) ** _DECAY
        values.append(value * _NAMED if chunk.start in named else value)
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
