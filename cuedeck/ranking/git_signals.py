"""History signals: co-change, commits similar to the card, and surviving lines of these commits."""

from __future__ import annotations

import math

from cuedeck.ranking.commit_relevance import CommitRelevance
from cuedeck.ranking.signal_scores import RankingContext, Scores, SignalScores

_SIMILAR = 40
"""Maximum number of similar commits."""


def by_cochange(ground: RankingContext, past: CommitRelevance) -> SignalScores:
    """Score files that changed together with a source; a commit with fewer files weighs more."""
    scores: Scores = {}
    times: dict[str, int] = {}
    whose: dict[str, str] = {}
    for then in past.thens:
        for source in ground.query.sources:
            if source.path not in then.files:
                continue
            worth = (0.5 + 0.5 * then.recent) / math.log2(2 + len(then.files))
            for path in then.files:
                if path != source.path:
                    scores[path] = scores.get(path, 0.0) + worth
                    times[path] = times.get(path, 0) + 1
                    whose.setdefault(path, source.path)
    several = len(ground.query.sources) > 1

    def why(path: str) -> str:
        return f"changed together{f' with `{whose[path]}`' if several else ''} {_times(times[path])}"

    return SignalScores(scores, why)


def by_commits(ground: RankingContext, past: CommitRelevance) -> SignalScores:
    """Score files that were touched by commits similar to the card."""
    scores: Scores = {}
    first: dict[str, str] = {}
    best = sorted((then for then in past.thens if then.alike), key=lambda then: -then.alike)[:_SIMILAR]
    for then in best:
        for path in then.files:
            worth = then.alike * (0.6 + 0.4 * then.recent) / math.sqrt(1 + len(then.files))
            scores[path] = scores.get(path, 0.0) + worth
            first.setdefault(path, then.commit.id[:7])
    return SignalScores(scores, lambda path: f"touched by {first[path]}")


def by_lines(ground: RankingContext, past: CommitRelevance) -> SignalScores:
    """Score files by surviving lines of commits that are similar to the card or changed a source."""
    now = ground.corpus.lengths()
    sums = {path: line_worth(ground, past, path) for path in past.traced if path in now}
    scores: Scores = {path: found for path, found in sums.items() if found > 0}
    return SignalScores(scores, lambda path: "edited in commits like this task")


def line_worth(ground: RankingContext, past: CommitRelevance, path: str) -> float:
    """Return the total weight of the lines of a file."""
    return sum(past.points(ground, path).values())


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
