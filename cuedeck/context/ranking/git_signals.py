"""History signals: co-change, commits similar to the card, and surviving lines of these
commits.
"""

from __future__ import annotations

import math

from cuedeck.context.ranking.commit_relevance import CommitRelevance
from cuedeck.context.ranking.signal_scores import RankingContext, Scores, SignalScores

_SIMILAR = 40
"""Maximum number of similar commits."""


def by_cochange(context: RankingContext, history: CommitRelevance) -> SignalScores:
    """Score files that changed together with a source; a commit with fewer files weighs
    more.

    The reason names the source with which the file changed most often, and counts the
    commits of both.
    """
    sources = tuple(dict.fromkeys(source.path for source in context.query.sources))
    scores: Scores = {}
    times: dict[str, dict[str, int]] = {}
    """By file and source: the number of commits that changed both."""
    for commit in history.commits:
        for source in sources:
            if source not in commit.files:
                continue
            worth = (0.5 + 0.5 * commit.recent) / math.log2(2 + len(commit.files))
            for path in commit.files:
                if path != source:
                    scores[path] = scores.get(path, 0.0) + worth
                    by_source = times.setdefault(path, dict.fromkeys(sources, 0))
                    by_source[source] += 1

    def why(path: str) -> str:
        by_source = times[path]
        nearest = max(sources, key=lambda source: by_source[source])
        whom = f" with `{nearest}`" if len(sources) > 1 else ""
        return f"changed together{whom} {_times(by_source[nearest])}"

    return SignalScores(scores, why)


def by_commits(context: RankingContext, history: CommitRelevance) -> SignalScores:
    """Score files that were touched by commits similar to the card."""
    scores: Scores = {}
    first: dict[str, str] = {}
    best = sorted(
        (commit for commit in history.commits if commit.similarity),
        key=lambda commit: -commit.similarity,
    )[:_SIMILAR]
    for commit in best:
        for path in commit.files:
            worth = (
                commit.similarity
                * (0.6 + 0.4 * commit.recent)
                / math.sqrt(1 + len(commit.files))
            )
            scores[path] = scores.get(path, 0.0) + worth
            first.setdefault(path, commit.commit.id[:7])
    return SignalScores(scores, lambda path: f"touched by {first[path]}")


def by_lines(context: RankingContext, history: CommitRelevance) -> SignalScores:
    """Score files by surviving lines of commits that are similar to the card or changed
    a source.
    """
    now = context.corpus.lengths()
    sums = {
        path: line_worth(context, history, path)
        for path in history.traced
        if path in now
    }
    scores: Scores = {path: found for path, found in sums.items() if found > 0}
    return SignalScores(scores, lambda path: "edited by similar commits")


def line_worth(context: RankingContext, history: CommitRelevance, path: str) -> float:
    """Return the total weight of the lines of a file."""
    return sum(history.line_weights(context, path).values())


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
