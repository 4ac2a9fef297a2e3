"""Which records become experiences, which experiences leave, and what was looked at."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.memory.experiences.entities import entities_of
from cuedeck.memory.experiences.known import Known, Sieve, known_by
from cuedeck.memory.experiences.spelling import even, fold_all
from cuedeck.memory.experiences.value import evicted
from cuedeck.model.experience import CATEGORIES, Experience
from cuedeck.model.ids import new_id
from cuedeck.model.record import Record
from cuedeck.model.settings import ExperienceSettings

Mask = Callable[[str], str]
_KEY_LETTERS = 16
_FEW = 30
"""Candidates up to which it is cheaper to look which of the known texts they may be like."""


class Offered(NamedTuple):
    """What may become an experience."""

    records: Sequence[Record]
    """All there are, each id once."""
    primary: Collection[str]
    """Ids of those that stand in MEMORY.md, and not only in a log or an archive."""
    imported: Sequence[Experience]
    """What another program made of them."""
    forgotten: Collection[str]
    """Ids that must not come back."""


class Choice(NamedTuple):
    """What is to be done."""

    looked_at: int
    added: tuple[Experience, ...]
    """Those that stay."""
    found: int
    """All that were added, also those for which there was no room in the end."""
    duplicates: int
    gone: tuple[str, ...]
    """Ids of experiences that leave the file, also those of which a new line is added."""
    evicted: int
    seen: frozenset[str]


def choose(
    offered: Offered, existing: Sequence[Experience], seen: Collection[str], settings: ExperienceSettings, mask: Mask
) -> Choice:
    """Return what becomes of everything that was not looked at before."""
    return _Choosing(offered, existing, seen, settings, mask).run()


def key_of(record: Record) -> str:
    """Return what tells a record from what it was before it was changed."""
    return _digest(record.id, record.sensitivity, record.category, record.text)


def key_of_import(experience: Experience) -> str:
    """Return what tells that an experience of another program was looked at."""
    return _digest("import", experience.id)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_LETTERS]


class _Choosing:
    def __init__(
        self,
        offered: Offered,
        existing: Sequence[Experience],
        seen: Collection[str],
        settings: ExperienceSettings,
        mask: Mask,
    ) -> None:
        self._offered = offered
        self._settings = settings
        self._mask = mask
        self._keys = {key_of(record): record for record in offered.records}
        self._fresh = [record for key, record in self._keys.items() if key not in seen]
        self._imports = [each for each in offered.imported if key_of_import(each) not in seen]
        hidden = {record.id for record in offered.records if record.is_secret}
        self._hidden = hidden | set(offered.forgotten)
        hidden_now = (each.id for each in existing if not self._hidden.isdisjoint((each.id, each.record)))
        self._gone = dict.fromkeys(hidden_now)
        self._held = {each.id: each for each in existing if each.id not in self._gone}
        self._by_record = {each.record: each.id for each in self._held.values() if each.record}
        self._added: dict[str, Experience] = {}
        self._duplicates = 0

    def run(self) -> Choice:
        """Do it all."""
        imports, candidates = list(self._wanted_imports()), list(self._wanted_records())
        if imports or candidates:
            wanted = [*imports, *candidates]
            known = self._known(wanted)
            for each in wanted:
                self._offer(each, known)
        leaving = evicted([*self._held.values(), *self._added.values()], self._settings.max_count)
        left = frozenset(leaving)
        kept = {identity: each for identity, each in self._added.items() if identity not in left}
        gone = {**self._gone, **dict.fromkeys(identity for identity in leaving if identity in self._held)}
        seen = {*self._keys, *map(key_of_import, self._offered.imported)}
        looked_at = len(self._fresh) + len(self._imports)
        return Choice(
            looked_at,
            tuple(kept.values()),
            len(self._added),
            self._duplicates,
            tuple(gone),
            len(leaving),
            frozenset(seen),
        )

    def _wanted_records(self) -> Iterator[Experience]:
        """Yield the fresh records that may become experiences, as such."""
        for record in self._fresh:
            text = record.text.strip()
            if record.category not in CATEGORIES or len(text) < self._settings.min_chars or record.id in self._hidden:
                continue
            text = self._mask(text)
            own = self._held.get(self._by_record.get(record.id, ""))
            # A log and the archive may hold what a record said before it was corrected.
            if own is None or (own.text != text and record.id in self._offered.primary):
                yield Experience(
                    id=own.id if own else "",
                    text=text,
                    category=self._mask(record.category),
                    session=self._mask(record.session),
                    timestamp=record.timestamp,
                    record=record.id,
                    sensitivity=record.sensitivity,
                    entities=entities_of(text),
                    confidence=record.confidence,
                )

    def _wanted_imports(self) -> Iterator[Experience]:
        """Yield what another program made that is not here yet; a label it does not keep is that of the record."""
        labels = {record.id: record.sensitivity for record in self._offered.records}
        for each in self._imports:
            if each.id not in self._held and self._hidden.isdisjoint((each.id, each.record)):
                text = self._mask(each.text.strip())
                label = labels.get(each.record, each.sensitivity)
                yield replace(each, text=text, sensitivity=label, entities=entities_of(text))

    def _known(self, wanted: Sequence[Experience]) -> Known:
        """Return the texts that stay, as far as one that is wanted may be like them."""
        how, threshold = self._settings.similarity, self._settings.uniqueness_threshold
        known = known_by(how, threshold)
        corrected = {each.id for each in wanted}
        few = how == "words" and len(wanted) <= _FEW
        sieves = [Sieve(threshold, each.text) for each in wanted] if few else []
        for each in self._held.values():
            if each.id in corrected:
                continue
            folded = fold_all(even(each.text)) if few else ""
            if not few or any(sieve.passes(folded) for sieve in sieves):
                known.add(each.id, each.text)
        return known

    def _offer(self, wanted: Experience, known: Known) -> None:
        """Add an experience unless it is known; one whose record was corrected takes the place of the old one."""
        if wanted.record and wanted.record in self._by_record and wanted.id != self._by_record[wanted.record]:
            return
        if wanted.id in self._held:
            self._gone[wanted.id] = None
            del self._held[wanted.id]
        if known.find(wanted.text) is not None:
            self._duplicates += 1
            return
        identity = wanted.id or self._identity(wanted)
        self._added[identity] = replace(wanted, id=identity)
        if wanted.record:
            self._by_record[wanted.record] = identity
        known.add(identity, wanted.text)

    def _identity(self, wanted: Experience) -> str:
        def is_taken(identity: str) -> bool:
            return identity in self._held or identity in self._added or identity in self._gone

        return new_id(f"{wanted.record}\0{wanted.text}".encode("utf-8", "surrogatepass"), is_taken)
