"""Which lines of which files: more files before more lines, and of each file what the query points at.

Every window of code and every signature is a piece with a value, how likely it is needed, and a cost in tokens.
Pieces are taken down to one price for all of them. The price goes in coarse steps, so that an edit that makes
one file a little longer seldom moves what is shown of another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.model.chunk import Chunk
from cuedeck.ranking.rank_files import Candidate

STEP = math.log(1.1)
"""Prices nearer than a tenth of each other are one."""
NODE_TOKENS = 24
"""About what heading, reason and fence of a file cost."""
GAP_TOKENS = 2
"""About what the mark for lines left out costs."""
_CHARACTERS = 3.4
"""Of a token of code, without its indentation."""
_DENSE = "\u2e80"
"""From this character on scripts have about a word, not a letter, to a character."""
_DENSE_TOKENS = 0.75
"""Of such a character."""
_SIGNATURE = 1.3
"""Value of a signature against that of a body: it is what an agent needs to go on.

Of 1.2, 1.3 and 1.45 this one shows most of the signatures and lines that change, all added up over scenes of 4,000 and
8,000 tokens of the development cases; more of it is worth signatures and costs lines.
"""
_BODY_FLOOR = 60
_SIGNATURE_FLOOR = 15
"""Tokens added to the cost of every piece: a very short one is not worth much more than a short one."""
_FIRST = 1_000.0
"""Value of the piece by which a file is there at all."""
_SURE_FILES = 28
"""Files that are shown with at least one piece, where there is room."""
_ROOM_PER_FILE = 185
"""Tokens of room that each of them needs: a small budget is better spent on fewer files.

On the development cases a scene of 4,000 tokens loses one hundredth of the files by it, against 125, and holds two more
of the signatures and of the lines that change.
"""
_PLACE = 1.5
"""Place in its file at which a chunk is half as likely as the first."""


class Piece(NamedTuple):
    """Lines that are shown together or not at all."""

    path: str
    lines: tuple[int, ...]
    level: int
    """Steps of its price; higher goes first."""


@dataclass(frozen=True, slots=True)
class PricedFile:
    """A candidate with its text: lines without newline and an estimate of the tokens of each."""

    candidate: Candidate
    kind: str
    lines: Sequence[str]
    costs: Sequence[float]
    telling: int = 0
    """The line of its likeliest chunk that says most of it; 0 when none stands out."""


def estimate(line: str) -> float:
    """Return about how many tokens a line has, its newline included."""
    bare = line.strip()
    if not bare:
        return 1.0
    dense = 0 if bare.isascii() else sum(char >= _DENSE for char in bare)
    return 1.2 + (len(bare) - dense) / _CHARACTERS + dense * _DENSE_TOKENS + (len(line) - len(bare)) / 24


def likely(candidate: Candidate, place: int, best: float) -> float:
    """Return how likely a candidate belongs to the task, in steps of a price; fitted on the development cases."""
    odds = -5.26 - 0.42 * math.log(1 + place / 2.5) + 0.31 * candidate.score + 3.33 * candidate.score / best
    # Without steps the least change of a score moves some of a file's pieces to another price.
    return math.exp(STEP * round(-math.log1p(math.exp(-odds)) / STEP))


def sure_files(room: int) -> int:
    """Return how many files are shown with at least one piece in `room` tokens."""
    return max(0, min(_SURE_FILES, room // _ROOM_PER_FILE))


def pieces(files: Sequence[PricedFile], chunks: Mapping[str, Sequence[Chunk]], sure: int) -> Iterator[Piece]:
    """Yield every piece of the candidates; of the first `sure` of them what tells most goes before all else.

    `chunks` are those of each file, the likeliest first.
    """
    best = max((each.candidate.score for each in files), default=1.0)
    for place, each in enumerate(files):
        chance = likely(each.candidate, place, best)
        yield from _pieces_of(each, chunks[each.candidate.path], chance, sure=place < sure)


def _pieces_of(each: PricedFile, ordered: Sequence[Chunk], chance: float, *, sure: bool) -> Iterator[Piece]:
    """Yield signature and body of each chunk, the likeliest first; what tells most of a sure file before all else."""
    path = each.candidate.path
    if sure and ordered:
        first = ordered[0]
        lines = tuple(sorted({*((first.head,) if first.head else ()), each.telling or first.start}))
        yield Piece(path, lines, _level(_FIRST * chance / _cost(each, lines)))
    said: set[str] = set()
    for rank, chunk in enumerate(ordered):
        value = chance / (1 + rank / _PLACE)
        head = (chunk.head,) if chunk.head else ()
        body = tuple(range(chunk.start, min(chunk.end, len(each.lines)) + 1))
        signature = each.lines[chunk.head - 1].strip() if head else ""
        # A second `def __init__(self):` says no more than the first.
        if head and signature not in said:
            said.add(signature)
            yield Piece(path, head, _level(_SIGNATURE * value / (_cost(each, head) + _SIGNATURE_FLOOR)))
        lines = tuple(sorted({*head, *body}))
        yield Piece(path, lines, _level(value / (_cost(each, lines) + _BODY_FLOOR)))


def _cost(each: PricedFile, lines: Sequence[int]) -> float:
    return sum(each.costs[line - 1] for line in lines)


def _level(price: float) -> int:
    return math.floor(math.log(price) / STEP)
