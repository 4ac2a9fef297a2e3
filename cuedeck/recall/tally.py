"""BM25 of one query over many texts, kept from one question to the next.

Points are whole numbers, so taking a part out and putting another in gives exactly what counting anew gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from cuedeck.recall.bm25 import part, rarity

Postings = Callable[[str], Mapping[str, int]]
"""Says how often each text has a term."""


class _Held(NamedTuple):
    worth: float
    parts: dict[str, int]


class Tally:
    """The points of every text; after the first update one costs what changed."""

    def __init__(self, slope: float) -> None:
        self._slope = slope
        self._mean = 0.0
        self._held: dict[str, _Held] = {}
        self._points: dict[str, int] = {}

    def update(
        self,
        query: Mapping[str, float],
        postings: Postings,
        lengths: Mapping[str, int],
        *,
        mean: float,
        changed: Iterable[str] | None,
    ) -> Mapping[str, int]:
        """Return the points of every text that has a term of the query.

        `changed` names the texts that may differ since the last update, None when all may.
        """
        if changed is None or mean != self._mean:
            self._held.clear()
            self._points.clear()
            self._mean = mean
        for term in [term for term in self._held if term not in query]:
            self._drop(term)
        for term, weight in query.items():
            having = postings(term)
            worth = weight * rarity(len(having), len(lengths))
            held = self._held.get(term)
            if held is None or held.worth != worth:
                self._drop(term)
                self._held[term] = held = _Held(worth, {})
                self._put(held, having, having, lengths)
            else:
                self._put(held, changed or (), having, lengths)
        return self._points

    def _put(self, held: _Held, texts: Iterable[str], having: Mapping[str, int], lengths: Mapping[str, int]) -> None:
        worth, parts = held
        points = self._points
        for text in texts:
            times = having.get(text, 0)
            new = part(times, lengths[text], worth, mean=self._mean, slope=self._slope) if times else 0
            old = parts.get(text, 0)
            if new != old:
                points[text] = points.get(text, 0) + new - old
                parts[text] = new

    def _drop(self, term: str) -> None:
        held = self._held.pop(term, None)
        for text, value in held.parts.items() if held else ():
            self._points[text] -= value
