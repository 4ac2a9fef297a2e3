"""BM25 over short texts, with the tokenizer and light stemmer of the product."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from cuedeck.text.words import read_terms

_K1 = 1.2
_B = 0.75


class Bm25:
    """An index of texts by path."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._counts = {path: Counter(read_terms(text)) for path, text in texts.items()}
        self._lengths = {
            path: sum(found.values()) for path, found in self._counts.items()
        }
        self._mean = sum(self._lengths.values()) / max(len(texts), 1) or 1.0
        self._spread: Counter[str] = Counter()
        for found in self._counts.values():
            self._spread.update(found.keys())

    def rank(self, query: str) -> list[str]:
        """Return the paths, best first; of equal ones the first by path."""
        scores = dict.fromkeys(self._counts, 0.0)
        total = len(self._counts)
        for term in dict.fromkeys(read_terms(query)):
            spread = self._spread[term]
            idf = math.log(1 + (total - spread + 0.5) / (spread + 0.5))
            for path, found in self._counts.items():
                times = found.get(term, 0)
                if times:
                    length = self._lengths[path] / self._mean
                    share = times + _K1 * (1 - _B + _B * length)
                    scores[path] += idf * times * (_K1 + 1) / share
        return sorted(scores, key=lambda path: (-scores[path], path))


def reciprocal_rank(ranked: Sequence[str], wanted: Sequence[str]) -> float:
    """Return 1 divided by the rank of the first wanted path."""
    for at, path in enumerate(ranked, 1):
        if path in wanted:
            return 1 / at
    return 0.0
