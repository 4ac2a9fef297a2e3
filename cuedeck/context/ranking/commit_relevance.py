"""Relevance of commits to a query: similarity of their messages, and weights of the
lines that they added.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cuedeck.model.commit import Commit, Touched, named_now
from cuedeck.text.bm25 import rarity, score
from cuedeck.text.words import terms

_FADING = 300
"""Number of commits after which the weight of a commit is halved."""
_TRACED = 0.02
"""Minimum weight of a commit whose lines are weighted."""
_BODY = 2_000
_MARK = "0"
"""Prefix of the id of a reference commit for ages; one in sixteen commits has it."""


@dataclass(frozen=True, slots=True)
class ScoredCommit:
    """A commit with its files under their current names."""

    commit: Commit
    files: Mapping[str, Touched]
    similarity: float
    """Similarity of its message to the card, relative to the most similar one, from 0
    to 1.
    """
    overlap: float
    """Share of the words of the card that its message contains, weighted by rarity,
    from 0 to 1.
    """
    age: int
    """Number of commits since it, counted from the newest reference commit."""

    @property
    def recent(self) -> float:
        """Recency weight: 1 for the newest, decreasing towards 0."""
        return 1 / (1 + self.age / _FADING)


@dataclass(frozen=True, slots=True, eq=False)
class CommitRelevance:
    """Commit history scored for one query."""

    commits: Sequence[ScoredCommit]
    weights: Mapping[str, Mapping[int, float]]
    """Weights of added lines, by path and `line_sum`."""
    touches: Mapping[str, Sequence[tuple[int, Touched]]]
    """By path: the commits that touched the file, with their age."""


def relate_commits(
    commits: Sequence[Commit],
    words: Mapping[str, float],
    sources: Collection[str],
    known: Collection[str],
) -> CommitRelevance:
    """Return the relevance of commits, newest first, for the weighted words of a card
    and its sources; `known` are the existing files.
    """
    similarity, overlap = _compare_messages(commits, words)
    newest = (at for at, commit in enumerate(commits) if commit.id.startswith(_MARK))
    start = next(newest, 0)
    scored: list[ScoredCommit] = []
    weights: dict[str, defaultdict[int, float]] = {}
    touches: dict[str, list[tuple[int, Touched]]] = {}
    for at, (commit, files) in enumerate(
        zip(commits, named_now(commits, known), strict=True)
    ):
        each = ScoredCommit(
            commit,
            files,
            similarity.get(commit.id, 0.0),
            overlap.get(commit.id, 0.0),
            max(0, at - start),
        )
        scored.append(each)
        for path, touched in files.items():
            touches.setdefault(path, []).append((each.age, touched))
        if not files:
            continue
        worth = each.similarity**2
        if not files.keys().isdisjoint(sources):
            worth += 0.5 * each.recent
        worth /= math.sqrt(len(files))
        if worth <= _TRACED:
            continue
        for path, touched in files.items():
            added = dict.fromkeys(filter(None, touched.added))
            if not added:
                continue
            line_worth = worth / math.sqrt(len(added))
            lines = weights.setdefault(path, defaultdict(float))
            for sum_ in added:
                lines[sum_] += line_worth
    return CommitRelevance(scored, weights, touches)


def _compare_messages(
    commits: Sequence[Commit], words: Mapping[str, float]
) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Return by commit id the similarity and the overlap of its message."""
    postings: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    for commit in commits:
        counts = terms(commit.body[:_BODY])
        for term, times in terms(commit.subject).items():
            counts[term] += 2 * times
        lengths[commit.id] = counts.total()
        for term in counts.keys() & words.keys():
            postings.setdefault(term, {})[commit.id] = counts[term]
    total = len(lengths)
    points = score(words, postings, lengths, total=total, slope=0.4)
    most = max(points.values(), default=0)
    similarity = {name: value / most for name, value in points.items() if value > 0}
    whole = 0.0
    shared: defaultdict[str, float] = defaultdict(float)
    for term, weight in words.items():
        having = postings.get(term, {})
        worth = weight * rarity(max(1, len(having)), total)
        whole += worth
        for name in having:
            shared[name] += worth
    if not whole:
        return similarity, {}
    return similarity, {name: worth / whole for name, worth in shared.items()}
