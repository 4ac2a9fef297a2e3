"""Rank texts for a question with BM25.

A text is searched as one line of folded words. A word of the question is found where a
word of the line begins with its stem, so that texts need no stems and no language of
their own; characters are found by pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cuedeck.text.bm25 import UNIT, middle, part, rarity
from cuedeck.text.fold_text import MARKS, fold_text, normalize
from cuedeck.text.hash_vectors import cosine, hash_vector
from cuedeck.text.similarity import STOP, Term, read_terms
from cuedeck.text.tokenize_text import MAX_CHARS, NOT, Kind, fold

MAX_RESULTS = 50
"""Results of one question."""
_SLOPE = 0.5
"""Weight of the length of a text in BM25."""
_MIN_RARITY = 0.25
"""Weight of a word that every text has."""
_MAX_TERMS = 60
"""Later words of a question are ignored."""
_LONG_STEM = 6
_BEGINNING = 5
"""A long stem is also searched by this many of its first letters."""
_MIN_STEM = 3
"""Letters that a stem shares with its word at least; otherwise the whole word is
searched.
"""
_MIN_STOP_WORD = 4
_FAR_ENDING = 3
"""A longer ending may belong to another word: `log`, `logistics`."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CAMEL_CASE = re.compile(r"\w*[a-z0-9][A-Z]\w*")
_GAP = re.compile(rf"(?:(?![{MARKS}])[\W_])+")


class Ranked(NamedTuple):
    """A text that answers a question."""

    id: str
    score: float
    """Above 0; higher is better."""


class SearchTerm(NamedTuple):
    """A string that is searched in a line."""

    text: str
    """It starts with a space if only beginnings of words match."""
    weight: float
    is_prefix: bool = False
    """Whether letters may follow."""


class Search:
    """A searcher that keeps the lines and vectors of texts."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._vectors: dict[str, dict[int, float]] = {}

    def rank(
        self, texts: Mapping[str, str], query: str, most: int, method: str = "words"
    ) -> list[Ranked]:
        """Return at most `most` texts that answer a question. Order: by score, ties by
        id.
        """
        score_texts = self._score_vectors if method == "hash128" else self._score_words
        scores = score_texts(texts, query)
        matches = [
            Ranked(identity, score) for identity, score in scores.items() if score > 0
        ]
        matches.sort(key=lambda match: (-match.score, match.id))
        count = max(1, min(most, MAX_RESULTS))
        return matches[:count]

    def _score_words(self, texts: Mapping[str, str], query: str) -> dict[str, float]:
        lines = {identity: self._line(text) for identity, text in texts.items()}
        total = sum(map(len, lines.values()))
        mean = middle(total, len(lines))
        scores: dict[str, int] = {}
        for term in query_terms(query):
            matches: dict[str, float] = {}
            for identity, line in lines.items():
                times = occurrences(term, line)
                if times:
                    matches[identity] = times
            rareness = max(rarity(len(matches), len(lines)), _MIN_RARITY)
            weight = term.weight * rareness
            for identity, times in matches.items():
                gained = part(
                    round(2 * times),
                    len(lines[identity]),
                    weight,
                    mean=mean,
                    slope=_SLOPE,
                )
                scores[identity] = scores.get(identity, 0) + gained
        return {identity: score / UNIT for identity, score in scores.items()}

    def _score_vectors(self, texts: Mapping[str, str], query: str) -> dict[str, float]:
        query_vector = hash_vector(query)
        scores: dict[str, float] = {}
        for identity, text in texts.items():
            if text not in self._vectors:
                self._vectors[text] = hash_vector(text)
            scores[identity] = round(cosine(query_vector, self._vectors[text]), 6)
        return scores

    def _line(self, text: str) -> str:
        line = self._lines.get(text)
        if line is None:
            line = self._lines[text] = searchable(text)
        return line

    def keep(self, texts: Iterable[str]) -> None:
        """Drop the lines and vectors of all other texts."""
        kept = set(texts)
        self._lines = {text: line for text, line in self._lines.items() if text in kept}
        self._vectors = {
            text: vector for text, vector in self._vectors.items() if text in kept
        }


def searchable(text: str) -> str:
    """Return a text as a line of folded words, with a space before and after each.

    A name such as `verifyToken` is found by its parts and, at the end of the line, as a
    whole.
    """
    text = normalize(text[:MAX_CHARS])
    parts = _HUMP.sub(" ", text)
    names = ""
    if parts != text:
        names = " ".join(_CAMEL_CASE.findall(text))
    return f" {fold_text(_GAP.sub(' ', f'{parts} {names}')).strip()} "


def query_terms(query: str) -> tuple[SearchTerm, ...]:
    """Return the search terms of a question, in its order; stop words only if the
    question has nothing else.
    """
    terms = read_terms(query)
    content = [term for term in terms if not term.form.startswith(STOP)]
    if not content:
        content = [term for term in terms if len(term.token.text) >= _MIN_STOP_WORD]
    found: dict[SearchTerm, None] = {}
    before = ""
    for term in content:
        for search_term in _search_terms(term, before):
            found.setdefault(search_term)
        before = term.form
    return tuple(found)[:_MAX_TERMS]


def _search_terms(term: Term, before: str) -> Iterable[SearchTerm]:
    form, token = term
    if form == NOT:
        return
    if token.kind is Kind.CHARACTER:
        if token.is_joined:
            yield SearchTerm(before + form, 1.0)
        yield SearchTerm(form, 0.3)
    elif token.kind is Kind.WORD:
        stem = _searched_stem(fold(token.text), form.removeprefix(STOP))
        yield SearchTerm(f" {stem}", 1.0, is_prefix=True)
        if len(stem) > _LONG_STEM:
            yield SearchTerm(f" {stem[:_BEGINNING]}", 0.3, is_prefix=True)
    else:
        words = searchable(token.text.removeprefix("="))
        if words.strip():
            yield SearchTerm(words, 1.0)


def _searched_stem(word: str, stem: str) -> str:
    """Return the letters that a stem shares with its word: a line has `tries` for the
    stem `tri`, but also `try`.
    """
    size = 0
    while size < min(len(word), len(stem)) and word[size] == stem[size]:
        size += 1
    if size >= _MIN_STEM:
        return word[:size]
    return word


def occurrences(term: SearchTerm, line: str) -> float:
    """Return how often a line contains a term; a match that may belong to another word
    counts half.
    """
    times = line.count(term.text)
    if not times or not term.is_prefix:
        return times
    endings = re.findall(rf"{re.escape(term.text)}(\w*)", line)
    return sum(1.0 if len(ending) <= _FAR_ENDING else 0.5 for ending in endings)
