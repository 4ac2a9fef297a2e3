"""The parts of a long source that match a query, and the most distinctive line of a
chunk.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from cuedeck.model.file import Chunk, Words
from cuedeck.model.scene_values import Span
from cuedeck.parse.search_terms import terms
from cuedeck.ranking.chunk_scores import name_points, order_chunks, word_points
from cuedeck.ranking.commit_relevance import CommitRelevance
from cuedeck.ranking.line_pieces import enclosing, estimate, short_definitions
from cuedeck.ranking.signal_scores import RankingContext

_DISTINCTIVE = (12, 60)
"""Minimum length in characters of a distinctive line, and the length from which longer
lines gain nothing.
"""
_LONG_NAME = 4
"""Minimum length in characters of a word of the card that counts as the name of a
definition.
"""


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


def open_parts(
    context: RankingContext,
    path: str,
    words: Words,
    history: CommitRelevance,
    lines: Sequence[str],
    tokens: int,
) -> tuple[Span, ...]:
    """Return the parts of a long source that match the query, within `tokens`; empty if
    nothing matches.
    """
    pointed = word_points(context, path).keys() | name_points(context, words).keys()
    spans: list[Span] = []
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
    for at in ordered:
        chunk = words.chunks[at]
        part = enclosing(chunk, definitions)
        if at not in pointed or part in spans:
            continue
        cost = sum(map(estimate, lines[part[0] - 1 : part[1]]))
        if cost <= tokens:
            spans.append(part)
            tokens -= math.ceil(cost)
    return tuple(sorted(spans))


def _own_name(chunk: Chunk) -> str:
    """Return the unqualified name of a chunk's definition."""
    return chunk.name.rpartition(".")[2].casefold()
