"""Select the records that become experiences, and the experiences that leave the
store.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from cuedeck.knowledge.experiences.duplicates import DuplicateIndex
from cuedeck.ledger.mention_parser import Reader
from cuedeck.model.ids import new_id
from cuedeck.model.memory_record import Experience, Record, category_of
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
    secret = (record.id for record in candidates.records if record.is_secret)
    store = _Store(existing, frozenset((*candidates.forgotten, *secret)), settings)
    imported = {_digest("import", each.id): each for each in candidates.imported}
    records = {
        _digest(each.id, each.sensitivity, each.category, each.text): each
        for each in candidates.records
    }
    labels = {record.id: record.sensitivity for record in candidates.records}
    new_imports = [each for key, each in imported.items() if key not in seen]
    new_records = [each for key, each in records.items() if key not in seen]
    items: list[Experience | Outcome] = []
    for each in new_imports:
        if each.id not in store.now and not store.hides(each):
            label = labels.get(each.record, each.sensitivity)
            text = mask(each.text.strip())
            items.append(replace(each, text=text, sensitivity=label))
    for record in new_records:
        is_current = record.id in candidates.primary
        items.append(store.read(record, mask(record.text.strip()), is_current))
    outcomes = store.take(items)
    results = [outcome.result for outcome in outcomes]
    evicted = store.evict(outcomes)
    before = {each.id: each for each in existing}
    now = store.now
    return Distillation(
        looked_at=len(new_imports) + len(new_records),
        added=tuple(each for each in now.values() if before.get(each.id) != each),
        found=results.count("made"),
        duplicates=results.count("joined"),
        gone=tuple(each for each in before if before[each] != now.get(each)),
        evicted=evicted,
        seen=frozenset((*records, *imported)),
        outcomes=tuple(outcomes),
    )


def _digest(*parts: str) -> str:
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:_KEY_LETTERS]


def select_evicted(
    experiences: Iterable[Experience], max_count: int, kept: Collection[str] = ()
) -> list[str]:
    """Return the ids to evict so that at most `max_count` stay.

    Order: the oldest first, those of protected categories after all others, and the ids
    in `kept` last.
    """

    ranked = sorted(experiences, key=lambda each: (each.id in kept, _value(each)))
    return [each.id for each in ranked[: max(0, len(ranked) - max_count)]]


def _value(experience: Experience) -> tuple[bool, str, str]:
    is_protected = category_of(experience.category).is_protected
    return is_protected, experience.timestamp, experience.id


class _Store:
    """The experiences while candidates are added."""

    def __init__(
        self,
        existing: Sequence[Experience],
        hidden: frozenset[str],
        settings: ExperienceSettings,
    ) -> None:
        self.hidden = hidden
        self.now: dict[str, Experience] = {}
        self._settings = settings
        self._limit = settings.max_count
        self._by_record: dict[str, str] = {}
        self._taken = {each.id for each in existing}
        self._texts = DuplicateIndex(settings.similarity, settings.uniqueness_threshold)
        for each in existing:
            if not self.hides(each):
                sources = [one for one in each.sources if one not in hidden]
                self._set(replace(each, sources=tuple(sources)))

    def hides(self, experience: Experience) -> bool:
        """Return whether an experience or its record is forgotten or secret."""
        return experience.id in self.hidden or experience.record in self.hidden

    def _set(self, experience: Experience) -> None:
        self.now[experience.id] = experience
        self._taken.add(experience.id)
        if experience.record:
            self._by_record[experience.record] = experience.id

    def read(self, record: Record, text: str, is_current: bool) -> Experience | Outcome:
        """Return the experience of a record, or the reason why it has none.

        A log and the archive (`is_current` is false) may contain the text of a record
        before it was corrected.
        """
        shown = "" if record.id in self.hidden else text
        reason = self._obstacle(record)
        if reason:
            return Outcome(record.id, "refused", reason, text=shown)
        own = self.now.get(self._by_record.get(record.id, ""))
        if own is not None and (own.text == text or not is_current):
            return _known(record.id, own.id, text)
        return Experience(
            id=own.id if own else "",
            text=text,
            category=record.category,
            session=record.session,
            timestamp=record.timestamp,
            record=record.id,
            sensitivity=record.sensitivity,
            confidence=record.confidence,
        )

    def _obstacle(self, record: Record) -> str:
        category = record.category
        shortest = self._settings.min_chars
        if record.is_secret:
            return "it is labelled secret"
        if record.id in self.hidden:
            return "it is forgotten or superseded"
        if not category_of(category).becomes_experience:
            return f"records of the category {category} do not become experiences"
        if len(record.text.strip()) < shortest:
            return f"it is shorter than {shortest} characters"
        return ""

    def take(self, items: Sequence[Experience | Outcome]) -> list[Outcome]:
        """Add the candidates among some items; return the result of each item.

        More candidates than the limit are added in groups, the most valuable first.
        Those after one limit of new experiences would be evicted.
        """
        found = dict(enumerate(items))
        given = {at: each for at, each in found.items() if isinstance(each, Experience)}
        changed = {at for at, each in given.items() if each.id in self.now}
        new = {each.id for each in given.values()}
        for stored in self.now.values() if new else ():
            if stored.id not in new:
                self._texts.add(stored.id, stored.text)
        ranked = sorted(given, key=lambda at: (at in changed, _value(given[at])))
        made = 0
        while ranked:
            group = sorted(ranked[-self._limit :])
            del ranked[-self._limit :]
            is_full = made >= self._limit
            for at in group:
                offer = self._beyond if is_full else self._offer
                outcome = offer(given[at])
                made += outcome.result == "made" and at not in changed
                found[at] = outcome
        return [each for each in found.values() if isinstance(each, Outcome)]

    def evict(self, outcomes: list[Outcome]) -> int:
        """Remove what exceeds the limit, also from the outcomes; return the number."""
        evicted = {
            identity: self.now.pop(identity)
            for identity in select_evicted(self.now.values(), self._limit)
        }
        for at, outcome in enumerate(outcomes):
            if outcome.result == "made" and outcome.experience in evicted:
                outcomes[at] = self._beyond(evicted[outcome.experience])
        return len(evicted)

    def _beyond(self, candidate: Experience) -> Outcome:
        reason = f"it is older than the {self._limit} experiences that the limit allows"
        source = candidate.record or candidate.id
        return Outcome(source, "refused", reason, text=candidate.text)

    def _offer(self, candidate: Experience) -> Outcome:
        source, text = candidate.record or candidate.id, candidate.text
        known = self._by_record.get(candidate.record, candidate.id)
        if known != candidate.id:
            return _known(source, known, text)
        self.now.pop(candidate.id, None)
        near = self._texts.find(text)
        if near is not None:
            other = self.now[near.id]
            sources = [*other.sources, *candidate.sources, candidate.record]
            named = dict.fromkeys(sources)
            others = [each for each in named if each and each != other.record]
            latest = tuple(others[-_MAX_SOURCES:])
            self.now[near.id] = replace(other, sources=latest)
            return Outcome(source, "joined", "same statement", near.id, text)
        identity = candidate.id
        if not identity:
            seed = f"{candidate.record}\0{text}".encode("utf-8", "surrogatepass")
            identity = new_id(seed, self._taken.__contains__)
        entities = find_entities(text)
        self._set(replace(candidate, id=identity, entities=entities))
        self._texts.add(identity, text)
        return Outcome(source, "made", "", identity, text)


def _known(source: str, identity: str, text: str) -> Outcome:
    reason = f"it is already experience {identity}"
    return Outcome(source, "refused", reason, identity, text)


MAX_ENTITIES = 20
"""Entities that are kept of one text."""


def find_entities(text: str) -> tuple[str, ...]:
    """Return the names in a text, each once: `src/auth.py#Login.verify`,
    `verify_token`, `verifyToken`.
    """
    names = dict.fromkeys(name.text for name in Reader().read(text))
    return tuple(names)[:MAX_ENTITIES]
