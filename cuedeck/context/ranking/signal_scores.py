"""Scores of one signal, and the shared context in which signals are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cuedeck.context.ranking.commit_relevance import CommitRelevance, relate_commits
from cuedeck.context.ranking.memo import Memo, Value
from cuedeck.context.ranking.task_query import Query
from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.imports import Resolver
from cuedeck.model.commit import Commit
from cuedeck.model.ports import Corpus, Lookup, Texts
from cuedeck.model.session import Role
from cuedeck.text.bm25 import add_up, mean_lengths, rarity


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
