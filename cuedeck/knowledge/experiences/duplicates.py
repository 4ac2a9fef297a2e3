"""Index of known texts that finds the one that is most similar to another text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cuedeck.text.rank_texts import hash_vector
from cuedeck.text.similarity import Features, min_shared, prepare, similarity


class NearDuplicate(NamedTuple):
    """The known text that is most similar to another text."""

    id: str
    similarity: float


class DuplicateIndex:
    """Known texts by id, compared by `words` or `hash128`."""

    def __init__(self, method: str, threshold: float) -> None:
        self._has_vectors = method == "hash128"
        self._threshold = threshold
        self._known: list[tuple[str, Features]] = []
        self._equal: dict[str, list[int]] = {}
        """Places of the texts that are equal but for case and blanks."""
        self._places: dict[str | int, list[tuple[int, float]]] = {}
        """Place and weight of each text that has a stem, or a bucket of its vector."""

    def add(self, identity: str, text: str) -> None:
        """Add a text."""
        place = len(self._known)
        features = prepare(text)
        self._known.append((identity, features))
        self._equal.setdefault(features.plain, []).append(place)
        for key, weight in self._weights(text):
            self._places.setdefault(key, []).append((place, weight))

    def find(self, text: str) -> NearDuplicate | None:
        """Return the most similar known text, or None if none reaches the threshold.
        Order: of equals the smallest id, of equal texts the first added.
        """
        features = prepare(text)
        for place in self._equal.get(features.plain, ()):
            identity, known = self._known[place]
            if self._has_vectors or similarity(features, known) == 1.0:
                return NearDuplicate(identity, 1.0)
        shared: dict[int, float] = defaultdict(float)
        for key, weight in self._weights(text):
            for place, other in self._places.get(key, ()):
                shared[place] += (
                    weight * other if self._has_vectors else min(weight, other)
                )
        least = min_shared(features.size, self._threshold)
        found = []
        for place, score in shared.items():
            identity, known = self._known[place]
            if not self._has_vectors:
                score = similarity(features, known) if score >= least else 0.0
            if score >= self._threshold:
                found.append(NearDuplicate(identity, score))
        return min(found, key=lambda near: (-near.similarity, near.id), default=None)

    def _weights(self, text: str) -> Iterable[tuple[str | int, float]]:
        if self._has_vectors:
            yield from hash_vector(text).items()
        else:
            yield from prepare(text).counts.items()


def find_near(
    method: str, threshold: float, known: Mapping[str, str], text: str
) -> NearDuplicate | None:
    """Return the known text, by id, that is most similar to a text, or None if none
    reaches the threshold.
    """
    index = DuplicateIndex(method, threshold)
    for identity, other in known.items():
        index.add(identity, other)
    return index.find(text)
