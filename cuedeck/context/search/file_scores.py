"""Keyword relevance of files (BM25) over text, path, titles and defined names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.address import name_key
from cuedeck.model.errors import Invalid, TooLong
from cuedeck.parse.index_terms import DEFINED, NAME, PATH, defined_key, path_terms
from cuedeck.text.bm25 import UNIT, middle, part, rarity
from cuedeck.text.words import spelled_part, terms, word_terms

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Texts
    from cuedeck.store.index import Index

LONGEST_QUERY = 10_000
"""Maximum number of characters of a query."""
_PARSED_QUERY = 1_000
"""Number of characters of a query that are used."""
_SLOPE = 0.75
_PATH_WEIGHT = 2.0
_TITLE_WEIGHT = 3.0
_FIELDS = ((PATH, _PATH_WEIGHT), (NAME, 2.0), (DEFINED, 3.0))
"""Term fields of the corpus, and the weight of a match in each."""
_EXACT, _PARTLY = 8 * UNIT, 3 * UNIT
"""Points for a file name that equals the query, and for one that contains it."""
_MOST_NAMED = 500
_MOST_LINES = 10
"""Maximum number of lines of a file with the whole query that count."""
_LEAST_WEIGHT = 0.1
"""Minimum weight of a term, so that a term contained in every file still counts."""


class Query(NamedTuple):
    """A parsed search query."""

    text: str
    """The query without surrounding whitespace."""
    words: Mapping[str, str]
    """Each term with the query word from which it was derived, in query order."""

    def quote(self, found: Iterable[str]) -> str:
        """Return the query words of the terms `found`, quoted, in query order."""
        terms_found = set(found)
        words = dict.fromkeys(
            spelled_part(word, term, terms_found)
            for term, word in self.words.items()
            if term in terms_found
        )
        return ", ".join(f"`{word}`" for word in words)


def check_query(query: str) -> None:
    """Check that a query has words and is not too long. Raises: Invalid, TooLong."""
    if not query.strip():
        raise Invalid(
            "the query is empty", hint="give an address, a name, or words of the text"
        )
    if len(query) > LONGEST_QUERY:
        raise TooLong(
            f"the query must have at most {LONGEST_QUERY:,} characters, got {len(query):,}",
            hint="give its main words",
        )


def parse_query(text: str) -> Query:
    """Parse a search query into terms."""
    text = text.strip()
    words: dict[str, str] = {}
    for word in text[:_PARSED_QUERY].split():
        for term in terms(word):
            words.setdefault(term, word.strip("`'\"()[]{}<>,;:!?"))
    return Query(text, words)


def name_terms(name: str) -> frozenset[str]:
    """Return the terms of a name: an identifier, a heading or a path."""
    found = set(terms(name.replace("-", " ")))
    found.update(word_terms(name))
    return frozenset(found)


class CardTerms(NamedTuple):
    """Terms of a card; the corpus does not contain cards."""

    text: Counter[str]
    title: frozenset[str]
    path: Counter[str]


class _CardTermCache:
    """Terms of every card by path, for one generation of the index."""

    def __init__(self) -> None:
        self._generation: Any = None
        self._terms: Mapping[str, CardTerms] = {}

    def read(self, index: Index, texts: Texts) -> Mapping[str, CardTerms]:
        generation = index.meta("generation")
        if generation != self._generation:
            self._generation = generation
            self._terms = {
                file.path: CardTerms(
                    terms(texts.text(file.path)),
                    name_terms(file.card.title),
                    path_terms(file.path),
                )
                for file in index.files("card")
                if file.card is not None
            }
        return self._terms


class FileScores:
    """Scores of the files for one query."""

    def __init__(self, workspace: Workspace, query: Query) -> None:
        self._corpus = workspace.corpus
        self._cards = workspace.cached(_CardTermCache).read(
            workspace.index, workspace.texts
        )
        self._query = query
        self.points: Counter[str] = Counter()
        self.matched: dict[str, set[str]] = {}
        """Terms found in the text, path or names of each file, by path."""
        self.weights: dict[str, float] = {}
        """Weight of each term within a file: its inverse document frequency."""
        self._score_terms()
        # A file with all terms comes before one with many occurrences of one term.
        for path, matched in self.matched.items():
            points = self.points[path] * len(matched)
            self.points[path] = points // len(query.words)
        key = name_key(query.text)
        for path in workspace.index.named(key):
            self.points[path] += _EXACT
        if len(key) > 1:
            for path in workspace.index.paths_named_like(key, _MOST_NAMED):
                self.points[path] += _PARTLY

    def _score_terms(self) -> None:
        lengths = dict(self._corpus.lengths())
        for path, card in self._cards.items():
            lengths[path] = card.text.total()
        mean = middle(sum(lengths.values()), len(lengths))
        for term in self._query.words:
            counts = self._count(term)
            idf = rarity(len(counts), len(lengths))
            self.weights[term] = max(idf, _LEAST_WEIGHT)
            for path, count in counts.items():
                if path in lengths:
                    length = lengths[path]
                    points = part(count, length, idf, mean=mean, slope=_SLOPE)
                    self._add(path, term, points)
            for path, weight in self._field_weights(term).items():
                points = round(UNIT * weight * max(idf, 1.0))
                self._add(path, term, points)

    def _count(self, term: str) -> dict[str, int]:
        counts = dict(self._corpus.postings(term))
        for path, card in self._cards.items():
            if card.text[term]:
                counts[path] = card.text[term]
        return counts

    def _field_weights(self, term: str) -> dict[str, float]:
        """Return the weight of a term in the path, title or names of each file, by
        path.
        """
        weights: dict[str, float] = {}
        for field, weight in _FIELDS:
            key = defined_key(self._query.words[term]) if field == DEFINED else term
            for path in self._corpus.postings(field + key):
                weights[path] = weights.get(path, 0.0) + weight
        for path, card in self._cards.items():
            weight = _TITLE_WEIGHT * (term in card.title) + _PATH_WEIGHT * (
                term in card.path
            )
            if weight:
                weights[path] = weight
        return weights

    def ranked(self, without: str) -> list[str]:
        """Return the paths with points, best first."""
        rows = [(-points, path) for path, points in self.points.items() if points > 0]
        return [path for _, path in sorted(rows) if path != without]

    def add_lines(self, lines: Mapping[str, Sequence[int]]) -> None:
        """Add points to files with lines that contain the query as written."""
        for path, found in lines.items():
            lines_counted = min(len(found), _MOST_LINES)
            self.points[path] += _EXACT + UNIT * lines_counted

    def _add(self, path: str, term: str, points: int) -> None:
        self.points[path] += points
        self.matched.setdefault(path, set()).add(term)
