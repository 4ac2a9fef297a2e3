"""Text signals: terms of the card and of its sources in paths, names and texts."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from typing import NamedTuple

from cuedeck.context.ranking.chunk_scores import chunk_points
from cuedeck.context.ranking.signal_scores import RankingContext, SignalScores
from cuedeck.model.file import NO_WORDS
from cuedeck.parse.index_terms import DEFINED, NAME, PATH, defined_key
from cuedeck.text.bm25 import best_first
from cuedeck.text.words import spelled_part

_SEARCHED = 200
"""Maximum files, best first, whose chunks are scored."""
_NAMED = 2
"""Maximum words in a reason."""
_FURTHER = 0.3
"""Weight of the second and third best chunk of a file, relative to the best."""


def by_path(context: RankingContext) -> SignalScores:
    """Score files by words of the card in their path."""
    found = SignalScores(
        lambda _, having: f"path contains {_quoted(_spell(context, having, having))}"
    )
    for term, weight in context.query.words.items():
        worth = weight * context.rarity(PATH + term)
        for path, times in context.postings(PATH + term).items():
            depth = 1 + 0.2 * path.count("/")
            found.add(path, worth * min(times, 2) / depth, term)
    return found


def by_definition(context: RankingContext) -> SignalScores:
    """Score files that define names in the card."""
    found = SignalScores(lambda _, names: f"defines {_quoted(names)} named in the task")
    for name in context.query.names:
        having = context.postings(DEFINED + defined_key(name))
        for path in having:
            found.add(path, 1 / len(having), name)
    return found


def by_name(context: RankingContext) -> SignalScores:
    """Score files by words of the card in names of definitions and sections."""
    worths = {
        NAME + term: weight * context.rarity(NAME + term)
        for term, weight in context.query.words.items()
    }
    points: dict[str, float] = {**context.points(worths, 0.6, NAME)}
    return SignalScores(
        lambda path, _: f"definitions contain {_common(context, path, worths)}", points
    )


def by_text(context: RankingContext) -> SignalScores:
    """Score files by words of the card in the whole text."""
    worths = context.query.worths["words"]
    return SignalScores(
        lambda path, _: f"contains {_common(context, path, worths)}",
        dict(context.text_points),
    )


def by_chunk(context: RankingContext) -> SignalScores:
    """Score files by words of the card that occur close together, by their best
    chunks.
    """
    worths = context.query.worths["words"]

    def why(path: str, _: Sequence[str]) -> str:
        words = context.corpus.words(path) or NO_WORDS
        best = best_first(chunk_points(context, path, "words"))[0]
        having: list[str] = []
        for term in worths:
            chunks = words.counts.get(term, ())[::2]
            if best in chunks:
                having.append(term)
        shared = _rarest(context, having, worths)
        if len(shared) > 1:
            return f"contains close together: {_quoted(shared)}"
        return f"contains {_common(context, path, worths)}"

    scores = {}
    for path in leading(context.text_points, _SEARCHED):
        values = sorted(chunk_points(context, path, "words").values(), reverse=True)
        if values:
            scores[path] = values[0] + _FURTHER * sum(values[1:3])
    return SignalScores(why, scores)


def by_sources(context: RankingContext) -> SignalScores:
    """Score files by words that the sources use and few other files contain."""
    return _by_linked(context, "own", 0.5, "shares with linked files")


def by_focus(context: RankingContext) -> SignalScores:
    """Score files by words of the parts of the sources that match the card."""
    return _by_linked(context, "focus", 0.6, "shares with linked passages")


def _by_linked(
    context: RankingContext, name: str, slope: float, reason: str
) -> SignalScores:
    worths = context.query.worths[name]
    points: dict[str, float] = {**context.points(worths, slope)}
    return SignalScores(
        lambda path, _: f"{reason}: {_common(context, path, worths)}", points
    )


def _common(context: RankingContext, path: str, worths: Mapping[str, float]) -> str:
    """Return the quoted rarest terms of a query that a file contains."""
    having = [term for term in worths if path in context.postings(term)]
    return _quoted(_rarest(context, having, worths))


def _rarest(
    context: RankingContext, having: Sequence[str], worths: Mapping[str, float]
) -> list[str]:
    """Return the spellings of the rarest of some terms of a query."""
    ordered = best_first({term: worths[term] for term in having})
    bare = [term.removeprefix(NAME) for term in ordered]
    spellings = dict.fromkeys(_spell(context, bare, bare))
    # Alphabetical, because the order by rarity can change with every file.
    return sorted(islice(spellings, _NAMED))


def _spell(
    context: RankingContext, terms: Sequence[str], having: Container[str]
) -> list[str]:
    """Return terms as spelled in the card."""
    found = []
    for term in terms:
        word = context.query.spelled.get(term)
        bare = term.lstrip("=")
        found.append(bare if word is None else spelled_part(word, term, having))
    return found


def _quoted(words: Iterable[str]) -> str:
    shown = islice(dict.fromkeys(words), _NAMED)
    return ", ".join(f"`{word}`" for word in shown)


DAMPING = 20
"""Constant of the reciprocal rank: the rank `DAMPING + 1` is worth half of the first.
"""
CLARITY = 0.4
"""Share of the worth of a rank that follows the score instead of the rank."""
_STEP = math.log(1.04)
"""Step of scores: scores within four percent of each other count as equal."""
_GRAIN = 512
"""Resolution of the fused score: it is rounded to multiples of 1/512."""


class Place(NamedTuple):
    """The place of a name in one ranking."""

    rank: int
    """Rank from 1; ties share the rank of the first."""
    worth: float
    """Contribution to the fused score: 1 for the first rank, decreasing towards 0."""


def leading(scores: Mapping[str, float], most: int) -> list[str]:
    """Return the names with the `most` highest scores above zero, including ties with
    the last of them.
    """
    positive = [value for value in scores.values() if value > 0]
    if len(positive) <= most:
        return [name for name, value in scores.items() if value > 0]
    least = nlargest(most, positive)[-1]
    return [name for name, value in scores.items() if value >= least]


def place(scores: Mapping[str, float]) -> dict[str, Place]:
    """Return the place of each name with a score above zero, best first."""
    best = max(scores.values(), default=0.0)
    # Integer steps below the best score.
    steps = {
        name: round(math.log(value / best) / _STEP)
        for name, value in scores.items()
        if value > 0
    }
    places: dict[str, Place] = {}
    last = 1
    rank = 0
    for at, name in enumerate(best_first(steps), 1):
        if steps[name] != last:
            last = steps[name]
            rank = at
        by_rank = (1 - CLARITY) * DAMPING / (DAMPING + rank - 1)
        by_score = CLARITY * math.exp(last * _STEP)
        places[name] = Place(rank, by_rank + by_score)
    return places


def fuse(
    places: Mapping[str, Mapping[str, Place]],
    weights: Mapping[str, float],
    share: Callable[[str], float],
) -> dict[str, float]:
    """Return the fused score of every name, from its places in each signal.

    `share` returns the factor applied to the score of a name. Order: best first, ties
    by name.
    """
    total: defaultdict[str, float] = defaultdict(float)
    for signal, placed in places.items():
        for name, each in placed.items():
            total[name] += weights[signal] * each.worth
    rounded: dict[str, float] = {}
    for name, value in total.items():
        grains = round(value * share(name) * _GRAIN)
        rounded[name] = grains / _GRAIN
    return {name: rounded[name] for name in best_first(rounded)}
