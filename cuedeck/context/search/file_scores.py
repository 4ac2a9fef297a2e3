"""Keyword relevance of files (BM25) over text, path, titles and defined names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.address import name_key
from cuedeck.model.errors import Invalid, TooLong
from cuedeck.parse.index_terms import DEFINED, NAME, PATH, defined_key, path_terms
from cuedeck.text.bm25 import UNIT, add_up, best_first, middle, rarity
from cuedeck.text.words import spelled_part, terms, word_terms

if TYPE_CHECKING:
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus, WorkspaceTexts

LONGEST_QUERY = 10_000
"""Maximum number of characters of a query."""
EXACT = 8 * UNIT
"""Points for a file name that equals the query."""
_PARTLY = 3 * UNIT
"""Points for a file name that contains the query."""
_PARSED_QUERY = 1_000
"""Number of characters of a query that are used."""
_SLOPE = 0.75
_TITLE = "t:"
"""Prefix of words in the title of a card."""
_FIELDS = ((PATH, 2.0), (NAME, 2.0), (DEFINED, 3.0), (_TITLE, 3.0))
"""Term fields, and the weight of a match in each."""
_MOST_NAMED = 500
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


def parse_query(text: str) -> Query:
    """Parse a search query into terms. Raises: Invalid for an empty query, TooLong."""
    if not text.strip():
        raise Invalid(
            "the query is empty", hint="give an address, a name, or words of the text"
        )
    if len(text) > LONGEST_QUERY:
        raise TooLong(
            f"the query must have at most {LONGEST_QUERY:,} characters, got {len(text):,}",
            hint="give its main words",
        )
    text = text.strip()
    words: dict[str, str] = {}
    for word in text[:_PARSED_QUERY].split():
        for term in terms(word):
            words.setdefault(term, word.strip("`'\"()[]{}<>,;:!?"))
    return Query(text, words)


def name_terms(name: str) -> frozenset[str]:
    """Return the terms of a name: an identifier, a heading or a path."""
    return frozenset(terms(name.replace("-", " "))).union(word_terms(name))


class FileScores(NamedTuple):
    """Scores of the files for one query."""

    points: Counter[str]
    weights: dict[str, float]
    """Weight of each term within a file: its inverse document frequency."""
    has_terms: bool
    """Whether the text, path or names of a file have a term of the query."""

    def ranked(self) -> list[str]:
        """Return the paths with points, best first."""
        return [path for path in best_first(self.points) if self.points[path] > 0]


def score_files(
    corpus: WorkspaceCorpus, index: Index, texts: WorkspaceTexts, query: Query
) -> FileScores:
    """Return the scores of the files for a query."""
    of_cards, card_lengths = _read_cards(index, texts)
    lengths = {**corpus.lengths(), **card_lengths}
    mean = middle(sum(lengths.values()), len(lengths))
    points: Counter[str] = Counter()
    matches: Counter[str] = Counter()
    weights: dict[str, float] = {}
    for term, word in query.words.items():
        counts = {**corpus.postings(term), **of_cards.get(term, {})}
        idf = rarity(len(counts), len(lengths))
        weights[term] = max(idf, _LEAST_WEIGHT)
        gained = Counter(
            add_up({term: idf}, {term: counts}, lengths, mean=mean, slope=_SLOPE)
        )
        matched = set(gained)
        fields: Counter[str] = Counter()
        for field, weight in _FIELDS:
            key = field + (defined_key(word) if field == DEFINED else term)
            for path in (*corpus.postings(key), *of_cards.get(key, ())):
                fields[path] += round(UNIT * weight)
        for path, each in fields.items():
            gained[path] += round(each * max(idf, 1.0))
        points.update(gained)
        matches.update(matched | fields.keys())
    # A file with all terms comes before one with many occurrences of one term.
    for path, number in matches.items():
        points[path] = points[path] * number // len(query.words)
    key = name_key(query.text)
    for path in index.named(key):
        points[path] += EXACT
    if len(key) > 1:
        for path in index.paths_named_like(key, _MOST_NAMED):
            points[path] += _PARTLY
    return FileScores(points, weights, bool(matches))


def _read_cards(
    index: Index,
    texts: WorkspaceTexts,
) -> tuple[Mapping[str, Mapping[str, int]], Mapping[str, int]]:
    """Return the terms of the cards with their counts by path, and the number of words
    of each card. The corpus does not contain cards.
    """
    postings: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    for file in index.files("card"):
        if file.card is not None:
            counts = terms(texts.text(file.path))
            lengths[file.path] = counts.total()
            counts.update(_TITLE + term for term in name_terms(file.card.title))
            counts.update(PATH + term for term in path_terms(file.path))
            for term, times in counts.items():
                postings.setdefault(term, {})[file.path] = times
    return postings, lengths
