"""Rank texts for a question with BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cuedeck.text.bm25 import UNIT, add_up, middle, rarity
from cuedeck.text.hash_vectors import cosine, hash_vector
from cuedeck.text.words import read_stems, stop_stems

MAX_RESULTS = 50
"""Results of one question."""
_SLOPE = 0.5
"""Weight of the length of a text in BM25."""
_MIN_RARITY = 0.25
"""Weight of a word that every text has."""


class Ranked(NamedTuple):
    """A text that answers a question."""

    id: str
    score: float
    """Above 0; higher is better."""


class Search:
    """A searcher that keeps the stems and vectors of texts."""

    def __init__(self) -> None:
        self._stems: dict[str, Counter[str]] = {}
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
        stems = {identity: self._stems_of(text) for identity, text in texts.items()}
        lengths = {identity: found.total() for identity, found in stems.items()}
        asked = dict.fromkeys(read_stems(query))
        content = [stem for stem in asked if stem not in stop_stems()]
        postings = {}
        weights = {}
        for stem in content or asked:
            having = {each: stems[each][stem] for each in stems if stem in stems[each]}
            postings[stem] = having
            weights[stem] = max(rarity(len(having), len(texts)), _MIN_RARITY)
        mean = middle(sum(lengths.values()), len(lengths))
        points = add_up(weights, postings, lengths, mean=mean, slope=_SLOPE)
        return {identity: each / UNIT for identity, each in points.items()}

    def _score_vectors(self, texts: Mapping[str, str], query: str) -> dict[str, float]:
        query_vector = hash_vector(query)
        scores: dict[str, float] = {}
        for identity, text in texts.items():
            if text not in self._vectors:
                self._vectors[text] = hash_vector(text)
            scores[identity] = round(cosine(query_vector, self._vectors[text]), 6)
        return scores

    def _stems_of(self, text: str) -> Counter[str]:
        found = self._stems.get(text)
        if found is None:
            found = self._stems[text] = Counter(read_stems(text))
        return found

    def keep(self, texts: Iterable[str]) -> None:
        """Drop the stems and vectors of all other texts."""
        kept = set(texts)
        self._stems = {
            text: found for text, found in self._stems.items() if text in kept
        }
        self._vectors = {
            text: vector for text, vector in self._vectors.items() if text in kept
        }
