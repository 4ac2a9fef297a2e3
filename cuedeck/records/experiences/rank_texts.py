"""Which texts answer a question, best first.

A text is searched as a line of folded words. A word of the question is found where a word begins with its stem, the
whole word counting most, so that texts need no stems and no language of their own; characters are found by pairs.
Points are BM25, where what few texts have counts most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cuedeck.ranking.bm25 import UNIT, middle, part, rarity
from cuedeck.records.experiences.analyzer import KANA, LONGEST, NAME, NOT, SIGN, WORD, Token, read_said
from cuedeck.records.experiences.hash_vectors import cosine, hash_vector
from cuedeck.records.experiences.normalization import even, fold_all
from cuedeck.records.experiences.tokenizer import VOWELS

MOST = 50
"""Results of one question."""
_SLOPE = 0.5
_LEAST_RARITY = 0.25
"""What every text has still counts a little."""
_MOST_TERMS = 60
"""Words of a question that are looked for, from its beginning."""
_LONG_STEM = 6
_BEGINNING = 5
_FAR_ENDING = 3
"""Letters behind a stem from which on it may be another word: `log`, `logistics`."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HUMPED = re.compile(r"\w*[a-z0-9][A-Z]\w*")
_GAP = re.compile(rf"(?:(?![{VOWELS}])[\W_])+")


class Ranked(NamedTuple):
    """A text that answers a question."""

    id: str
    score: float
    """Above 0; the higher the better."""


class Term(NamedTuple):
    """What is looked for in a searched line."""

    text: str
    """As it stands in the line; a blank before it where a word begins with it."""
    weight: float
    bends: bool = False
    """Whether letters may follow."""


class Search:
    """Texts made ready to be searched, each of them once."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._vectors: dict[str, dict[int, float]] = {}

    def rank(self, texts: Mapping[str, str], query: str, most: int, how: str = "words") -> list[Ranked]:
        """Return the texts that answer a question. Order: by score, ties by id."""
        points = self._by_vectors(texts, query) if how == "hash128" else self._by_words(texts, query)
        best = sorted(((-score, identity) for identity, score in points.items() if score > 0))
        return [Ranked(identity, -score) for score, identity in best[: max(1, min(most, MOST))]]

    def _by_words(self, texts: Mapping[str, str], query: str) -> dict[str, float]:
        lines = {identity: self._line(text) for identity, text in texts.items()}
        mean = middle(sum(map(len, lines.values())), len(lines))
        points: dict[str, int] = {}
        for term in query_terms(query):
            having = {identity: times for identity, line in lines.items() if (times := occurrences(term, line))}
            weight = term.weight * max(rarity(len(having), len(lines)), _LEAST_RARITY)
            for identity, times in having.items():
                length = len(lines[identity])
                gained = _points(times, length, weight, mean)
                points[identity] = points.get(identity, 0) + gained
        return {identity: score / UNIT for identity, score in points.items()}

    def _by_vectors(self, texts: Mapping[str, str], query: str) -> dict[str, float]:
        wanted = hash_vector(query)
        found: dict[str, float] = {}
        for identity, text in texts.items():
            if text not in self._vectors:
                self._vectors[text] = hash_vector(text)
            found[identity] = round(cosine(wanted, self._vectors[text]), 6)
        return found

    def _line(self, text: str) -> str:
        line = self._lines.get(text)
        if line is None:
            line = self._lines[text] = searchable(text)
        return line

    def keep(self, texts: Iterable[str]) -> None:
        """Let go of what was made ready of other texts."""
        kept = set(texts)
        for made in (self._lines, self._vectors):
            for text in [text for text in made if text not in kept]:
                del made[text]


def _points(times: float, length: int, weight: float, mean: float) -> int:
    return part(round(2 * times), length, weight, mean=mean, slope=_SLOPE)


def searchable(text: str) -> str:
    """Return a text as a line of folded words with a blank before and behind each.

    A name such as `verifyToken` is found by its parts and, at the end of the line, as a whole.
    """
    text = even(text[:LONGEST])
    parts = _HUMP.sub(" ", text)
    whole = " ".join(_HUMPED.findall(text)) if parts != text else ""
    return f" {fold_all(_GAP.sub(' ', f'{parts} {whole}')).strip()} "


def query_terms(query: str) -> tuple[Term, ...]:
    """Return what is looked for. Order: of the question."""
    found: dict[Term, None] = {}
    before = ""
    for token in read_said(query).tokens:
        for term in _terms(token, before):
            found.setdefault(term)
        before = token.form if token.kind == SIGN else ""
    return tuple(found)[:_MOST_TERMS]


def _terms(token: Token, before: str) -> Iterable[Term]:
    if token.form == NOT:
        return
    if token.kind == SIGN:
        if token.joins and before:
            yield Term(before + token.form, 1.0)
        yield Term(token.form, 0.3)
    elif token.kind == KANA:
        yield Term(token.form, 0.5)
    elif token.kind in (WORD, NAME):
        stem = token.form
        yield Term(f" {stem}" if stem.isascii() or "\u0400" <= stem[0] <= "\u052f" else stem, 1.0, True)
        if len(stem) > _LONG_STEM:
            yield Term(f" {stem[:_BEGINNING]}", 0.3, True)
    else:
        words = searchable(token.word)
        if words.strip():
            yield Term(words, 1.0)


def occurrences(term: Term, line: str) -> float:
    """Return how often a term stands in a searched line; where it may be the beginning of another word, half."""
    times = line.count(term.text)
    if not times or not term.bends:
        return times
    tails = re.findall(rf"{re.escape(term.text)}(\w*)", line)
    return sum(1.0 if len(tail) <= _FAR_ENDING else 0.5 for tail in tails)
