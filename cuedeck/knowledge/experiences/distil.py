"""Select the records that become experiences, and the experiences that leave the
store.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
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
SHARE = 50
"""One of this many experiences is evicted at once, so that a full store is not sorted
for each new one.
"""


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
    hidden = frozenset((*candidates.forgotten, *secret))
    store = _Store(existing, hidden, settings)
    imported = {import_key(each): each for each in candidates.imported}
    records = {record_key(each): each for each in candidates.records}
    new_imports = [each for key, each in imported.items() if key not in seen]
    new_records = [each for key, each in records.items() if key not in seen]
    items: list[Experience | Outcome] = []
    items += _read_imports(new_imports, candidates.records, store, mask)
    for record in new_records:
        is_current = record.id in candidates.primary
        items.append(_read_record(record, store, is_current, mask))
    outcomes = store.take(items)
    found = sum(outcome.result == "made" for outcome in outcomes)
    evicted = store.evict(outcomes)
    before = {each.id: each for each in existing}
    return Distillation(
        looked_at=len(new_imports) + len(new_records),
        added=tuple(each for each in store.now.values() if before.get(each.id) != each),
        found=found,
        duplicates=sum(outcome.result == "joined" for outcome in outcomes),
        gone=tuple(each for each in before if before[each] != store.now.get(each)),
        evicted=evicted,
        seen=frozenset((*records, *imported)),
        outcomes=tuple(outcomes),
    )


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


def select_evicted(
    experiences: Sequence[Experience], max_count: int, kept: Collection[str] = ()
) -> list[str]:
    """Return the ids to evict so that at most `max_count` stay; a few more than
    necessary, or none if there is room.

    Order: the oldest first, those of protected categories after all others, and the ids
    in `kept` last.
    """
    excess = len(experiences) - max_count
    if excess <= 0:
        return []
    ranked = []
    for each in experiences:
        is_protected = category_of(each.category).is_protected
        ranked.append((each.id in kept, is_protected, each.timestamp, each.id))
    ranked.sort()
    count = min(max(excess, max_count // SHARE, 1), len(ranked) - 1)
    return [identity for *_, identity in ranked[:count]]


def _read_imports(
    imports: Sequence[Experience], records: Sequence[Record], store: _Store, mask: Mask
) -> Iterator[Experience]:
    """Yield the experiences of another program that are neither stored nor hidden."""
    labels = {record.id: record.sensitivity for record in records}
    for each in imports:
        if each.id in store.now or not store.hidden.isdisjoint((each.id, each.record)):
            continue
        text = mask(each.text.strip())
        label = labels.get(each.record, each.sensitivity)
        yield replace(each, text=text, sensitivity=label)


def _read_record(
    record: Record, store: _Store, is_current: bool, mask: Mask
) -> Experience | Outcome:
    """Return the experience of a record, or the reason why it has none.

    A log and the archive (`is_current` is false) may contain the text of a record
    before it was corrected.
    """
    text = mask(record.text.strip())
    shown = "" if record.id in store.hidden else text
    reason = ""
    if record.is_secret:
        reason = "it is labelled secret"
    elif record.id in store.hidden:
        reason = "it is forgotten or superseded"
    elif not category_of(record.category).becomes_experience:
        reason = (
            f"records of the category {mask(record.category)} do not become experiences"
        )
    elif len(record.text.strip()) < store.settings.min_chars:
        reason = f"it is shorter than {store.settings.min_chars} characters"
    if reason:
        return Outcome(record.id, "refused", reason, text=shown)
    own = store.now.get(store.by_record.get(record.id, ""))
    if own is not None and (own.text == text or not is_current):
        return Outcome(
            record.id,
            "refused",
            _known_reason(own.id),
            own.id,
            text,
        )
    return Experience(
        id=own.id if own else "",
        text=text,
        category=mask(record.category),
        session=mask(record.session),
        timestamp=record.timestamp,
        record=record.id,
        sensitivity=record.sensitivity,
        confidence=record.confidence,
    )


class _Store:
    """The experiences while candidates are added."""

    def __init__(
        self,
        existing: Sequence[Experience],
        hidden: frozenset[str],
        settings: ExperienceSettings,
    ) -> None:
        self.hidden = hidden
        self.settings = settings
        self.now: dict[str, Experience] = {}
        for each in existing:
            if hidden.isdisjoint((each.id, each.record)):
                sources = tuple(one for one in each.sources if one not in hidden)
                self.now[each.id] = replace(each, sources=sources)
        self.by_record = {
            each.record: each.id for each in self.now.values() if each.record
        }
        self._taken = {each.id for each in existing}
        self._index = DuplicateIndex(settings.similarity, settings.uniqueness_threshold)

    def take(self, items: Sequence[Experience | Outcome]) -> list[Outcome]:
        """Add the candidates among some items; return the result of each item."""
        new = [each for each in items if isinstance(each, Experience)]
        replaced = {each.id for each in new}
        for stored in self.now.values() if new else ():
            if stored.id not in replaced:
                self._index.add(stored.id, stored.text)
        return [
            each if isinstance(each, Outcome) else self._offer(each) for each in items
        ]

    def evict(self, outcomes: list[Outcome]) -> int:
        """Remove experiences beyond the limit, and refuse their outcomes; return their
        number.
        """
        limit = self.settings.max_count
        evicted = select_evicted(list(self.now.values()), limit)
        for identity in evicted:
            del self.now[identity]
        reason = f"it is older than the {limit} experiences that the limit allows"
        for at, outcome in enumerate(outcomes):
            if outcome.result == "made" and outcome.experience in evicted:
                outcomes[at] = outcome._replace(result="refused", reason=reason)
        return len(evicted)

    def _offer(self, candidate: Experience) -> Outcome:
        source = candidate.record or candidate.id
        text = candidate.text
        known = self.by_record.get(candidate.record) if candidate.record else None
        if known is not None and known != candidate.id:
            return Outcome(
                source,
                "refused",
                _known_reason(known),
                known,
                text,
            )
        self.now.pop(candidate.id, None)
        near = self._index.find(text)
        if near is not None:
            self._join(candidate, near.id)
            return Outcome(
                source,
                "joined",
                "same statement",
                near.id,
                text,
            )
        identity = candidate.id or self._new_id(candidate)
        entities = find_entities(text)
        self.now[identity] = replace(candidate, id=identity, entities=entities)
        if candidate.record:
            self.by_record[candidate.record] = identity
        self._index.add(identity, text)
        return Outcome(
            source,
            "made",
            "",
            identity,
            text,
        )

    def _join(self, candidate: Experience, near: str) -> None:
        known = self.now[near]
        sources = dict.fromkeys([*known.sources, *candidate.sources, candidate.record])
        others = [each for each in sources if each and each != known.record]
        self.now[near] = replace(known, sources=tuple(others[-_MAX_SOURCES:]))

    def _new_id(self, candidate: Experience) -> str:
        taken = {*self.now, *self._taken}
        seed = f"{candidate.record}\0{candidate.text}"
        return new_id(seed.encode("utf-8", "surrogatepass"), taken.__contains__)


def _known_reason(identity: str) -> str:
    return f"it is already experience {identity}"


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
        if _is_entity(name):
            found.setdefault(name)
    return tuple(found)[:MAX_ENTITIES]


def _is_entity(name: str) -> bool:
    if not _MIN_NAME <= len(name) <= _MAX_NAME:
        return False
    if _VERSION.fullmatch(name):
        return False
    return name.lower() not in _ABBREVIATIONS
