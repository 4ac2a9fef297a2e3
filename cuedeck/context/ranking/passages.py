"""The parts of a file by their value for a query, and the most distinctive line of a
chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.context.ranking.chunk_scores import order_chunks
from cuedeck.context.ranking.commit_relevance import CommitRelevance
from cuedeck.context.ranking.line_pieces import (
    LONGEST_DEFINITION,
    enclosing,
    short_definitions,
)
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.model.file import Chunk
from cuedeck.model.scene_values import Span
from cuedeck.text.words import terms

_DISTINCTIVE = (12, 60)
"""Minimum length in characters of a distinctive line, and the length from which longer
lines gain nothing.
"""
_LONG_NAME = 4
"""Minimum length in characters of a word of the card that counts as the name of a
definition.
"""
_WINDOW = 20
_MOST_WINDOWS = 500
"""Lines of a window, and maximum number of windows of a file without indexed words."""


def distinctive_line(
    context: RankingContext, chunk: Chunk, lines: Sequence[str], often: Sequence[int]
) -> int:
    """Return the most distinctive line of a chunk; 0 if there is none.

    Lines found in no other file come first, then lines with the most words of the card,
    then longer lines up to a limit. `often` gives for each line of the file the number
    of files that contain it.
    """
    query = context.query.words
    best, distinctive = (False, 0.0, 0), 0
    for line in range(chunk.start, min(chunk.end, len(lines)) + 1):
        text = lines[line - 1].strip()
        if line == chunk.head or line > len(often) or len(text) < _DISTINCTIVE[0]:
            continue
        points = sum(query.get(term, 0.0) for term in terms(text))
        worth = (
            often[line - 1] == 1,
            round(points, 3),
            min(len(text), _DISTINCTIVE[1]),
        )
        if worth > best and any(worth[:2]):
            best, distinctive = worth, line
    return distinctive


def order_bodies(
    context: RankingContext, path: str, history: CommitRelevance, lines: int
) -> tuple[Span, ...]:
    """Return the parts of a file with a number of `lines`, most valuable first: short
    definitions and chunks of others.

    A file without indexed words has windows of lines in file order.
    """
    words = context.corpus.words(path)
    if words is None or not words.chunks:
        return tuple(_windows((1, min(lines, _WINDOW * _MOST_WINDOWS))))
    card_names = {
        word.casefold()
        for word in context.query.spelled.values()
        if len(word) >= _LONG_NAME
    }
    # Definitions that the card names come first, even if their words match little.
    ordered = sorted(
        order_chunks(context, path, words, history),
        key=lambda at: _own_name(words.chunks[at]) not in card_names,
    )
    file = context.lookup.file(path)
    definitions = short_definitions(file) if file is not None else ()
    parts = (enclosing(words.chunks[at], definitions) for at in ordered)
    windows = (window for part in parts for window in _windows(part))
    return tuple(dict.fromkeys(windows))


def _windows(part: Span) -> Iterator[Span]:
    """Yield a part; one that is longer than any definition in windows of lines, because
    a chunk may contain many lines without words.
    """
    start, end = part
    length = _WINDOW if end - start >= LONGEST_DEFINITION else LONGEST_DEFINITION
    for first in range(start, end + 1, length):
        yield first, min(first + length - 1, end)


def _own_name(chunk: Chunk) -> str:
    """Return the unqualified name of a chunk's definition."""
    return chunk.name.rpartition(".")[2].casefold()
