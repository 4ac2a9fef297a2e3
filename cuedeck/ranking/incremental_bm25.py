"""Incremental BM25: scores of one query over many texts, updated by the difference.

Points are integers, so subtracting the old part and adding the new one equals a full recount exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from cuedeck.ranking.bm25 import part, rarity

Postings = Callable[[str], Mapping[str, int]]
"""Returns the number of occurrences of a term in each text."""


class _Held(NamedTuple):
    worth: float
    parts: dict[str, int]


class Tally:
    """Incrementally maintained points of every text; an update after the first costs as much as the change."""

    def __init__(self, slope: float) -> None:
        self._slope = slope
        self._mean = 0.0
        self._held: dict[str, _Held] = {}
        self._points: dict[str, int] = {}
        self._changed: dict[str, None] = {}

    def note(self, changed: Iterable[str] | None) -> None:
        """Mark texts as changed, added or removed; None invalidates all."""
        if changed is None:
            self._held.clear()
            self._points.clear()
        else:
            self._changed.update(dict.fromkeys(changed))

    def update(
        self,
        query: Mapping[str, float],
        postings: Postings,
        lengths: Mapping[str, int],
        *,
        mean: float,
    ) -> Mapping[str, int]:
        """Return the points of every text that contains a term of the query."""
        if mean != self._mean:
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
                self._put(held, self._changed, having, lengths)
        self._changed.clear()
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
