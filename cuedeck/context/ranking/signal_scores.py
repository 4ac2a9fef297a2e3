"""Scores of one signal, and the shared context in which signals are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.task_query import Query
from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.imports import Resolver
from cuedeck.model.commit import Commit
from cuedeck.model.ports import Corpus, Lookup
from cuedeck.model.session import Role
from cuedeck.text.bm25 import add_up, rarity

Scores = dict[str, float]
Points = Mapping[int, int]
"""Points of the chunks of a file, by chunk index."""


@dataclass(frozen=True, slots=True)
class SignalScores:
    """Scores of one signal by path, and a function that returns the reason for a scored
    file.
    """

    scores: Mapping[str, float]
    why: Callable[[str], str]


@dataclass(slots=True)
class RankingContext:
    """Inputs of the signals of one ranking, with results that several of them share."""

    query: Query
    lookup: Lookup
    corpus: Corpus
    resolver: Resolver
    pairs: Pairs
    commits: Sequence[Commit]
    memo: Memo
    total: int
    """Number of searchable files."""
    means: Mapping[str, float]
    """Result of `mean_lengths`."""
    used: Mapping[str, Role]
    """Working set of the open session: how each file was used, by path."""
    asked: dict[str, Mapping[str, int]] = field(default_factory=dict)
    """Every requested term with its postings."""
    _text_points: Mapping[str, int] | None = None

    def postings(self, term: str) -> Mapping[str, int]:
        """Return the number of occurrences of a term in each file, by path."""
        if term not in self.asked:
            self.asked[term] = self.corpus.postings(term)
        return self.asked[term]

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of a term."""
        return rarity(len(self.postings(term)), self.total)

    def points(
        self, query: Mapping[str, float], slope: float, prefix: str = ""
    ) -> Mapping[str, int]:
        """Return the BM25 points of a query over files."""
        weights = {}
        postings = {}
        for word, weight in query.items():
            term = prefix + word
            postings[term] = self.postings(term)
            weights[term] = weight * self.rarity(term)
        lengths = self.corpus.names() if prefix else self.corpus.lengths()
        return add_up(weights, postings, lengths, mean=self.means[prefix], slope=slope)

    def text_points(self) -> Mapping[str, int]:
        """Return the BM25 points of the words of the card over the texts of the
        files.
        """
        if self._text_points is None:
            self._text_points = self.points(self.query.words, 0.75)
        return self._text_points
