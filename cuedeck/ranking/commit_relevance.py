"""Relevance of commits to a query: similarity of their messages, and weights of the lines that they added."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cuedeck.model.commit import Commit, Touched, named_now
from cuedeck.parse.terms import terms
from cuedeck.ranking.bm25 import score
from cuedeck.ranking.signal_scores import RankingContext

Weights = Mapping[str, Mapping[int, float]]
"""Weights of added lines, by path and `line_sum`."""

_FADING = 300
"""Number of commits after which the weight of a commit is halved."""
_TRACED = 0.02
"""Minimum weight of a commit whose lines are weighted."""
_BODY = 2_000
_SETTLED = 25
"""Commits after which a new line is half as likely to change again; ages are rounded down to doubling steps."""
_MARK = "0"
"""Prefix of the id of a reference commit for ages; one in sixteen commits has it."""


@dataclass(frozen=True, slots=True)
class ScoredCommit:
    """A commit with its files under their current names."""

    commit: Commit
    files: Mapping[str, Touched]
    alike: float
    """Similarity of its message to the card, from 0 to 1."""
    age: int
    """Number of commits since it, counted from the newest reference commit; 0 for that commit and newer ones."""

    @property
    def recent(self) -> float:
        """Recency weight: 1 for the newest, decreasing towards 0."""
        return 1 / (1 + self.age / _FADING)


class CommitRelevance:
    """Commit history scored for one query; the lines of a file are scored on first use."""

    def __init__(
        self, commits: Sequence[Commit], depends: object, thens: Sequence[ScoredCommit], weights: Weights
    ) -> None:
        self.commits = commits
        self.depends = depends
        """Cache key of the inputs other than the commits."""
        self.thens = thens
        self._weights = weights
        self._points: dict[str, Mapping[int, float]] = {}
        self._added: dict[str, list[tuple[int, Touched]]] = {}
        for then in thens:
            for path, touched in then.files.items():
                self._added.setdefault(path, []).append((then.age, touched))

    @property
    def traced(self) -> Iterable[str]:
        """Sorted paths of the files with weighted lines."""
        return sorted(self._weights)

    def times(self, path: str) -> int:
        """Return the number of commits that touched a file."""
        return len(self._added.get(path, ()))

    def forget(self, changed: Iterable[str] | None) -> None:
        """Invalidate the line scores of changed files; None invalidates all."""
        if changed is None:
            self._points.clear()
        for path in changed or ():
            self._points.pop(path, None)

    def points(self, ground: RankingContext, path: str) -> Mapping[int, float]:
        """Return the weight of each line of a file, by line number; identical lines share their weight.

        A line has weight if it was added by a commit similar to the card, or by one that also changed a source.
        """
        if path not in self._points:
            weights = self._weights.get(path)
            self._points[path] = _spread(weights, ground.corpus.sums(path)) if weights else {}
        return self._points[path]

    def freshness(self, ground: RankingContext, path: str) -> Mapping[int, float]:
        """Return the freshness of the lines of a file, by line number.

        The newest lines have 1; lines that no known commit added are absent.
        """
        newest: dict[int, float] = {}
        for age, touched in self._added.get(path, ()):
            worth = 2.0 ** -int(math.log2(1 + age / _SETTLED))
            for sum_ in filter(None, touched.added):
                newest.setdefault(sum_, worth)
        return {line: newest[sum_] for line, sum_ in enumerate(ground.corpus.sums(path), 1) if sum_ in newest}


def commit_relevance(ground: RankingContext) -> CommitRelevance:
    """Return the commit relevance for the query of `ground`, from the cache if its inputs are unchanged."""
    sources = frozenset(source.path for source in ground.query.sources)
    kept = ground.warm.past
    depends = (ground.query.words, sources, ground.resolver)
    if kept is None or kept.commits is not ground.commits or kept.depends != depends:
        thens = _read(ground)
        kept = ground.warm.past = CommitRelevance(ground.commits, depends, thens, _weigh(thens, sources))
    return kept


def _read(ground: RankingContext) -> Sequence[ScoredCommit]:
    """Return the commits scored for this query, newest first."""
    alike = _resemblance(ground)
    moved = named_now(ground.commits, ground.corpus.lengths())
    rows = zip(ground.commits, moved, _ages(ground.commits), strict=True)
    return [ScoredCommit(commit, files, alike.get(commit.id, 0.0), age) for commit, files, age in rows]


def _ages(commits: Sequence[Commit]) -> Sequence[int]:
    """Return the age of each commit, newest first; counted from HEAD if there is no reference commit.

    Ages counted from HEAD change with every commit, which would move lines shown of files that the commit did not
    touch.
    """
    newest = next((at for at, commit in enumerate(commits) if commit.id.startswith(_MARK)), 0)
    return [max(0, at - newest) for at in range(len(commits))]


def _weigh(thens: Sequence[ScoredCommit], sources: frozenset[str]) -> Weights:
    """Return the weights of lines added by commits similar to the card or by commits that changed a source."""
    weights: dict[str, dict[int, float]] = {}
    for then in thens:
        if not then.files:
            continue
        worth = then.alike**2 + (0.5 * then.recent if not sources.isdisjoint(then.files) else 0.0)
        worth /= math.sqrt(len(then.files))
        if worth <= _TRACED:
            continue
        for path, touched in then.files.items():
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
    return {line: weights[sum_] / often[sum_] for line, sum_ in enumerate(sums, 1) if sum_ in often}


def _resemblance(ground: RankingContext) -> dict[str, float]:
    """Return the similarity of each commit message to the card; the most similar one has 1."""
    postings: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    for commit in ground.commits:
        counts = terms(commit.body[:_BODY])
        for term, times in terms(commit.subject).items():
            counts[term] += 2 * times
        lengths[commit.id] = counts.total()
        for term in counts.keys() & ground.query.words.keys():
            postings.setdefault(term, {})[commit.id] = counts[term]
    points = score(ground.query.words, postings, lengths, total=len(lengths), slope=0.4)
    most = max(points.values(), default=0)
    return {name: value / most for name, value in points.items() if value > 0}
