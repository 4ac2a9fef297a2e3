"""Texts that are known, and whether another one says what one of them says.

Few of them are compared: where something else is said, texts are at most half alike, so that only those can be alike
that have the same numbers, names in code and negations, and share words that few have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from cuedeck.memory.experiences.hash_vectors import cosine, hash_vector
from cuedeck.memory.experiences.similarity import CHANGED, Features, beginnings, prepare, similarity
from cuedeck.memory.experiences.spelling import even, fold_all

_SLACK = 1e-5
"""Below a bound that is computed another way than the similarity itself."""
_LOOKED_FOR = 3
"""Letters of a word that are looked for in a text."""


class Near(NamedTuple):
    """The known text that is most like another one."""

    id: str
    similarity: float


class Known(Protocol):
    """Texts that are known, by id."""

    def add(self, identity: str, text: str) -> None:
        """Take note of a text."""

    def find(self, text: str) -> Near | None:
        """Return the known text that is most like this one, if it is at least as like as the threshold."""


def known_by(how: str, threshold: float) -> Known:
    """Return an empty store of known texts, compared by `words` or `hash128`."""
    return KnownVectors(threshold) if how == "hash128" else KnownWords(threshold)


class _Held(NamedTuple):
    id: str
    features: Features
    keys: frozenset[str]


class KnownWords:
    """Texts compared by what they say."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._is_strict = threshold > CHANGED + _SLACK
        """Whether what says something else is beyond the threshold."""
        self._known: list[_Held] = []
        self._last: tuple[str, Features] | None = None
        self._plain: dict[str, list[int]] = {}
        self._postings: dict[tuple[str, ...], dict[str, dict[int, list[int]]]] = {}
        """By what is telling, by beginning, by weight: the numbers of the texts; `""` is a beginning of all."""

    def add(self, identity: str, text: str) -> None:
        """Take note of a text."""
        features = self._prepared(text)
        postings = self._postings.setdefault(self._telling(features), {})
        keys = frozenset(beginnings(features, telling=not self._is_strict))
        for key in ("", *sorted(keys)):
            postings.setdefault(key, {}).setdefault(features.weight, []).append(len(self._known))
        self._plain.setdefault(features.plain, []).append(len(self._known))
        self._known.append(_Held(identity, features, keys))

    def find(self, text: str) -> Near | None:
        """Return the known text that is most like this one. Order: of equals the first by its id."""
        features = self._prepared(text)
        for at in self._plain.get(features.plain, ()):
            # Signs and the case of names may still tell them apart.
            if similarity(features, self._known[at].features) == 1.0:
                return Near(self._known[at].id, 1.0)
        best: Near | None = None
        for at in self._candidates(features):
            identity, other, _ = self._known[at]
            alike = similarity(features, other)
            if alike >= self._threshold and (best is None or (-alike, identity) < (-best.similarity, best.id)):
                best = Near(identity, alike)
        return best

    def _prepared(self, text: str) -> Features:
        """Return the features of a text; what was just looked for is often added next."""
        if self._last is None or self._last[0] != text:
            self._last = (text, prepare(text))
        return self._last[1]

    def _telling(self, features: Features) -> tuple[str, ...]:
        return features.telling if self._is_strict else ()

    def _candidates(self, features: Features) -> Iterator[int]:
        """Yield the numbers of all texts that may be alike enough.

        One that is has so much of this text that it has one of any words that weigh more than the rest; and where
        something else must not be said, one of both has all the words of the other.
        """
        weights = beginnings(features, telling=not self._is_strict)
        keys = frozenset(weights)
        for at in self._sharing(features, weights):
            others = self._known[at].keys
            if not self._is_strict or keys <= others or others <= keys:
                yield at

    def _sharing(self, features: Features, weights: Mapping[str, int]) -> Iterator[int]:
        postings = self._postings.get(self._telling(features), {})
        needed = self._threshold * features.weight - _SLACK
        most = features.weight / self._threshold + _SLACK if self._threshold else float("inf")
        rare = sorted(weights, key=lambda key: (sum(map(len, postings.get(key, {}).values())), key))
        seen: set[int] = set()
        left = features.weight
        for key in (*rare, ""):
            if left < needed:
                break
            for weight, numbers in postings.get(key, {}).items():
                # What lacks the rarest word lacks something, so it must have nothing more, and weigh less.
                limit = features.weight - 1 if self._is_strict and rare and key != rare[0] else most
                if needed <= weight <= limit:
                    yield from (at for at in numbers if at not in seen)
                    seen.update(numbers)
            left -= weights.get(key, 0)


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

    def find(self, text: str) -> Near | None:
        """Return the known text that is most like this one; an equal text is, also one without a vector."""
        if text.strip() in self._plain:
            return Near(self._plain[text.strip()], 1.0)
        totals: dict[int, float] = {}
        for bucket, share in hash_vector(text).items():
            for at, other in self._postings.get(bucket, ()):
                totals[at] = totals.get(at, 0.0) + share * other
        if self._threshold <= 0 and self._ids:
            totals.setdefault(0, 0.0)
        fit = [(-total, self._ids[at]) for at, total in totals.items() if total >= self._threshold]
        return Near(min(fit)[1], -min(fit)[0]) if fit else None


class Sieve:
    """Lets through the texts that may be like one text, by a look at their letters: few have to be prepared."""

    def __init__(self, threshold: float, text: str) -> None:
        features = prepare(text)
        self._is_open = threshold <= CHANGED + _SLACK
        self._spare = (1 - threshold) * features.weight + _SLACK
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


def find_near(how: str, threshold: float, known: Mapping[str, str], text: str) -> Near | None:
    """Return what a store of these texts, by id, finds for one text."""
    store = known_by(how, threshold)
    sieve = Sieve(threshold, text) if how != "hash128" else None
    for identity, other in known.items():
        if sieve is None or sieve.passes(fold_all(even(other))):
            store.add(identity, other)
    return store.find(text)


def alike(how: str, one: str, other: str) -> float:
    """Return how much two texts say the same, from 0 to 1; the same text is 1 by any measure."""
    if how == "hash128":
        return 1.0 if one.strip() == other.strip() else cosine(hash_vector(one), hash_vector(other))
    return similarity(prepare(one), prepare(other))
