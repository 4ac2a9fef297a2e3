"""Rank texts for a question with BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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


def rank_texts(
    texts: Mapping[str, str], query: str, most: int, method: str = "words"
) -> list[Ranked]:
    """Return at most `most` texts that answer a question, by score, then by id."""
    score_texts = _score_vectors if method == "hash128" else _score_words
    scores = score_texts(texts, query)
    matches = [Ranked(name, score) for name, score in scores.items() if score > 0]
    matches.sort(key=lambda match: (-match.score, match.id))
    return matches[: max(1, min(most, MAX_RESULTS))]


def _score_words(texts: Mapping[str, str], query: str) -> dict[str, float]:
    stems = {name: Counter(read_stems(text)) for name, text in texts.items()}
    lengths = {name: found.total() for name, found in stems.items()}
    asked = dict.fromkeys(read_stems(query))
    content = [stem for stem in asked if stem not in stop_stems()]
    postings = {}
    weights = {}
    for stem in content or asked:
        having = {name: stems[name][stem] for name in stems if stem in stems[name]}
        postings[stem] = having
        weights[stem] = max(rarity(len(having), len(texts)), _MIN_RARITY)
    mean = middle(sum(lengths.values()), len(lengths))
    points = add_up(weights, postings, lengths, mean=mean, slope=_SLOPE)
    return {name: each / UNIT for name, each in points.items()}


def _score_vectors(texts: Mapping[str, str], query: str) -> dict[str, float]:
    asked = hash_vector(query)
    return {
        name: round(cosine(asked, hash_vector(text)), 6) for name, text in texts.items()
    }
