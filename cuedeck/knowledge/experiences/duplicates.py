"""Index of known texts that finds the one that is most similar to another text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
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
        self._ids: list[str] = []
        self._features: list[Features] = []
        self._equal: dict[str, list[int]] = {}
        """Places of the texts that are equal but for case and blanks."""
        self._places: dict[str | int, list[tuple[int, float]]] = {}
        """Place and weight of each text that has a stem, or a bucket of its vector."""

    def add(self, identity: str, text: str) -> None:
        """Add a text."""
        place = len(self._ids)
        features = prepare(text)
        self._ids.append(identity)
        self._features.append(features)
        self._equal.setdefault(features.plain, []).append(place)
        weights: Mapping[str, float] | Mapping[int, float] = features.counts
        if self._has_vectors:
            weights = hash_vector(text)
        for key, weight in weights.items():
            self._places.setdefault(key, []).append((place, weight))

    def find(self, text: str) -> NearDuplicate | None:
        """Return the most similar known text, or None if none reaches the threshold.
        Order: of equals the smallest id, of equal texts the first added.
        """
        features = prepare(text)
        for place in self._equal.get(features.plain, ()):
            if self._has_vectors or similarity(features, self._features[place]) == 1.0:
                return NearDuplicate(self._ids[place], 1.0)
        found = []
        for place, score in self._scores(text, features).items():
            if score >= self._threshold:
                found.append((-score, self._ids[place]))
        if not found:
            return None
        score, identity = min(found)
        return NearDuplicate(identity, -score)

    def _scores(self, text: str, features: Features) -> Mapping[int, float]:
        """Return the similarity of each text that can reach the threshold."""
        shared: dict[int, float] = defaultdict(float)
        if self._threshold <= 0:
            shared.update(dict.fromkeys(range(len(self._ids)), 0.0))
        if self._has_vectors:
            for bucket, share in hash_vector(text).items():
                for place, weight in self._places.get(bucket, ()):
                    shared[place] += share * weight
            return shared
        for stem, count in features.counts.items():
            for place, weight in self._places.get(stem, ()):
                shared[place] += min(count, weight)
        least = min_shared(features.size, self._threshold)
        scores = {}
        for place, number in shared.items():
            if number >= least:
                scores[place] = similarity(features, self._features[place])
        return scores


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
