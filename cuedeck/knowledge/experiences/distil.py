"""Select the records that become experiences, and the experiences that leave the
store.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from cuedeck.knowledge.experiences.duplicates import DuplicateIndex
from cuedeck.knowledge.experiences.eviction import select_evicted
from cuedeck.knowledge.experiences.statements import find_entities
from cuedeck.model.experience import Experience
from cuedeck.model.ids import new_id
from cuedeck.model.memory_record import Record
from cuedeck.model.record_categories import category_of
from cuedeck.model.settings_schema import ExperienceSettings

Mask = Callable[[str], str]
Result = Literal["made", "joined", "refused"]
_KEY_LETTERS = 16
_MAX_SOURCES = 50


class Candidates(NamedTuple):
    """Everything that can become an experience."""

    records: Sequence[Record]
    """All records, each id once."""
    primary: Collection[str]
    """Ids of the records in MEMORY.md; the others are only in a log or an archive."""
    imported: Sequence[Experience]
    """Experiences that another program made."""
    forgotten: Collection[str]
    """Ids that must not come back."""


class Outcome(NamedTuple):
    """The result for one record, or for one experience of another program."""

    record: str
    """Id."""
    result: Result
    reason: str
    """Empty for a new experience."""
    experience: str = ""
    """Id of the new experience, or of the existing one with the same statement."""
    text: str = ""
    """The statement, secrets masked; empty for a record that is not shown."""


class Distillation(NamedTuple):
    """The changes to the store of experiences."""

    looked_at: int
    added: tuple[Experience, ...]
    """New and changed experiences that stay."""
    found: int
    """New experiences, including those that were evicted at once."""
    duplicates: int
    """Records that were joined with an experience."""
    gone: tuple[str, ...]
    """Ids of lines that leave the file, including those that are replaced by a new
    line.
    """
    evicted: int
    seen: frozenset[str]
    outcomes: tuple[Outcome, ...]
    """The result of each examined record, in order."""


def distil(
    candidates: Candidates,
    existing: Sequence[Experience],
    seen: Collection[str],
    settings: ExperienceSettings,
    mask: Mask,
) -> Distillation:
    """Return the changes for all candidates whose keys are not in `seen`."""
    return _Distiller(candidates, existing, seen, settings, mask).run()


def record_key(record: Record) -> str:
    """Return a key that changes with the text, the category and the label of a
    record.
    """
    return _digest(record.id, record.sensitivity, record.category, record.text)


def import_key(experience: Experience) -> str:
    """Return the key of an experience of another program."""
    return _digest("import", experience.id)


def _digest(*parts: str) -> str:
    return hashlib.sha256(
        "\0".join(parts).encode("utf-8", "surrogatepass")
    ).hexdigest()[:_KEY_LETTERS]


class _Distiller:
    def __init__(
        self,
        candidates: Candidates,
        existing: Sequence[Experience],
        seen: Collection[str],
        settings: ExperienceSettings,
        mask: Mask,
    ) -> None:
        self._candidates = candidates
        self._settings = settings
        self._mask = mask
        self._keys = {record_key(record): record for record in candidates.records}
        self._new_records = [
            record for key, record in self._keys.items() if key not in seen
        ]
        self._new_imports = [
            each for each in candidates.imported if import_key(each) not in seen
        ]
        secret = (record.id for record in candidates.records if record.is_secret)
        self._hidden = {*candidates.forgotten, *secret}
        self._index = DuplicateIndex(settings.similarity, settings.uniqueness_threshold)
        self._gone: dict[str, None] = {}
        self._stored: dict[str, Experience] = {}
        self._added: dict[str, Experience] = {}
        """New experiences, and stored ones with another text or other sources."""
        for experience in existing:
            self._load(experience)
        self._by_record = {
            each.record: each.id for each in self._stored.values() if each.record
        }
        self._made: set[str] = set()
        self._outcomes: list[Outcome] = []

    def _load(self, experience: Experience) -> None:
        if not self._hidden.isdisjoint((experience.id, experience.record)):
            self._gone[experience.id] = None
            return
        sources = tuple(each for each in experience.sources if each not in self._hidden)
        if sources == experience.sources:
            self._stored[experience.id] = experience
        else:
            self._gone[experience.id] = None
            self._added[experience.id] = replace(experience, sources=sources)

    def run(self) -> Distillation:
        """Return the changes."""
        new = [*self._import_candidates(), *self._record_candidates()]
        replaced = {each.id for each in new}
        for stored in self._stored.values() if new else ():
            if stored.id not in replaced:
                self._index.add(stored.id, stored.text)
        for candidate in new:
            self._offer(candidate)
        every = [*self._stored.values(), *self._added.values()]
        evicted = set(select_evicted(every, self._settings.max_count))
        outcomes = self._ordered_outcomes(evicted)
        self._gone.update(
            dict.fromkeys(each for each in self._stored if each in evicted)
        )
        return Distillation(
            looked_at=len(self._new_records) + len(self._new_imports),
            added=tuple(
                each for each in self._added.values() if each.id not in evicted
            ),
            found=len(self._made),
            duplicates=sum(outcome.result == "joined" for outcome in outcomes),
            gone=tuple(self._gone),
            evicted=len(evicted),
            seen=frozenset((*self._keys, *map(import_key, self._candidates.imported))),
            outcomes=tuple(outcomes),
        )

    def _ordered_outcomes(self, evicted: Collection[str]) -> list[Outcome]:
        ids = [each.record or each.id for each in self._new_imports]
        ids += [record.id for record in self._new_records]
        places = {identity: place for place, identity in enumerate(ids)}
        reason = f"it is older than the {self._settings.max_count} experiences that the limit allows"
        outcomes = []
        for outcome in self._outcomes:
            if outcome.result == "made" and outcome.experience in evicted:
                outcome = outcome._replace(result="refused", reason=reason)
            outcomes.append(outcome)
        return sorted(outcomes, key=lambda outcome: places.get(outcome.record, -1))

    def _record_candidates(self) -> Iterator[Experience]:
        for record in self._new_records:
            reason = self._refusal(record)
            if reason:
                is_shown = record.id not in self._hidden
                shown = self._mask(record.text.strip()) if is_shown else ""
                self._outcomes.append(Outcome(record.id, "refused", reason, text=shown))
                continue
            text = self._mask(record.text.strip())
            own = self._stored.get(self._by_record.get(record.id, ""))
            # A log and the archive may contain the text of a record before it was
            # corrected.
            is_current = record.id in self._candidates.primary
            if own is not None and (own.text == text or not is_current):
                reason = _known_reason(own.id)
                self._outcomes.append(
                    Outcome(record.id, "refused", reason, own.id, text)
                )
                continue
            yield Experience(
                id=own.id if own else "",
                text=text,
                category=self._mask(record.category),
                session=self._mask(record.session),
                timestamp=record.timestamp,
                record=record.id,
                sensitivity=record.sensitivity,
                entities=find_entities(text),
                confidence=record.confidence,
            )

    def _refusal(self, record: Record) -> str:
        if record.is_secret:
            return "it is labelled secret"
        if record.id in self._hidden:
            return "it is forgotten or superseded"
        if not category_of(record.category).becomes_experience:
            return f"records of the category {self._mask(record.category)} do not become experiences"
        if len(record.text.strip()) < self._settings.min_chars:
            return f"it is shorter than {self._settings.min_chars} characters"
        return ""

    def _import_candidates(self) -> Iterator[Experience]:
        labels = {record.id: record.sensitivity for record in self._candidates.records}
        for each in self._new_imports:
            if each.id in self._stored or not self._hidden.isdisjoint(
                (each.id, each.record)
            ):
                continue
            text = self._mask(each.text.strip())
            label = labels.get(each.record, each.sensitivity)
            yield replace(
                each, text=text, sensitivity=label, entities=find_entities(text)
            )

    def _offer(self, candidate: Experience) -> None:
        known = None
        if candidate.record:
            known = self._by_record.get(candidate.record)
        if known is not None and known != candidate.id:
            self._add_outcome(candidate, "refused", _known_reason(known), known)
            return
        if candidate.id in self._stored:
            self._remove_stored(candidate.id)
        near = self._index.find(candidate.text)
        if near is not None:
            self._join(candidate, near.id)
            return
        identity = candidate.id or self._new_id(candidate)
        self._added[identity] = replace(candidate, id=identity)
        self._made.add(identity)
        if candidate.record:
            self._by_record[candidate.record] = identity
        self._index.add(identity, candidate.text)
        self._add_outcome(candidate, "made", "", identity)

    def _join(self, candidate: Experience, near: str) -> None:
        known = self._added.get(near) or self._stored[near]
        sources = dict.fromkeys([*known.sources, *candidate.sources, candidate.record])
        others = [each for each in sources if each and each != known.record]
        joined = replace(known, sources=tuple(others[-_MAX_SOURCES:]))
        if joined != known:
            if near in self._stored:
                self._remove_stored(near)
            self._added[near] = joined
        self._add_outcome(candidate, "joined", "same statement", near)

    def _remove_stored(self, identity: str) -> None:
        self._gone[identity] = None
        del self._stored[identity]

    def _add_outcome(
        self, candidate: Experience, result: Result, reason: str, identity: str
    ) -> None:
        source = candidate.record or candidate.id
        outcome = Outcome(source, result, reason, identity, candidate.text)
        self._outcomes.append(outcome)

    def _new_id(self, candidate: Experience) -> str:
        taken = {*self._stored, *self._added, *self._gone}
        seed = f"{candidate.record}\0{candidate.text}"
        return new_id(seed.encode("utf-8", "surrogatepass"), taken.__contains__)


def _known_reason(identity: str) -> str:
    return f"it is already experience {identity}"
