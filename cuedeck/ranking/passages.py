"""Ranking of the chunks of a file for a query, and selection of its most distinctive line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cuedeck.model.file import Chunk, Words
from cuedeck.model.scene_values import Span
from cuedeck.parse.index_terms import defined_key
from cuedeck.parse.search_terms import terms
from cuedeck.ranking.commit_relevance import CommitRelevance
from cuedeck.ranking.line_pieces import enclosing, estimate, short_definitions
from cuedeck.ranking.signal_scores import RankingContext

_DISTINCTIVE = (12, 60)
"""Minimum length in characters of a distinctive line, and the length from which longer lines gain nothing."""
_LONG_NAME = 4
"""Minimum length in characters of a word of the card that counts as the name of a definition."""


def order_chunks(context: RankingContext, path: str, words: Words, history: CommitRelevance) -> list[int]:
    """Return the chunk indexes of a file, most likely first."""
    total = score_chunks(context, path, words, history)
    return sorted(total, key=lambda at: (-total[at], at))


def score_chunks(context: RankingContext, path: str, words: Words, history: CommitRelevance) -> dict[int, float]:
    """Return the score of each chunk of a file: by words of the card, history and names.

    The first chunk of the file gets a bonus. Recently added lines tend to change again; this signal gained one
    hundredth of the changed lines on the development cases.
    """
    if not words.chunks:  # files above the size limit have no indexed words
        return {}
    query = context.query
    said = context.word_points(path)
    own = context.chunk_points(path, "own", query.own)
    focus = context.chunk_points(path, "focus", query.focus)
    inputs = (context.lookup.hash(path), history, query.words, query.names, said, own, focus)

    def score() -> dict[int, float]:
        return _weigh_chunks(context, path, words, history, (said, own, focus))

    return context.memo.get("chunk scores", path, inputs, score)


def _weigh_chunks(
    context: RankingContext,
    path: str,
    words: Words,
    history: CommitRelevance,
    points: tuple[Mapping[int, int], Mapping[int, int], Mapping[int, int]],
) -> dict[int, float]:
    """Return the score of each chunk; `points` are those for the words of the card, the own and the focus terms."""
    said, own, focus = points
    total = dict.fromkeys(range(len(words.chunks)), 0.0)
    weighed: tuple[tuple[float, Mapping[int, float]], ...] = (
        (4.0, said),
        (1.0, _by_line(words, history.line_weights(context, path))),
        (2.0, {at: math.sqrt(value) for at, value in _by_line(words, history.freshness(context, path)).items()}),
        (1.0, _by_name(context, words)),
        (0.5, own),
        (0.5, focus),
        (1.0, {0: 1.0}),
    )
    for weight, values in weighed:
        most = max(values.values(), default=0.0)
        for at, value in values.items():
            total[at] += weight * round(32 * value / most) / 32 if most else 0.0
    return total


def distinctive_line(context: RankingContext, chunk: Chunk, lines: Sequence[str], often: Sequence[int]) -> int:
    """Return the most distinctive line of a chunk; 0 if there is none.

    Lines found in no other file come first, then lines with the most words of the card, then longer lines up to a
    limit. `often` gives for each line of the file the number of files that contain it.
    """
    query = context.query.words
    best, distinctive = (False, 0.0, 0), 0
    for line in range(chunk.start, min(chunk.end, len(lines)) + 1):
        text = lines[line - 1].strip()
        if line == chunk.head or line > len(often) or len(text) < _DISTINCTIVE[0]:
            continue
        points = sum(query.get(term, 0.0) for term in terms(text))
        worth = (often[line - 1] == 1, round(points, 3), min(len(text), _DISTINCTIVE[1]))
        if worth > best and any(worth[:2]):
            best, distinctive = worth, line
    return distinctive


def open_parts(
    context: RankingContext, path: str, words: Words, history: CommitRelevance, lines: Sequence[str], tokens: int
) -> tuple[Span, ...]:
    """Return the parts of a long source that match the query, within `tokens`; empty if nothing matches."""
    pointed = context.word_points(path).keys() | _by_name(context, words).keys()
    spans: list[Span] = []
    said = {word.casefold() for word in context.query.spelled.values() if len(word) >= _LONG_NAME}
    # Definitions that the card names come first, even if their words match little.
    ordered = sorted(
        order_chunks(context, path, words, history), key=lambda at: _own_name(words.chunks[at]) not in said
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


def _by_line(words: Words, points: Mapping[int, float]) -> dict[int, float]:
    """Return the summed weight of the lines of each chunk, without chunks of weight 0."""
    found: dict[int, float] = {}
    if points:
        for at, chunk in enumerate(words.chunks):
            value = sum(points.get(line, 0.0) for line in range(chunk.start, chunk.end + 1))
            if value:
                found[at] = value
    return found


def _by_name(context: RankingContext, words: Words) -> dict[int, float]:
    query = context.query
    named = {defined_key(name) for name in query.names}
    found: dict[int, float] = {}
    for at, chunk in enumerate(words.chunks):
        own = terms(chunk.name.rpartition(".")[2]) if chunk.name else {}
        value = sum(query.words.get(term, 0.0) for term in own) / (1 + 0.3 * len(own))
        if chunk.name and defined_key(chunk.name) in named:
            value += 2.0
        if value:
            found[at] = value
    return found
