"""Select the records that become experiences, and the experiences that leave the
store.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from cuedeck.knowledge.experiences.duplicates import (
    DuplicateIndex,
    NearDuplicate,
    Prefilter,
    create_index,
)
from cuedeck.knowledge.experiences.eviction import select_evicted
from cuedeck.knowledge.experiences.statements import find_entities, remove_chat
from cuedeck.model.experience import Experience
from cuedeck.model.ids import new_id
from cuedeck.model.memory_record import Record
from cuedeck.model.record_categories import category_of
from cuedeck.model.settings_schema import ExperienceSettings
from cuedeck.text.fold_text import fold_text, normalize
from cuedeck.text.similarity import prepare

Mask = Callable[[str], str]
Result = Literal["made", "joined", "refused"]
_KEY_LETTERS = 16
_MAX_PREFILTERED = 30
"""For this many candidates it is faster to check the letters of each known text than to
analyse all of them.
"""
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
    return _Distiller(
        candidates=candidates,
        existing=existing,
        seen=seen,
        settings=settings,
        mask=mask,
    ).run()


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
        self._hidden = set(candidates.forgotten)
        self._hidden.update(
            record.id for record in candidates.records if record.is_secret
        )
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
        """Take over a stored experience without its hidden sources, unless it is hidden
        itself.
        """
        if not self._hidden.isdisjoint((experience.id, experience.record)):
            self._gone[experience.id] = None
        elif self._hidden.isdisjoint(experience.sources):
            self._stored[experience.id] = experience
        else:
            self._gone[experience.id] = None
            sources = tuple(
                source for source in experience.sources if source not in self._hidden
            )
            self._added[experience.id] = replace(experience, sources=sources)

    def run(self) -> Distillation:
        """Return the changes."""
        new = [*self._import_candidates(), *self._record_candidates()]
        if new:
            index = self._index_similar(new)
            for candidate in new:
                self._offer(candidate, index)
        evicted = select_evicted(
            [*self._stored.values(), *self._added.values()], self._settings.max_count
        )
        outcomes = self._ordered_outcomes(frozenset(evicted))
        kept = [
            each for identity, each in self._added.items() if identity not in evicted
        ]
        self._gone.update(
            (identity, None) for identity in evicted if identity in self._stored
        )
        return Distillation(
            looked_at=len(self._new_records) + len(self._new_imports),
            added=tuple(kept),
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
        reason = f"it is worth less than the {self._settings.max_count} experiences that the limit allows"
        outcomes = []
        for outcome in self._outcomes:
            if outcome.result == "made" and outcome.experience in evicted:
                outcome = outcome._replace(result="refused", reason=reason)
            outcomes.append(outcome)
        return sorted(outcomes, key=lambda outcome: places.get(outcome.record, -1))

    def _record_candidates(self) -> Iterator[Experience]:
        """Yield an experience for each new record that qualifies; add an outcome for
        each of the others.
        """
        for record in self._new_records:
            reason = self._refusal(record)
            if reason:
                shown = (
                    "" if record.id in self._hidden else self._mask(record.text.strip())
                )
                self._outcomes.append(Outcome(record.id, "refused", reason, text=shown))
                continue
            text = self._mask(remove_chat(record.text, record.category))
            own = self._stored.get(self._by_record.get(record.id, ""))
            # A log and the archive may contain the text of a record before it was
            # corrected.
            if own is not None and (
                own.text == text or record.id not in self._candidates.primary
            ):
                self._outcomes.append(
                    Outcome(
                        record=record.id,
                        result="refused",
                        reason=_known_reason(own.id),
                        experience=own.id,
                        text=text,
                    )
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
        """Return the reason why a record cannot become an experience, empty if it
        can.
        """
        if record.is_secret:
            return "it is labelled secret"
        if record.id in self._hidden:
            return "it is forgotten or superseded"
        if not category_of(record.category).becomes_experience:
            return f"records of the category {self._mask(record.category)} do not become experiences"
        if len(record.text.strip()) < self._settings.min_chars:
            return f"it is shorter than {self._settings.min_chars} characters"
        if len(remove_chat(record.text, record.category)) < self._settings.min_chars:
            return "it is chat: questions, greetings or announcements"
        return ""

    def _import_candidates(self) -> Iterator[Experience]:
        """Yield the new experiences of another program. A missing label is that of the
        record.
        """
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

    def _index_similar(self, new: Sequence[Experience]) -> DuplicateIndex:
        """Return an index of the stored texts that can be similar to a candidate."""
        settings = self._settings
        index = create_index(settings.similarity, settings.uniqueness_threshold)
        replaced = {each.id for each in new}
        prefilters = None
        if settings.similarity == "words" and len(new) <= _MAX_PREFILTERED:
            prefilters = [
                Prefilter(settings.uniqueness_threshold, each.text) for each in new
            ]
        for each in self._stored.values():
            if each.id in replaced:
                continue
            if prefilters is not None:
                folded = fold_text(normalize(each.text))
                if not any(prefilter.passes(folded) for prefilter in prefilters):
                    continue
            index.add(each.id, each.text)
        return index

    def _offer(self, candidate: Experience, index: DuplicateIndex) -> None:
        """Add a candidate, or join it with a similar experience; a corrected record
        replaces its old experience.
        """
        known = None
        if candidate.record:
            known = self._by_record.get(candidate.record)
        if known is not None and known != candidate.id:
            self._add_outcome(candidate, "refused", _known_reason(known), known)
            return
        if candidate.id in self._stored:
            self._remove_stored(candidate.id)
        near = index.find(candidate.text)
        if near is not None:
            self._join(candidate, near, index)
            return
        identity = candidate.id or self._new_id(candidate)
        self._added[identity] = replace(candidate, id=identity)
        self._made.add(identity)
        if candidate.record:
            self._by_record[candidate.record] = identity
        index.add(identity, candidate.text)
        self._add_outcome(candidate, "made", "", identity)

    def _join(
        self, candidate: Experience, near: NearDuplicate, index: DuplicateIndex
    ) -> None:
        """Join a candidate with a similar experience; the longer statement becomes the
        text of both.
        """
        known = self._added.get(near.id) or self._stored[near.id]
        more = 0
        if self._settings.similarity == "words":
            more = prepare(candidate.text).size - prepare(known.text).size
        longer, shorter = known, candidate
        if more > 0:
            longer, shorter = candidate, known
        sources = dict.fromkeys([*known.sources, *shorter.sources, shorter.record])
        others = [source for source in sources if source and source != longer.record]
        newest_others = tuple(others[-_MAX_SOURCES:])
        joined = replace(longer, id=near.id, sources=newest_others)
        if joined != known:
            if near.id in self._stored:
                self._remove_stored(near.id)
            self._added[near.id] = joined
        if more > 0:
            index.add(near.id, candidate.text)
            self._by_record[candidate.record] = near.id
        self._add_outcome(candidate, "joined", _join_reason(more), near.id)

    def _remove_stored(self, identity: str) -> None:
        self._gone[identity] = None
        del self._stored[identity]

    def _add_outcome(
        self, candidate: Experience, result: Result, reason: str, identity: str
    ) -> None:
        self._outcomes.append(
            Outcome(
                candidate.record or candidate.id,
                result,
                reason,
                identity,
                candidate.text,
            )
        )

    def _new_id(self, candidate: Experience) -> str:
        def is_taken(identity: str) -> bool:
            return (
                identity in self._stored
                or identity in self._added
                or identity in self._gone
            )

        return new_id(
            f"{candidate.record}\0{candidate.text}".encode("utf-8", "surrogatepass"),
            is_taken,
        )


def _known_reason(identity: str) -> str:
    return f"it is already experience {identity}"


def _join_reason(more: int) -> str:
    if more > 0:
        return "it contains more"
    return "the experience contains it and more" if more else "same statement"
