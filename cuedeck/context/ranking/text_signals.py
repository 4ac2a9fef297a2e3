"""Text signals: terms of the card and of its sources in paths, names and texts."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from cuedeck.context.ranking.chunk_scores import word_points
from cuedeck.context.ranking.rank_fusion import leading
from cuedeck.context.ranking.signal_scores import RankingContext, Scores, SignalScores
from cuedeck.parse.index_terms import DEFINED, NAME, PATH, defined_key
from cuedeck.text.bm25 import rarity
from cuedeck.text.words import spelled_part

_SEARCHED = 200
"""Maximum files, best first, whose chunks are scored."""
_NAMED = 2
"""Maximum words in a reason."""
_FURTHER = 0.3
"""Weight of the second and third best chunk of a file, relative to the best."""


def by_path(context: RankingContext) -> SignalScores:
    """Score files by words of the card in their path."""
    scores: Scores = {}
    matched: dict[str, list[str]] = {}
    for term, weight in context.query.words.items():
        having = context.postings(PATH + term)
        rare = rarity(len(having), context.total)
        for path, times in having.items():
            scores[path] = scores.get(path, 0.0) + weight * rare * min(times, 2) / (
                1 + 0.2 * path.count("/")
            )
            matched.setdefault(path, []).append(term)

    def why(path: str) -> str:
        return f"path contains {_quoted([_spelled(context, term, matched[path]) for term in matched[path]])}"

    return SignalScores(scores, why)


def by_definition(context: RankingContext) -> SignalScores:
    """Score files that define names in the card."""
    scores: Scores = {}
    named: dict[str, list[str]] = {}
    for name in context.query.names:
        having = context.postings(DEFINED + defined_key(name))
        for path in having:
            scores[path] = scores.get(path, 0.0) + 1 / len(having)
            named.setdefault(path, []).append(name)
    return SignalScores(
        scores, lambda path: f"defines {_quoted(named[path])} named in the task"
    )


def by_name(context: RankingContext) -> SignalScores:
    """Score files by words of the card in names of definitions and sections."""
    points = context.points(context.query.words, 0.6, NAME)
    return SignalScores(
        points, lambda path: f"definitions contain {_shared(context, path, NAME)}"
    )


def by_text(context: RankingContext) -> SignalScores:
    """Score files by words of the card in the whole text."""
    points = context.text_points()
    return SignalScores(points, lambda path: f"contains {_shared(context, path)}")


def by_chunk(context: RankingContext) -> SignalScores:
    """Score files by words of the card that occur close together, by their best
    chunks.
    """
    points = context.text_points()
    best = leading(points, _SEARCHED)
    scores: Scores = {}
    for path in best:
        found = sorted(word_points(context, path).values(), reverse=True)
        if found:
            scores[path] = found[0] + _FURTHER * sum(found[1:3])

    def why(path: str) -> str:
        having = _best_chunk_terms(context, path)
        words = _rarest(context, having, context.query.words)
        if len(words) > 1:
            return f"contains close together: {_quoted(words)}"
        return f"contains {_shared(context, path)}"

    return SignalScores(scores, why)


def _best_chunk_terms(context: RankingContext, path: str) -> Sequence[str]:
    """Return the words of the card that the best chunk of a file contains."""
    points, words = word_points(context, path), context.corpus.words(path)
    assert words is not None
    best = min(points, key=lambda at: (-points[at], at))
    return [
        term for term in context.query.words if best in words.counts.get(term, ())[::2]
    ]


def by_sources(context: RankingContext) -> SignalScores:
    """Score files by words that the sources use and few other files contain."""
    points = context.points(context.query.own, 0.5)
    return SignalScores(
        points,
        lambda path: (
            f"shares with linked files: {_common(context, path, context.query.own)}"
        ),
    )


def by_focus(context: RankingContext) -> SignalScores:
    """Score files by words of the parts of the sources that match the card."""
    points = context.points(context.query.focus, 0.6)
    return SignalScores(
        points,
        lambda path: (
            f"shares with linked passages: {_common(context, path, context.query.focus)}"
        ),
    )


def _shared(context: RankingContext, path: str, prefix: str = "") -> str:
    return _common(context, path, context.query.words, prefix)


def _common(
    context: RankingContext, path: str, query: Mapping[str, float], prefix: str = ""
) -> str:
    """Return the quoted rarest terms of a query that a file contains."""
    having = [term for term in query if path in context.postings(prefix + term)]
    return _quoted(_rarest(context, having, query, prefix))


def _rarest(
    context: RankingContext,
    having: Sequence[str],
    query: Mapping[str, float],
    prefix: str = "",
) -> list[str]:
    """Return the spellings of the rarest of some terms of a query."""
    ordered = sorted(
        having, key=lambda term: (-query[term] * context.rarity(prefix + term), term)
    )
    words = dict.fromkeys(_spelled(context, term, having) for term in ordered)
    # Alphabetical, because the order by rarity can change with every file.
    return sorted(list(words)[:_NAMED])


def _spelled(context: RankingContext, term: str, having: Container[str]) -> str:
    """Return a term as spelled in the card."""
    word = context.query.spelled.get(term)
    return term.lstrip("=") if word is None else spelled_part(word, term, having)


def _quoted(words: list[str]) -> str:
    return ", ".join(f"`{word}`" for word in list(dict.fromkeys(words))[:_NAMED])
