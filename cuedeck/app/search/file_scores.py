"""Keyword relevance of files (BM25) over text, path, titles and defined names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.cards.active_card import cards
from cuedeck.model.address import name_key
from cuedeck.model.errors import Invalid, TooLong
from cuedeck.parse.index_terms import DEFINED, NAME, PATH, defined_key, path_terms
from cuedeck.parse.terms import terms, word_terms
from cuedeck.ranking.bm25 import UNIT, middle, part, rarity

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_SLOPE = 0.75
_FIELDS = ((PATH, 2.0), (NAME, 2.0), (DEFINED, 3.0))
"""Term fields of the corpus, and the weight of a match in each."""
_TITLE = 3.0
_EXACT, _PARTLY = 8 * UNIT, 3 * UNIT
"""Points for a file name that equals the query, and for one that contains it."""
_MOST_NAMED = 500
_HELD = "recall cards"


class CardWords(NamedTuple):
    """Term counts of a card; the corpus does not contain cards."""

    text: Counter[str]
    title: frozenset[str]
    path: Counter[str]


class FileScores:
    """Scores of the files for one query."""

    def __init__(self, workspace: Workspace, question: Question) -> None:
        self._workspace = workspace
        self._question = question
        self.points: Counter[str] = Counter()
        self.having: dict[str, set[str]] = {}
        """Terms found in the text, path or names of each file, by path."""
        self.rarity: dict[str, float] = {}
        """Inverse document frequency of each term."""
        self._weigh()
        self._name()

    def _weigh(self) -> None:
        corpus, own = self._workspace.corpus, card_words(self._workspace)
        lengths: dict[str, int] = {**corpus.lengths(), **{path: words.text.total() for path, words in own.items()}}
        mean, total = middle(sum(lengths.values()), len(lengths)), len(lengths)
        for term in self._question.weights:
            found = dict(corpus.postings(term))
            found.update({path: words.text[term] for path, words in own.items() if words.text[term]})
            worth = self.rarity[term] = rarity(len(found), total)
            for path, times in found.items():
                if path in lengths:
                    points = part(times, lengths[path], worth, mean=mean, slope=_SLOPE)
                    self._add(path, term, points)
            for path, weight in self._fields(term, own).items():
                self._add(path, term, round(UNIT * weight * max(worth, 1.0)))
        for path, having in self.having.items():
            # Prefer a file with all terms over a file with many occurrences of one term.
            self.points[path] = self.points[path] * len(having) // max(len(self._question.weights), 1)

    def _fields(self, term: str, own: Mapping[str, CardWords]) -> dict[str, float]:
        """Return the weight of a term in the path, title or names of each file, by path."""
        found: dict[str, float] = {}
        for prefix, weight in _FIELDS:
            key = prefix + (defined_key(self._question.shown[term]) if prefix == DEFINED else term)
            for path in self._workspace.corpus.postings(key):
                found[path] = found.get(path, 0.0) + weight
        for path, words in own.items():
            weight = _TITLE * (term in words.title) + _FIELDS[0][1] * (term in words.path)
            if weight:
                found[path] = weight
        return found

    def _name(self) -> None:
        """Add points to files whose name equals or contains the query."""
        index, key = self._workspace.index, name_key(self._question.text)
        for path in index.named(key):
            self.points[path] += _EXACT
        if len(key) > 1:
            for path in index.paths_named_like(key, _MOST_NAMED):
                self.points[path] += _PARTLY

    def _add(self, path: str, term: str, points: int) -> None:
        self.points[path] += points
        self.having.setdefault(path, set()).add(term)


def card_words(workspace: Workspace) -> Mapping[str, CardWords]:
    """Return the terms of every card by path; cached until the index changes."""
    generation = workspace.index.meta("generation")
    # Cached on the workspace object, so that the cache lives as long as it is open.
    held: tuple[Any, dict[str, CardWords]] | None = workspace.__dict__.get(_HELD)
    if held is None or held[0] != generation:
        made = {file.path: _words(workspace, file.path, file.card.title) for file in cards(workspace) if file.card}
        held = workspace.__dict__[_HELD] = (generation, made)
    return held[1]


def _words(workspace: Workspace, path: str, title: str) -> CardWords:
    return CardWords(terms(workspace.texts.text(path)), name_terms(title), path_terms(path))


LONGEST = 1_000
"""Number of characters of a query that are used."""


class Question(NamedTuple):
    """A parsed search query."""

    text: str
    """The query without surrounding whitespace."""
    weights: Mapping[str, float]
    """Weight of each term, in query order."""
    shown: Mapping[str, str]
    """The query word from which each term was derived."""

    def said(self, found: Iterable[str]) -> str:
        """Return the query words of the terms `found`, quoted, in query order."""
        known = set(found)
        words = dict.fromkeys(word for term, word in self.shown.items() if term in known)
        return ", ".join(f"`{word}`" for word in words)


LONGEST_QUERY = 10_000
"""Characters of a query that is accepted."""


def check_query(query: str) -> None:
    """Check that a query has words and is not too long. Raises: Invalid, TooLong."""
    if not query.strip():
        raise Invalid("the query is empty", hint="give an address, a name, or words of the text")
    if len(query) > LONGEST_QUERY:
        raise TooLong(
            f"the query must have at most {LONGEST_QUERY:,} characters, got {len(query):,}", hint="give its main words"
        )


def read_question(text: str) -> Question:
    """Parse a search query into terms."""
    text = text.strip()
    shown: dict[str, str] = {}
    for word in text[:LONGEST].split():
        for term in terms(word):
            shown.setdefault(term, word.strip("`'\"()[]{}<>,;:!?"))
    return Question(text, dict.fromkeys(shown, 1.0), shown)


def name_terms(name: str) -> frozenset[str]:
    """Return the terms of a name: an identifier, a heading or a path."""
    return frozenset(terms(name.replace("-", " ")).keys() | set(word_terms(name)))
