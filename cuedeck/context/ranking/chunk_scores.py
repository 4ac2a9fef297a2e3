"""Scores of the chunks of one file for a query: by words, history and names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cuedeck.context.ranking.commit_relevance import CommitRelevance
from cuedeck.context.ranking.signal_scores import Points, RankingContext
from cuedeck.model.file import Words
from cuedeck.parse.index_terms import defined_key
from cuedeck.text.bm25 import part
from cuedeck.text.words import name_term, terms

_MOST_NAMED = 40
"""Maximum occurrences of an identifier of the task whose passages rank higher."""
_IDENTIFIER = 2.0
"""Weight of such an identifier."""


def word_points(context: RankingContext, path: str) -> Points:
    """Return the BM25 points of the chunks of one file for the words of the card."""
    return chunk_points(context, path, "words")


def chunk_points(context: RankingContext, path: str, name: str) -> Points:
    """Return the BM25 points of the chunks of one file for the terms of the query that
    `Query.worths` has by `name`.
    """
    worths, mean = context.query.worths[name], context.means["chunk"]
    inputs = (context.lookup.hash(path), worths, mean)
    return context.memo.get(
        "chunk points",
        (path, name),
        inputs,
        lambda: _add_points(context, path, worths, mean),
    )


def _add_points(
    context: RankingContext, path: str, worths: Mapping[str, float], mean: float
) -> Points:
    words = context.corpus.words(path)
    found: dict[int, int] = {}
    if words is None:
        return found
    for term, worth in worths.items():
        pairs = words.counts.get(term)
        if pairs:
            for at, times in zip(pairs[::2], pairs[1::2], strict=True):
                points = part(
                    times, words.chunks[at].words, worth, mean=mean, slope=0.5
                )
                found[at] = found.get(at, 0) + points
    return found


def identifier_points(context: RankingContext, words: Words) -> dict[int, float]:
    """Return the points of the chunks that contain a rare identifier of the task.

    An identifier of several words (`cli_group`) with few occurrences in the workspace
    shows where the task has to be done better than any plain word.
    """
    found: dict[int, float] = {}
    for name in context.query.identifiers:
        term = name_term(name)
        pairs = words.counts.get(term)
        if not pairs:
            continue
        occurrences = sum(context.postings(term).values())
        if occurrences <= _MOST_NAMED:
            value = 1 / math.log2(2 + occurrences)
            for at in pairs[::2]:
                found[at] = max(found.get(at, 0.0), value)
    return found


def score_inputs(
    context: RankingContext, path: str, history: CommitRelevance
) -> object:
    """Return everything that decides about the scores of the chunks of a file, as the
    inputs of a memo.
    """
    return context.lookup.hash(path), history, context.query, context.means["chunk"]


def order_chunks(
    context: RankingContext, path: str, words: Words, history: CommitRelevance
) -> list[int]:
    """Return the chunk indexes of a file, most likely first."""
    total = score_chunks(context, path, words, history)
    return sorted(total, key=lambda at: (-total[at], at))


def score_chunks(
    context: RankingContext, path: str, words: Words, history: CommitRelevance
) -> dict[int, float]:
    """Return the score of each chunk of a file: by words of the card, history and
    names.

    The first chunk of the file gets a bonus. Recently added lines tend to change again;
    this signal gained one hundredth of the changed lines on the development cases.
    """
    if not words.chunks:  # files above the size limit have no indexed words
        return {}
    query = context.query
    own = chunk_points(context, path, "own")
    focus = chunk_points(context, path, "focus")
    identifiers = identifier_points(context, words)
    by_words = (
        (4.0, word_points(context, path)),
        (0.5, own),
        (0.5, focus),
        (_IDENTIFIER, identifiers),
    )
    inputs = (context.lookup.hash(path), history, query.words, query.names, by_words)

    def score() -> dict[int, float]:
        return _weigh_chunks(context, path, words, history, by_words)

    return context.memo.get("chunk scores", path, inputs, score)


def line_shares(
    context: RankingContext, path: str, history: CommitRelevance
) -> Mapping[int, float]:
    """Return the score of the chunk of each line, as a share of the best chunk of the
    file.
    """

    def spread() -> Mapping[int, float]:
        words = context.corpus.words(path)
        if words is None:
            return {}
        scores = score_chunks(context, path, words, history)
        best = max(scores.values(), default=0.0)
        shares: dict[int, float] = {}
        for at, chunk in enumerate(words.chunks):
            share = scores[at] / best if best else 0.0
            shares.update(dict.fromkeys(range(chunk.start, chunk.end + 1), share))
        return shares

    inputs = score_inputs(context, path, history)
    return context.memo.get("line shares", path, inputs, spread)


def _weigh_chunks(
    context: RankingContext,
    path: str,
    words: Words,
    history: CommitRelevance,
    by_words: Sequence[tuple[float, Mapping[int, float]]],
) -> dict[int, float]:
    weighed = list(by_words)
    if history.commits:
        fresh = _by_line(words, history.freshness(context, path))
        recent = {at: math.sqrt(value) for at, value in fresh.items()}
        similar = _by_line(words, history.line_weights(context, path))
        weighed.append((1.0, similar))
        weighed.append((2.0, recent))
    weighed.append((1.0, name_points(context, words)))
    weighed.append((1.0, {0: 1.0}))
    total = dict.fromkeys(range(len(words.chunks)), 0.0)
    for weight, values in weighed:
        most = max(values.values(), default=0.0)
        for at, value in values.items():
            total[at] += weight * round(32 * value / most) / 32 if most else 0.0
    return total


def _by_line(words: Words, points: Mapping[int, float]) -> dict[int, float]:
    """Return the summed weight of the lines of each chunk, without chunks of weight
    0.
    """
    found: dict[int, float] = {}
    if points:
        for at, chunk in enumerate(words.chunks):
            value = sum(
                points.get(line, 0.0) for line in range(chunk.start, chunk.end + 1)
            )
            if value:
                found[at] = value
    return found


def name_points(context: RankingContext, words: Words) -> dict[int, float]:
    """Return the points of the chunks whose definition the card names."""
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
