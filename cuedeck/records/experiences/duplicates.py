"""Texts that are known, and whether another one says what one of them says.

Few of them are compared: where something else is said, texts are at most half alike, so that only those can be alike
that have the same numbers, names in code and negations, and share words that few have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from cuedeck.records.experiences.hash_vectors import cosine, hash_vector
from cuedeck.records.experiences.inverted_index import SLACK, Member, Postings
from cuedeck.records.experiences.normalization import even, fold_all
from cuedeck.records.experiences.similarity import CHANGED, Features, beginnings, prepare, similarity

_LOOKED_FOR = 3
"""Letters of a word that are looked for in a text."""


class NearDuplicate(NamedTuple):
    """The known text that is most like another one."""

    id: str
    similarity: float


class DuplicateIndex(Protocol):
    """Texts that are known, by id."""

    def add(self, identity: str, text: str) -> None:
        """Take note of a text."""

    def find(self, text: str) -> NearDuplicate | None:
        """Return the known text that is most like this one, if it is at least as like as the threshold."""


def known_by(how: str, threshold: float) -> DuplicateIndex:
    """Return an empty store of known texts, compared by `words` or `hash128`."""
    return KnownVectors(threshold) if how == "hash128" else KnownWords(threshold)


class KnownWords:
    """Texts compared by what they say."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._is_strict = threshold > CHANGED + SLACK
        """Whether what says something else is beyond the threshold."""
        self._last: tuple[str, Features] | None = None
        self._plain: dict[str, list[Member]] = {}
        self._postings: dict[tuple[str, ...], Postings] = {}
        """By what is telling."""

    def add(self, identity: str, text: str) -> None:
        """Take note of a text."""
        features = self._prepared(text)
        member = Member(identity, features, frozenset(self._beginnings(features)))
        telling = self._telling(features)
        if telling not in self._postings:
            self._postings[telling] = Postings(is_nested=self._is_strict)
        self._postings[telling].add(member)
        self._plain.setdefault(features.plain, []).append(member)

    def find(self, text: str) -> NearDuplicate | None:
        """Return the known text that is most like this one. Order: of equals the first by its id."""
        features = self._prepared(text)
        for known in self._plain.get(features.plain, ()):
            # Signs and the case of names may still tell them apart.
            if similarity(features, known.features) == 1.0:
                return NearDuplicate(known.id, 1.0)
        best: NearDuplicate | None = None
        for identity, other, _ in self._candidates(features):
            alike = similarity(features, other)
            if alike >= self._threshold and (best is None or (-alike, identity) < (-best.similarity, best.id)):
                best = NearDuplicate(identity, alike)
        return best

    def _prepared(self, text: str) -> Features:
        """Return the features of a text; what was just looked for is often added next."""
        if self._last is None or self._last[0] != text:
            self._last = (text, prepare(text))
        return self._last[1]

    def _telling(self, features: Features) -> tuple[str, ...]:
        return features.telling if self._is_strict else ()

    def _beginnings(self, features: Features) -> dict[str, int]:
        return beginnings(features, telling=not self._is_strict)

    def _candidates(self, features: Features) -> Iterable[Member]:
        """Return all texts that may be alike enough; where something else must not be said, few are."""
        postings = self._postings.get(self._telling(features))
        return postings.near(features.weight, self._beginnings(features), self._threshold) if postings else ()


class KnownVectors:
    """Texts compared by their hash vectors."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._ids: list[str] = []
        self._plain: dict[str, str] = {}
        self._postings: dict[int, list[tuple[int, float]]] = {}

    def add(self, identity: str, text: str) -> None:
        """Take note of a text."""
        self._plain.setdefault(text.strip(), identity)
        for bucket, share in hash_vector(text).items():
            self._postings.setdefault(bucket, []).append((len(self._ids), share))
        self._ids.append(identity)

    def find(self, text: str) -> NearDuplicate | None:
        """Return the known text that is most like this one; an equal text is, also one without a vector."""
        if text.strip() in self._plain:
            return NearDuplicate(self._plain[text.strip()], 1.0)
        totals: dict[int, float] = {}
        for bucket, share in hash_vector(text).items():
            for at, other in self._postings.get(bucket, ()):
                totals[at] = totals.get(at, 0.0) + share * other
        if self._threshold <= 0 and self._ids:
            totals.setdefault(0, 0.0)
        fit = [(-total, self._ids[at]) for at, total in totals.items() if total >= self._threshold]
        return NearDuplicate(min(fit)[1], -min(fit)[0]) if fit else None


class Prefilter:
    """Lets through the texts that may be like one text, by a look at their letters: few have to be prepared."""

    def __init__(self, threshold: float, text: str) -> None:
        features = prepare(text)
        self._is_open = threshold <= CHANGED + SLACK
        self._spare = (1 - threshold) * features.weight + SLACK
        # A stem may have changed the last letter of its word: `try`, `tries`.
        begun = beginnings(features, telling=False).items()
        self._parts = [(key[: max(1, min(_LOOKED_FOR, len(key) - 1))], weight) for key, weight in begun]

    def passes(self, folded: str) -> bool:
        """Tell whether a folded text has the beginnings of enough words."""
        spare = self._spare
        for part, weight in self._parts:
            if part not in folded:
                spare -= weight
                if spare < 0:
                    return self._is_open
        return True


def find_near(how: str, threshold: float, known: Mapping[str, str], text: str) -> NearDuplicate | None:
    """Return what a store of these texts, by id, finds for one text."""
    store = known_by(how, threshold)
    sieve = Prefilter(threshold, text) if how != "hash128" else None
    for identity, other in known.items():
        if sieve is None or sieve.passes(fold_all(even(other))):
            store.add(identity, other)
    return store.find(text)


def alike(how: str, one: str, other: str) -> float:
    """Return how much two texts say the same, from 0 to 1; the same text is 1 by any measure."""
    if how == "hash128":
        return 1.0 if one.strip() == other.strip() else cosine(hash_vector(one), hash_vector(other))
    return similarity(prepare(one), prepare(other))
