"""Scores of the chunks of one file for a query: by words, history and names."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping

from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.model.file import NO_WORDS, Words
from cuedeck.parse.index_terms import defined_key
from cuedeck.text.bm25 import best_first, part
from cuedeck.text.words import name_term, terms

_MOST_NAMED = 40
"""Maximum occurrences of an identifier of the task whose passages rank higher."""
LONGEST_LINE = 300
"""Number of characters of a line that are read."""
_AGING = 25
"""Commits after which a new line is half as likely to change again."""


def chunk_points(context: RankingContext, path: str, name: str) -> Mapping[int, int]:
    """Return the BM25 points of the chunks of one file, by chunk index, for the terms
    of the query that `Query.worths` has by `name`.
    """
    worths = context.query.worths[name]
    mean = context.means["chunk"]

    def add_up() -> Mapping[int, int]:
        words = context.corpus.words(path) or NO_WORDS
        found: defaultdict[int, int] = defaultdict(int)
        for term, worth in worths.items():
            pairs = words.counts.get(term, ())
            for at, times in zip(pairs[::2], pairs[1::2], strict=True):
                length = words.chunks[at].words
                found[at] += part(times, length, worth, mean=mean, slope=0.5)
        return found

    inputs = (context.lookup.hash(path), worths, mean)
    return context.memo.get("chunk points", (path, name), inputs, add_up)


def identifier_points(context: RankingContext, words: Words) -> dict[int, float]:
    """Return the points of the chunks that contain a rare identifier of the task.

    An identifier of several words (`cli_group`) with few occurrences in the workspace
    shows where the task has to be done better than any plain word.
    """
    found: dict[int, float] = {}
    for name in context.query.identifiers:
        term = name_term(name)
        pairs = words.counts.get(term, ())
        occurrences = sum(context.postings(term).values())
        if occurrences <= _MOST_NAMED:
            value = 1 / math.log2(2 + occurrences)
            for at in pairs[::2]:
                found[at] = max(found.get(at, 0.0), value)
    return found


def order_chunks(context: RankingContext, path: str) -> list[int]:
    """Return the chunk indexes of a file, most likely first."""
    total = score_chunks(context, path)
    return best_first(total)


def score_chunks(context: RankingContext, path: str) -> Mapping[int, float]:
    """Return the score of each chunk of a file: by words of the card, history and
    names.

    The first chunk of the file gets a bonus. Recently added lines tend to change again;
    this signal gained one hundredth of the changed lines on the development cases.
    """
    return context.of_file("chunk scores", path, lambda: _weigh_chunks(context, path))


def line_shares(context: RankingContext, path: str) -> Mapping[int, float]:
    """Return the score of the chunk of each line, as a share of the best chunk of the
    file.
    """

    def spread() -> Mapping[int, float]:
        words = context.corpus.words(path) or NO_WORDS
        scores = score_chunks(context, path)
        best = max(scores.values(), default=0.0)
        shares: dict[int, float] = {}
        for at, chunk in enumerate(words.chunks):
            share = scores[at] / best if best else 0.0
            lines = range(chunk.start, chunk.end + 1)
            shares.update(dict.fromkeys(lines, share))
        return shares

    return context.of_file("line shares", path, spread)


def line_worths(
    context: RankingContext, rows: Mapping[int, str]
) -> Mapping[int, float]:
    """Return the worth of lines: the words of the task and of the focus in them."""
    found = {line: terms(row[:LONGEST_LINE]) for line, row in rows.items()}
    total = dict.fromkeys(rows, 0.0)
    for name in ("words", "focus"):
        worths = context.query.worths[name]
        most = max(worths.values(), default=0.0) or 1.0
        for line, own in found.items():
            value = sum(worths.get(term, 0.0) for term in own) / most
            total[line] += min(value, 2.0)
    return total


def line_weights(context: RankingContext, path: str) -> Mapping[int, float]:
    """Return the weight of each line of a file, by line number; identical lines share
    their weight.

    A line has weight if it was added by a commit similar to the card, or by one that
    also changed a source.
    """
    weights = context.history.weights.get(path)
    if not weights:
        return {}

    def spread() -> Mapping[int, float]:
        sums = context.corpus.sums(path)
        often = Counter(sum_ for sum_ in sums if sum_ in weights)
        return {
            line: weights[sum_] / often[sum_]
            for line, sum_ in enumerate(sums, 1)
            if sum_ in often
        }

    inputs = (context.lookup.hash(path), weights)
    return context.memo.get("line weights", path, inputs, spread)


def _weigh_chunks(context: RankingContext, path: str) -> Mapping[int, float]:
    words = context.corpus.words(path) or NO_WORDS
    if not words.chunks:  # files above the size limit have no indexed words
        return {}
    weighed: list[tuple[float, Mapping[int, float]]] = [
        (4.0, chunk_points(context, path, "words")),
        (0.5, chunk_points(context, path, "own")),
        (0.5, chunk_points(context, path, "focus")),
        (2.0, identifier_points(context, words)),
        (1.0, _by_line(words, line_weights(context, path))),
        (2.0, _by_line(words, _freshness(context, path), root=True)),
        (1.0, _name_points(context, words)),
        (1.0, {0: 1.0}),
    ]
    total = dict.fromkeys(range(len(words.chunks)), 0.0)
    for weight, values in weighed:
        most = max(values.values(), default=0.0)
        if not most:
            continue
        for at, value in values.items():
            steps = round(32 * value / most)
            total[at] += weight * steps / 32
    return total


def _by_line(
    words: Words, points: Mapping[int, float], *, root: bool = False
) -> Mapping[int, float]:
    """Return the summed weight of the lines of each chunk, or its square root, without
    chunks of weight 0.
    """
    found: dict[int, float] = {}
    for at, chunk in enumerate(words.chunks if points else ()):
        lines = range(chunk.start, chunk.end + 1)
        value = sum(points.get(line, 0.0) for line in lines)
        if value:
            found[at] = math.sqrt(value) if root else value
    return found


def _name_points(context: RankingContext, words: Words) -> Mapping[int, float]:
    """Return the points of the chunks whose definition the card names."""
    query = context.query
    named = {defined_key(name) for name in query.names}
    found: dict[int, float] = {}
    for at, chunk in enumerate(words.chunks):
        if chunk.name:
            own = terms(chunk.name.rpartition(".")[2])
            value = sum(query.words.get(term, 0.0) for term in own)
            value /= 1 + 0.3 * len(own)
            if defined_key(chunk.name) in named:
                value += 2.0
            if value:
                found[at] = value
    return found


def _freshness(context: RankingContext, path: str) -> Mapping[int, float]:
    """Return the freshness of the lines of a file, by line number.

    The newest lines have 1; lines that no known commit added are absent.
    """
    touches = context.history.touches.get(path)
    if not touches:
        return {}
    newest: dict[int, float] = {}
    for age, touched in touches:
        worth = 2.0 ** -int(math.log2(1 + age / _AGING))
        for sum_ in filter(None, touched.added):
            newest.setdefault(sum_, worth)
    return {
        line: newest[sum_]
        for line, sum_ in enumerate(context.corpus.sums(path), 1)
        if sum_ in newest
    }
