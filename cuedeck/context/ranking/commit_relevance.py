"""Relevance of commits to a query: similarity of their messages, and weights of the
lines that they added.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.model.commit import Commit, Touched, named_now
from cuedeck.text.bm25 import rarity, score
from cuedeck.text.words import terms

Weights = Mapping[str, Mapping[int, float]]
"""Weights of added lines, by path and `line_sum`."""

_FADING = 300
"""Number of commits after which the weight of a commit is halved."""
_TRACED = 0.02
"""Minimum weight of a commit whose lines are weighted."""
_BODY = 2_000
_SETTLED = 25
"""Commits after which a new line is half as likely to change again."""
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


class CommitRelevance:
    """Commit history scored for one query."""

    def __init__(self, commits: Sequence[ScoredCommit], weights: Weights) -> None:
        self.commits = commits
        self._weights = weights
        self._lines: dict[str, tuple[str, Mapping[int, float]]] = {}
        """By path: the content hash, and the weight of each line. Not in the memo,
        which would keep old histories.
        """
        self._added: dict[str, list[tuple[int, Touched]]] = {}
        for commit in commits:
            for path, touched in commit.files.items():
                self._added.setdefault(path, []).append((commit.age, touched))

    @property
    def traced(self) -> Iterable[str]:
        """Sorted paths of the files with weighted lines."""
        return sorted(self._weights)

    def times(self, path: str) -> int:
        """Return the number of commits that touched a file."""
        return len(self._added.get(path, ()))

    def line_weights(self, context: RankingContext, path: str) -> Mapping[int, float]:
        """Return the weight of each line of a file, by line number; identical lines
        share their weight.

        A line has weight if it was added by a commit similar to the card, or by one
        that also changed a source.
        """
        weights = self._weights.get(path)
        if not weights:
            return {}
        content = context.lookup.hash(path)
        known = self._lines.get(path)
        if known is None or known[0] != content:
            known = self._lines[path] = (
                content,
                _spread(weights, context.corpus.sums(path)),
            )
        return known[1]

    def freshness(self, context: RankingContext, path: str) -> Mapping[int, float]:
        """Return the freshness of the lines of a file, by line number.

        The newest lines have 1; lines that no known commit added are absent.
        """
        newest: dict[int, float] = {}
        for age, touched in self._added.get(path, ()):
            worth = 2.0 ** -int(math.log2(1 + age / _SETTLED))
            for sum_ in filter(None, touched.added):
                newest.setdefault(sum_, worth)
        return {
            line: newest[sum_]
            for line, sum_ in enumerate(context.corpus.sums(path), 1)
            if sum_ in newest
        }


def commit_relevance(context: RankingContext) -> CommitRelevance:
    """Return the relevance of the commits for the query, from the memo if its inputs
    are unchanged.
    """
    sources = frozenset(source.path for source in context.query.sources)

    def make() -> CommitRelevance:
        commits = _score_commits(context)
        return CommitRelevance(commits, _weigh(commits, sources))

    inputs = (context.commits, context.query.words, sources, context.resolver)
    return context.memo.get("commit relevance", "", inputs, make)


def _score_commits(context: RankingContext) -> Sequence[ScoredCommit]:
    messages = _read_messages(context)
    total, lengths = len(messages.lengths), messages.lengths
    points = score(
        context.query.words, messages.postings, lengths, total=total, slope=0.4
    )
    most = max(points.values(), default=0)
    similarity = {name: value / most for name, value in points.items() if value > 0}
    overlap = _overlap(context, messages)
    moved = named_now(context.commits, context.corpus.lengths())
    return [
        ScoredCommit(
            commit,
            files,
            similarity.get(commit.id, 0.0),
            overlap.get(commit.id, 0.0),
            age,
        )
        for commit, files, age in zip(
            context.commits, moved, _ages(context.commits), strict=True
        )
    ]


def _ages(commits: Sequence[Commit]) -> Sequence[int]:
    """Return the age of each commit, newest first."""
    newest = next(
        (at for at, commit in enumerate(commits) if commit.id.startswith(_MARK)), 0
    )
    return [max(0, at - newest) for at in range(len(commits))]


def _weigh(commits: Sequence[ScoredCommit], sources: frozenset[str]) -> Weights:
    weights: dict[str, dict[int, float]] = {}
    for commit in commits:
        if not commit.files:
            continue
        worth = commit.similarity**2 + (
            0.5 * commit.recent if not sources.isdisjoint(commit.files) else 0.0
        )
        worth /= math.sqrt(len(commit.files))
        if worth <= _TRACED:
            continue
        for path, touched in commit.files.items():
            added = dict.fromkeys(sum_ for sum_ in touched.added if sum_)
            lines = weights.setdefault(path, {})
            for sum_ in added:
                lines[sum_] = lines.get(sum_, 0.0) + worth / math.sqrt(len(added))
    return weights


def _spread(weights: Mapping[int, float], sums: Sequence[int]) -> Mapping[int, float]:
    often: dict[int, int] = {}
    for sum_ in sums:
        if sum_ in weights:
            often[sum_] = often.get(sum_, 0) + 1
    return {
        line: weights[sum_] / often[sum_]
        for line, sum_ in enumerate(sums, 1)
        if sum_ in often
    }


class _Messages(NamedTuple):
    """Messages of the commits, as far as they share words with the card."""

    postings: Mapping[str, Mapping[str, int]]
    """By word of the card: the number of occurrences in each commit, by id."""
    lengths: Mapping[str, int]
    """Number of words of each message, by id."""


def _read_messages(context: RankingContext) -> _Messages:
    postings: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    for commit in context.commits:
        counts = terms(commit.body[:_BODY])
        for term, times in terms(commit.subject).items():
            counts[term] += 2 * times
        lengths[commit.id] = counts.total()
        for term in counts.keys() & context.query.words.keys():
            postings.setdefault(term, {})[commit.id] = counts[term]
    return _Messages(postings, lengths)


def _overlap(context: RankingContext, messages: _Messages) -> dict[str, float]:
    """Return the weighted share of the words of the card that each commit message
    contains.
    """
    total = len(messages.lengths)
    whole = 0.0
    found: dict[str, float] = {}
    for term, weight in context.query.words.items():
        commits = messages.postings.get(term, {})
        worth = weight * rarity(max(1, len(commits)), total)
        whole += worth
        for commit in commits:
            found[commit] = found.get(commit, 0.0) + worth
    return {commit: worth / whole for commit, worth in found.items()} if whole else {}
