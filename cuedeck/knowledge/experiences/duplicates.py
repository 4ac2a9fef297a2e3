"""Indexes of known texts that find the one that is most similar to another text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from cuedeck.text.fold_text import fold_text, normalize
from cuedeck.text.hash_vectors import hash_vector
from cuedeck.text.similarity import CHANGED, Features, min_shared, prepare, similarity

_PREFIX = 3
"""Letters of a stem that a text must contain; stemmers change later letters."""


class NearDuplicate(NamedTuple):
    """The known text that is most similar to another text."""

    id: str
    similarity: float


class DuplicateIndex(Protocol):
    """Known texts by id."""

    def add(self, identity: str, text: str) -> None:
        """Add a text."""

    def find(self, text: str) -> NearDuplicate | None:
        """Return the most similar known text, or None if none reaches the threshold."""


def create_index(method: str, threshold: float) -> DuplicateIndex:
    """Return an empty index that compares texts by `words` or `hash128`."""
    if method == "hash128":
        return VectorIndex(threshold)
    return WordIndex(threshold)


class _Entry(NamedTuple):
    id: str
    features: Features


class _Group:
    """Entries with equal exact tokens, by their forms."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self._places: dict[str, list[int]] = {}

    def add(self, entry: _Entry) -> None:
        """Add an entry."""
        for form in entry.features.counts:
            self._places.setdefault(form, []).append(len(self.entries))
        self.entries.append(entry)

    def candidates(self, features: Features, threshold: float) -> Iterator[_Entry]:
        """Yield the entries that can reach the threshold.

        An entry must share `min_shared` forms, so it has at least one of any forms of
        which the text without them has fewer ("prefix filter"). The rarest forms are
        looked up, so that few entries are compared.
        """
        if threshold <= 0:
            yield from self.entries
            return
        forms = sorted(
            features.counts, key=lambda form: (len(self._places.get(form, ())), form)
        )
        seen: set[int] = set()
        left = features.size
        least = min_shared(features.size, threshold)
        for form in forms:
            if left < least:
                return
            for place in self._places.get(form, ()):
                if place not in seen:
                    seen.add(place)
                    yield self.entries[place]
            left -= features.counts[form]


class WordIndex:
    """Texts compared by their words."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._is_strict = threshold > CHANGED
        """Whether texts with different exact tokens are below the threshold."""
        self._by_plain: dict[str, list[_Entry]] = {}
        self._groups: dict[tuple[str, ...], _Group] = {}

    def add(self, identity: str, text: str) -> None:
        """Add a text."""
        entry = _Entry(identity, prepare(text))
        self._groups.setdefault(self._group_key(entry.features), _Group()).add(entry)
        self._by_plain.setdefault(entry.features.plain, []).append(entry)

    def find(self, text: str) -> NearDuplicate | None:
        """Return the most similar known text. Order: of equals the smallest id, of
        equal texts the first added.
        """
        features = prepare(text)
        for entry in self._by_plain.get(features.plain, ()):
            if similarity(features, entry.features) == 1.0:
                return NearDuplicate(entry.id, 1.0)
        group = self._groups.get(self._group_key(features))
        best: NearDuplicate | None = None
        for entry in group.candidates(features, self._threshold) if group else ():
            found = NearDuplicate(entry.id, similarity(features, entry.features))
            if found.similarity < self._threshold:
                continue
            if best is None or (-found.similarity, found.id) < (
                -best.similarity,
                best.id,
            ):
                best = found
        return best

    def _group_key(self, features: Features) -> tuple[str, ...]:
        return features.exact if self._is_strict else ()


class VectorIndex:
    """Texts compared by their hash vectors."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._ids: list[str] = []
        self._by_text: dict[str, str] = {}
        self._places: dict[int, list[tuple[int, float]]] = {}

    def add(self, identity: str, text: str) -> None:
        """Add a text."""
        self._by_text.setdefault(text.strip(), identity)
        for bucket, share in hash_vector(text).items():
            self._places.setdefault(bucket, []).append((len(self._ids), share))
        self._ids.append(identity)

    def find(self, text: str) -> NearDuplicate | None:
        """Return the most similar known text; an equal text is found even if it has no
        vector.
        """
        equal = self._by_text.get(text.strip())
        if equal is not None:
            return NearDuplicate(equal, 1.0)
        totals: dict[int, float] = {}
        for bucket, share in hash_vector(text).items():
            for place, other in self._places.get(bucket, ()):
                totals[place] = totals.get(place, 0.0) + share * other
        if self._threshold <= 0 and self._ids:
            totals.setdefault(0, 0.0)
        similar = [
            (-total, self._ids[place])
            for place, total in totals.items()
            if total >= self._threshold
        ]
        if not similar:
            return None
        total, identity = min(similar)
        return NearDuplicate(identity, -total)


class Prefilter:
    """A cheap check on letters whether a text can be similar to one text, before it is
    analysed.
    """

    def __init__(self, threshold: float, text: str) -> None:
        features = prepare(text)
        self._passes_all = threshold <= CHANGED
        self._max_missing = features.size - min_shared(features.size, threshold)
        self._beginnings = [
            (_beginning(form), times)
            for form, times in features.counts.items()
            if not form.startswith("=")
        ]

    def passes(self, folded: str) -> bool:
        """Return whether a folded text contains the beginnings of enough words."""
        missing = 0
        for beginning, times in self._beginnings:
            if beginning not in folded:
                missing += times
                if missing > self._max_missing:
                    return self._passes_all
        return True


def _beginning(form: str) -> str:
    # A stemmer may replace the last letter of a stem: `try` and `tries` have the stem
    # `tri`.
    return form[: max(1, min(_PREFIX, len(form) - 1))]


def find_near(
    method: str, threshold: float, known: Mapping[str, str], text: str
) -> NearDuplicate | None:
    """Return the known text, by id, that is most similar to a text, or None if none
    reaches the threshold.
    """
    index = create_index(method, threshold)
    prefilter = None
    if method != "hash128":
        prefilter = Prefilter(threshold, text)
    for identity, other in known.items():
        if prefilter is None or prefilter.passes(fold_text(normalize(other))):
            index.add(identity, other)
    return index.find(text)
