"""Candidate pool: the text, chunks and priced lines of the ranked files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cuedeck.context.ranking.chunk_scores import (
    identifier_points,
    line_worths,
    order_chunks,
)
from cuedeck.context.ranking.line_pieces import (
    LONGEST_DEFINITION,
    NAMED,
    PRECEDENTS,
    STOP,
    STOP_WITHOUT_LINKS,
    CandidatePool,
    Piece,
    PricedFile,
    enclosing,
    estimate,
    likely,
    pieces_of,
    short_definitions,
)
from cuedeck.context.ranking.precedents import Precedent, find_precedents
from cuedeck.context.ranking.rank_files import Candidate, Ranking
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.model.file import NO_WORDS, Chunk
from cuedeck.model.scene_values import Span

_LONG_NAME = 4
"""Minimum length in characters of a word of the card that counts as the name of a
definition.
"""
_WINDOW = 20
_MOST_WINDOWS = 500
"""Lines of a window, and maximum number of windows of a file without indexed words."""


def candidate_pool(context: RankingContext, ranking: Ranking) -> CandidatePool:
    """Return the candidates that contain text, from the memo if neither the ranking nor
    a candidate changed.
    """
    skipped = copies(context, ranking)
    shown = []
    for each in ranking.candidates:
        file = context.lookup.file(each.path)
        words = context.corpus.words(each.path) or NO_WORDS
        if each.path in skipped or file is None:
            continue
        if file.lines and words.chunks:
            shown.append(each)
    hashes = [(each.path, context.lookup.hash(each.path)) for each in shown]
    precedents = find_precedents(context, ranking)
    inputs = (ranking, hashes, precedents)

    def read() -> CandidatePool:
        best = max((each.score for each in shown), default=1.0)
        files: list[PricedFile] = []
        pieces: list[Piece] = []
        for place, each in enumerate(shown):
            chance = likely(each, place, best)
            priced, own = _price(context, each, precedents, chance)
            files.append(priced)
            pieces += own
        stop = STOP if context.query.sources else STOP_WITHOUT_LINKS
        return CandidatePool(files, pieces, stop)

    return context.memo.get("candidates", "", inputs, read)


def _price(
    context: RankingContext,
    candidate: Candidate,
    precedents: Sequence[Precedent],
    chance: float,
) -> tuple[PricedFile, Sequence[Piece]]:
    """Return a candidate with its text, and its pieces."""
    path = candidate.path
    file = context.lookup.file(path)
    words = context.corpus.words(path)
    assert file is not None
    assert words is not None
    lines = context.texts.text(path).split("\n")[: file.lines]
    ordered = [words.chunks[at] for at in order_chunks(context, path)]
    priced = PricedFile(
        candidate,
        file.kind,
        context.lookup.hash(path),
        lines,
        [estimate(line) for line in lines],
        _likely_line(context, lines, ordered),
    )
    named = identifier_points(context, words)
    factors = {words.chunks[at].start: NAMED for at in named}
    for precedent, factor in zip(precedents, PRECEDENTS, strict=False):
        for start in _touched(precedent, path, words.chunks):
            factors[start] = factors.get(start, 1.0) * factor
    return priced, list(pieces_of(priced, file, ordered, factors, chance))


def _touched(precedent: Precedent, path: str, chunks: Sequence[Chunk]) -> set[int]:
    """Return the first lines of the chunks of a file with lines of a precedent."""
    spans = [
        span for each in precedent.files if each.path == path for span in each.spans
    ]
    return {
        chunk.start
        for chunk in chunks
        if any(first <= chunk.end and chunk.start <= last for first, last in spans)
    }


def _likely_line(
    context: RankingContext, lines: Sequence[str], ordered: Sequence[Chunk]
) -> int:
    """Return the line of the likeliest chunk with the most words of the task; of equal
    ones the signature or heading, then the first.
    """
    for chunk in ordered:
        numbers = [chunk.head] if chunk.head else []
        numbers += range(chunk.start, min(chunk.end, len(lines)) + 1)
        rows = {number: lines[number - 1] for number in numbers}
        rows = {number: row for number, row in rows.items() if row.strip()}
        if rows:
            worths = line_worths(context, rows)
            return max(rows, key=lambda number: round(worths[number], 3))
    return 1


def copies(context: RankingContext, ranking: Ranking) -> Mapping[str, str]:
    """Return the candidates with the same content as a shown file or a better
    candidate, each with that file's path.

    Examples are symbolic links and copied files.
    """
    shown = context.query.shown
    lookup = context.lookup
    read = [path for path in sorted(shown) if lookup.file(path) is not None]
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for path in (*read, *(each.path for each in ranking.candidates)):
        original = first.setdefault(lookup.hash(path), path)
        if path not in shown and original != path:
            found[path] = original
    return found


def order_bodies(context: RankingContext, path: str, lines: int) -> tuple[Span, ...]:
    """Return the parts of a file with a number of `lines`, most valuable first: short
    definitions and chunks of others.

    A file without indexed words has windows of lines in file order.
    """
    chunks = (context.corpus.words(path) or NO_WORDS).chunks
    file = context.lookup.file(path)
    if not chunks or file is None:
        return tuple(_windows((1, min(lines, _WINDOW * _MOST_WINDOWS))))
    names = context.query.spelled.values()
    card_names = {word.casefold() for word in names if len(word) >= _LONG_NAME}

    def is_unnamed(at: int) -> bool:
        return chunks[at].name.rpartition(".")[2].casefold() not in card_names

    definitions = short_definitions(file)
    found: dict[Span, None] = {}
    # Definitions that the card names come first, even if their words match little.
    for at in sorted(order_chunks(context, path), key=is_unnamed):
        found.update(dict.fromkeys(_windows(enclosing(chunks[at], definitions))))
    return tuple(found)


def _windows(part: Span) -> Iterator[Span]:
    """Yield a part in windows of lines if it is longer than any definition."""
    start, end = part
    length = _WINDOW if end - start >= LONGEST_DEFINITION else LONGEST_DEFINITION
    for first in range(start, end + 1, length):
        yield first, min(first + length - 1, end)
