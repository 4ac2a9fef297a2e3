"""Select the records that become experiences, and the experiences that leave the
store.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from cuedeck.knowledge.experiences.duplicates import DuplicateIndex
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
    imported = {import_key(each): each for each in candidates.imported}
    records = {record_key(each): each for each in candidates.records}
    fresh = [each for key, each in imported.items() if key not in seen]
    items: list[Experience | Outcome] = []
    items += _read_imports(fresh, candidates.records, store, mask)
    looked_at = len(fresh)
    for key, record in records.items():
        if key not in seen:
            looked_at += 1
            is_current = record.id in candidates.primary
            items.append(store.read(record, mask(record.text.strip()), is_current))
    outcomes = store.take(items)
    found = sum(outcome.result == "made" for outcome in outcomes)
    evicted = store.evict(outcomes)
    before = {each.id: each for each in existing}
    return Distillation(
        looked_at=looked_at,
        added=tuple(each for each in store.now.values() if before.get(each.id) != each),
        found=found,
        duplicates=sum(outcome.result == "joined" for outcome in outcomes),
        gone=tuple(each for each in before if before[each] != store.now.get(each)),
        evicted=evicted,
        seen=frozenset((*records, *imported)),
        outcomes=tuple(outcomes),
    )


def _read_imports(
    imports: Sequence[Experience], records: Sequence[Record], store: _Store, mask: Mask
) -> Iterator[Experience]:
    """Yield the experiences of another program that are neither stored nor hidden."""
    labels = {record.id: record.sensitivity for record in records}
    for each in imports:
        if each.id not in store.now and store.hidden.isdisjoint((each.id, each.record)):
            label = labels.get(each.record, each.sensitivity)
            yield replace(each, text=mask(each.text.strip()), sensitivity=label)


def record_key(record: Record) -> str:
    """Return a key that changes with the text, the category and the label of a
    record.
    """
    return _digest(record.id, record.sensitivity, record.category, record.text)


def import_key(experience: Experience) -> str:
    """Return the key of an experience of another program."""
    return _digest("import", experience.id)


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

    def value(each: Experience) -> tuple[bool, bool, str, str]:
        is_protected = category_of(each.category).is_protected
        return each.id in kept, is_protected, each.timestamp, each.id

    ranked = sorted(experiences, key=value)
    return [each.id for each in ranked[: max(0, len(ranked) - max_count)]]


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
        self._by_record: dict[str, str] = {}
        self._taken = {each.id for each in existing}
        self._index = DuplicateIndex(settings.similarity, settings.uniqueness_threshold)
        for each in existing:
            if hidden.isdisjoint((each.id, each.record)):
                sources = tuple(one for one in each.sources if one not in hidden)
                self._set(replace(each, sources=sources))

    def _set(self, experience: Experience) -> None:
        self.now[experience.id] = experience
        if experience.record:
            self._by_record[experience.record] = experience.id

    def read(self, record: Record, text: str, is_current: bool) -> Experience | Outcome:
        """Return the experience of a record, or the reason why it has none.

        A log and the archive (`is_current` is false) may contain the text of a record
        before it was corrected.
        """
        shown = "" if record.id in self.hidden else text
        reason = ""
        if record.is_secret:
            reason = "it is labelled secret"
        elif record.id in self.hidden:
            reason = "it is forgotten or superseded"
        elif not category_of(record.category).becomes_experience:
            reason = (
                f"records of the category {record.category} do not become experiences"
            )
        elif len(record.text.strip()) < self._settings.min_chars:
            reason = f"it is shorter than {self._settings.min_chars} characters"
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

    def take(self, items: Sequence[Experience | Outcome]) -> list[Outcome]:
        """Add the candidates among some items; return the result of each item."""
        new = {each.id for each in items if isinstance(each, Experience)}
        for stored in self.now.values() if new else ():
            if stored.id not in new:
                self._index.add(stored.id, stored.text)
        return [
            each if isinstance(each, Outcome) else self._offer(each) for each in items
        ]

    def evict(self, outcomes: list[Outcome]) -> int:
        """Remove what exceeds the limit, also from the outcomes; return the number."""
        limit = self._settings.max_count
        evicted = select_evicted(self.now.values(), limit)
        for identity in evicted:
            del self.now[identity]
        reason = f"it is older than the {limit} experiences that the limit allows"
        for at, outcome in enumerate(outcomes):
            if outcome.result == "made" and outcome.experience in evicted:
                outcomes[at] = outcome._replace(result="refused", reason=reason)
        return len(evicted)

    def _offer(self, candidate: Experience) -> Outcome:
        source, text = candidate.record or candidate.id, candidate.text
        known = self._by_record.get(candidate.record, candidate.id)
        if known != candidate.id:
            return _known(source, known, text)
        self.now.pop(candidate.id, None)
        near = self._index.find(text)
        if near is not None:
            other = self.now[near.id]
            sources = [*other.sources, *candidate.sources, candidate.record]
            named = dict.fromkeys(sources)
            others = [each for each in named if each and each != other.record]
            self.now[near.id] = replace(other, sources=tuple(others[-_MAX_SOURCES:]))
            return Outcome(
                source,
                "joined",
                "same statement",
                near.id,
                text,
            )
        identity = candidate.id
        if not identity:
            seed = f"{candidate.record}\0{text}".encode("utf-8", "surrogatepass")
            identity = new_id(seed, {*self.now, *self._taken}.__contains__)
        self._set(replace(candidate, id=identity, entities=find_entities(text)))
        self._index.add(identity, text)
        return Outcome(
            source,
            "made",
            "",
            identity,
            text,
        )


def _known(source: str, identity: str, text: str) -> Outcome:
    reason = f"it is already experience {identity}"
    return Outcome(
        source,
        "refused",
        reason,
        identity,
        text,
    )


MAX_ENTITIES = 20
"""Entities that are kept of one text."""
_MIN_NAME, _MAX_NAME = 2, 120
_ENTITY = re.compile(
    r"""`(?P<quoted>[^`\n]{1,120})`
    |(?P<address>https?://[^\s`"'<>()\]]+)
    |(?<![\w/@.-])(?P<path>(?:\.{0,2}/)?(?:[\w.-]+/)*[\w-]*\.[A-Za-z]\w{0,9}(?:\#[\w.:-]*\w)?(?![\w/]))
    |(?<![\w/@.-])(?P<folder>(?:[\w.-]+/){2,}[\w.-]*\w|(?:[\w.-]+/)+[\w.-]+\#[\w.:-]*\w)
    |(?<![\w@.])(?P<person>@[A-Za-z][\w-]*(?:/[\w-]+)?)
    |(?<![\w.@])(?P<code>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|_*[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+_*|__\w+__
      |[A-Za-z]*[a-z0-9][A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*)(?:\(\))?""",
    re.VERBOSE | re.ASCII,
)
_HINT = re.compile(r"[`/@_]|\.[A-Za-z_]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
"""Matches every text with an entity; it is much faster than the full expression."""
_VERSION = re.compile(r"v?\d[\d.]*")
_ABBREVIATIONS = ("e.g", "i.e", "a.m", "p.m", "z.b", "d.h", "u.a", "etc")


def find_entities(text: str) -> tuple[str, ...]:
    """Return the names in a text: `src/auth.py#Login.verify`, `verify_token`,
    `verifyToken`, text in backticks, @names.

    Order: of the text, each once.
    """
    if not _HINT.search(text):
        return ()
    found: dict[str, None] = {}
    for match in _ENTITY.finditer(text):
        name = match[match.lastgroup or 0].strip().rstrip(".,;:").removesuffix("()")
        is_other = _VERSION.fullmatch(name) or name.lower() in _ABBREVIATIONS
        if _MIN_NAME <= len(name) <= _MAX_NAME and not is_other:
            found.setdefault(name)
    return tuple(found)[:MAX_ENTITIES]
