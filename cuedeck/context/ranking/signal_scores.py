"""Scores of one signal, and the shared context in which signals are computed."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cuedeck.context.ranking.memo import Memo, Value
from cuedeck.context.ranking.task_query import Query
from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.imports import Resolver
from cuedeck.model.commit import Commit, Touched, named_now
from cuedeck.model.ports import Corpus, Lookup, Texts
from cuedeck.model.session import Role
from cuedeck.text.bm25 import add_up, mean_lengths, rarity, score
from cuedeck.text.words import terms


@dataclass(slots=True)
class SignalScores:
    """Scores of one signal by path."""

    reason: Callable[[str, Sequence[str]], str]
    """Returns the reason for a scored file, given its facts."""
    scores: dict[str, float] = field(default_factory=dict)
    facts: dict[str, list[str]] = field(default_factory=dict)
    """By path: what the reason may name, in the order in which it was found."""

    def why(self, path: str) -> str:
        """Return the reason for a scored file."""
        return self.reason(path, self.facts.get(path, ()))

    def add(self, path: str, value: float, fact: str) -> None:
        """Add to the score of a file."""
        self.scores[path] = self.scores.get(path, 0.0) + value
        self.facts.setdefault(path, []).append(fact)

    def raise_to(self, path: str, value: float, fact: str) -> None:
        """Replace the score and the fact of a file if the score becomes higher."""
        if value > self.scores.get(path, 0.0):
            self.scores[path] = value
            self.facts[path] = [fact]


@dataclass
class RankingContext:
    """Inputs of the signals of one ranking, with results that several of them share."""

    query: Query
    lookup: Lookup
    texts: Texts
    corpus: Corpus
    resolver: Resolver
    pairs: Pairs
    commits: Sequence[Commit]
    memo: Memo
    used: Mapping[str, Role]
    """Working set of the open session: how each file was used, by path."""
    pause: Callable[[], None]
    """Called between steps; raises an error to end the ranking."""
    asked: dict[str, Mapping[str, int]] = field(default_factory=dict)
    """Every requested term with its postings."""

    @cached_property
    def means(self) -> Mapping[str, float]:
        """Mean length of texts (""), names ("n:") and chunks ("chunk"), in words."""
        return mean_lengths(self.corpus.lengths(), self.corpus.names())

    @cached_property
    def history(self) -> CommitRelevance:
        """The relevance of the commits, from the memo if its inputs are unchanged."""
        words = self.query.words
        sources = frozenset(source.path for source in self.query.sources)
        inputs = (self.commits, words, sources, self.resolver)
        known = self.corpus.lengths()
        return self.memo.get(
            "commit relevance",
            "",
            inputs,
            lambda: relate_commits(self.commits, words, sources, known),
        )

    @cached_property
    def text_points(self) -> Mapping[str, int]:
        """BM25 points of the words of the card over the texts of the files."""
        return self.points(self.query.worths["words"], 0.75)

    def postings(self, term: str) -> Mapping[str, int]:
        """Return the number of occurrences of a term in each file, by path."""
        if term not in self.asked:
            self.pause()
            self.asked[term] = self.corpus.postings(term)
        return self.asked[term]

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of a term."""
        return rarity(len(self.postings(term)), len(self.corpus.lengths()))

    def points(
        self, worths: Mapping[str, float], slope: float, prefix: str = ""
    ) -> Mapping[str, int]:
        """Return the BM25 points over files of terms with their worths; `prefix` is
        that of all terms.
        """
        postings = {term: self.postings(term) for term in worths}
        lengths = self.corpus.names() if prefix else self.corpus.lengths()
        return add_up(worths, postings, lengths, mean=self.means[prefix], slope=slope)

    def of_file(self, kind: str, path: str, make: Callable[[], Value]) -> Value:
        """Return a result that follows from the text of a file, the query and the
        history, from the memo if these are unchanged.
        """
        content = self.lookup.hash(path)
        inputs = (content, self.history, self.query, self.means["chunk"])
        return self.memo.get(kind, path, inputs, make)


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
