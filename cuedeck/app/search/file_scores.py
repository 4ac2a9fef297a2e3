"""How well each file answers a question by words: its text, its path, the names in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.cards.active_card import cards
from cuedeck.model.address import name_key
from cuedeck.parse.index_terms import DEFINED, NAME, PATH, defined_key, path_terms
from cuedeck.parse.terms import terms, word_terms
from cuedeck.ranking.bm25 import UNIT, middle, part, rarity
from cuedeck.store.index.file_queries import paths_named_like

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_SLOPE = 0.75
_FIELDS = ((PATH, 2.0), (NAME, 2.0), (DEFINED, 3.0))
"""Fields of terms, and how much of a word of the text a word in them is worth."""
_TITLE = 3.0
_EXACT, _PARTLY = 8 * UNIT, 3 * UNIT
"""For a name that is the question, and for one that holds it."""
_MOST_NAMED = 500
_HELD = "recall cards"


class CardWords(NamedTuple):
    """The words of a card, which the corpus does not hold."""

    text: Counter[str]
    title: frozenset[str]
    path: Counter[str]


class FileScores:
    """Points of files, as they are gathered."""

    def __init__(self, project: Workspace, question: Question) -> None:
        self._project = project
        self._question = question
        self.points: Counter[str] = Counter()
        self.having: dict[str, set[str]] = {}
        """For each file the terms that were found in it, or of it."""
        self.rarity: dict[str, float] = {}
        """For each term how much it tells."""
        self._weigh()
        self._name()

    def _weigh(self) -> None:
        corpus, own = self._project.corpus, card_words(self._project)
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
            # A file that has all of the words goes before one that has one of them often.
            self.points[path] = self.points[path] * len(having) // max(len(self._question.weights), 1)

    def _fields(self, term: str, own: Mapping[str, CardWords]) -> dict[str, float]:
        """Return what a term in the path or in a name of a file is worth, by path."""
        found: dict[str, float] = {}
        for prefix, weight in _FIELDS:
            key = prefix + (defined_key(self._question.shown[term]) if prefix == DEFINED else term)
            for path in self._project.corpus.postings(key):
                found[path] = found.get(path, 0.0) + weight
        for path, words in own.items():
            weight = _TITLE * (term in words.title) + _FIELDS[0][1] * (term in words.path)
            if weight:
                found[path] = weight
        return found

    def _name(self) -> None:
        """Count names of files that hold the question as it is written."""
        index, key = self._project.index, name_key(self._question.text)
        for path in index.named(key):
            self.points[path] += _EXACT
        if len(key) > 1:
            for path in paths_named_like(index, key, _MOST_NAMED):
                self.points[path] += _PARTLY

    def _add(self, path: str, term: str, points: int) -> None:
        self.points[path] += points
        self.having.setdefault(path, set()).add(term)


def card_words(project: Workspace) -> Mapping[str, CardWords]:
    """Return the words of every card by path, made anew when any file changed."""
    generation = project.index.meta("generation")
    # Kept beside what else is known of the open workspace.
    held: tuple[Any, dict[str, CardWords]] | None = project.__dict__.get(_HELD)
    if held is None or held[0] != generation:
        made = {file.path: _words(project, file.path, file.card.title) for file in cards(project) if file.card}
        held = project.__dict__[_HELD] = (generation, made)
    return held[1]


def _words(project: Workspace, path: str, title: str) -> CardWords:
    return CardWords(terms(project.texts.text(path)), name_terms(title), path_terms(path))


LONGEST = 1_000
"""Characters of a question that are looked at."""


class Question(NamedTuple):
    """What is asked."""

    text: str
    """As it was asked, without blanks around it."""
    weights: Mapping[str, float]
    """By term, in the order of the question."""
    shown: Mapping[str, str]
    """For each term the word of the question that it comes from."""

    def said(self, found: Iterable[str]) -> str:
        """Return the words that some terms come from, quoted. Order: of the question."""
        known = set(found)
        words = dict.fromkeys(word for term, word in self.shown.items() if term in known)
        return ", ".join(f"`{word}`" for word in words)


def read_question(text: str) -> Question:
    """Return what a text asks for."""
    text = text.strip()
    shown: dict[str, str] = {}
    for word in text[:LONGEST].split():
        for term in terms(word):
            shown.setdefault(term, word.strip("`'\"()[]{}<>,;:!?"))
    return Question(text, dict.fromkeys(shown, 1.0), shown)


def name_terms(name: str) -> frozenset[str]:
    """Return the terms of a name, be it an identifier, a heading or a path."""
    return frozenset(terms(name.replace("-", " ")).keys() | set(word_terms(name)))
