"""Which records become experiences, which experiences leave, and what was looked at."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from cuedeck.model.experience import CATEGORIES, Experience
from cuedeck.model.ids import new_id
from cuedeck.model.memory_record import Record
from cuedeck.model.settings_schema import ExperienceSettings
from cuedeck.records.experiences.chat_patterns import without_chat
from cuedeck.records.experiences.duplicates import DuplicateIndex, NearDuplicate, Prefilter, known_by
from cuedeck.records.experiences.entities import entities_of
from cuedeck.records.experiences.eviction import evicted
from cuedeck.records.experiences.normalization import even, fold_all
from cuedeck.records.experiences.similarity import prepare

Mask = Callable[[str], str]
_KEY_LETTERS = 16
_FEW = 30
"""Candidates up to which it is cheaper to look which of the known texts they may be like."""
_COVERED = 0.7
"""Similarity from which on one of two texts says all of the other and more: what differs is at most half similar."""
_MOST_SOURCES = 50


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


class Outcome(NamedTuple):
    """What became of one record, or of one experience of another program."""

    record: str
    """Id."""
    result: Literal["made", "joined", "refused"]
    reason: str
    """Empty for one that was made."""
    experience: str = ""
    """Id of the experience that was made, or that says it."""
    text: str = ""
    """The statement, secrets masked; empty for a record that is not shown."""


class Choice(NamedTuple):
    """What is to be done."""

    looked_at: int
    added: tuple[Experience, ...]
    """Those that stay."""
    found: int
    """All that were made, also those for which there was no room in the end."""
    duplicates: int
    """Records that were joined with an experience, as it says the same."""
    gone: tuple[str, ...]
    """Ids of experiences that leave the file, also those of which a new line is added."""
    evicted: int
    seen: frozenset[str]
    outcomes: tuple[Outcome, ...]
    """Of everything that was looked at, in its order."""


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
        self._added: dict[str, Experience] = {}
        """To be written: what was made, and what was held and has another text or other sources now."""
        for each in [held for held in self._held.values() if not self._hidden.isdisjoint(held.sources)]:
            self._gone[each.id] = None
            sources = tuple(source for source in each.sources if source not in self._hidden)
            self._added[each.id] = replace(self._held.pop(each.id), sources=sources)
        self._by_record = {each.record: each.id for each in self._held.values() if each.record}
        self._made: set[str] = set()
        self._outcomes: list[Outcome] = []

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
        order = {identity: at for at, identity in enumerate(self._looked_at_ids())}
        outcomes = [self._without_room(each) if each.experience in left else each for each in self._outcomes]
        outcomes.sort(key=lambda each: order.get(each.record, -1))
        kept = {identity: each for identity, each in self._added.items() if identity not in left}
        gone = {**self._gone, **dict.fromkeys(identity for identity in leaving if identity in self._held)}
        seen = {*self._keys, *map(key_of_import, self._offered.imported)}
        looked_at = len(self._fresh) + len(self._imports)
        return Choice(
            looked_at,
            tuple(kept.values()),
            len(self._made),
            sum(each.result == "joined" for each in outcomes),
            tuple(gone),
            len(leaving),
            frozenset(seen),
            tuple(outcomes),
        )

    def _looked_at_ids(self) -> Iterator[str]:
        yield from (each.record or each.id for each in self._imports)
        yield from (each.id for each in self._fresh)

    def _without_room(self, outcome: Outcome) -> Outcome:
        reason = f"it is worth less than {self._settings.max_count} others"
        return outcome._replace(result="refused", reason=reason) if outcome.result == "made" else outcome

    def _wanted_records(self) -> Iterator[Experience]:
        """Yield the fresh records that may become experiences, as such; note why the others may not."""
        for record in self._fresh:
            reason = self._unfit(record)
            text = "" if reason else without_chat(record.text, record.category)
            if not reason and len(text) < self._settings.min_chars:
                reason = "it is chat: questions, greetings or announcements"
            if reason:
                shown = "" if record.id in self._hidden else self._mask(record.text.strip())
                self._outcomes.append(Outcome(record.id, "refused", reason, text=shown))
                continue
            text = self._mask(text)
            own = self._held.get(self._by_record.get(record.id, ""))
            # A log and the archive may hold what a record said before it was corrected.
            if own is not None and (own.text == text or record.id not in self._offered.primary):
                self._outcomes.append(Outcome(record.id, "refused", _known_as(own.id), own.id, text))
                continue
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

    def _unfit(self, record: Record) -> str:
        """Return why a record cannot become an experience whatever it says; empty when it can."""
        if record.is_secret:
            return "it is labelled secret"
        if record.id in self._hidden:
            return "it is forgotten or superseded"
        if record.category not in CATEGORIES:
            return f"records of the category {self._mask(record.category)} become no experiences"
        if len(record.text.strip()) < self._settings.min_chars:
            return f"it is shorter than {self._settings.min_chars} characters"
        return ""

    def _wanted_imports(self) -> Iterator[Experience]:
        """Yield what another program made that is not here yet; a label it does not keep is that of the record."""
        labels = {record.id: record.sensitivity for record in self._offered.records}
        for each in self._imports:
            if each.id not in self._held and self._hidden.isdisjoint((each.id, each.record)):
                text = self._mask(each.text.strip())
                label = labels.get(each.record, each.sensitivity)
                yield replace(each, text=text, sensitivity=label, entities=entities_of(text))

    def _known(self, wanted: Sequence[Experience]) -> DuplicateIndex:
        """Return the texts that stay, as far as one that is wanted may be like them."""
        how, threshold = self._settings.similarity, self._threshold
        known = known_by(how, threshold)
        corrected = {each.id for each in wanted}
        few = how == "words" and len(wanted) <= _FEW
        sieves = [Prefilter(threshold, each.text) for each in wanted] if few else []
        for each in self._held.values():
            if each.id in corrected:
                continue
            folded = fold_all(even(each.text)) if few else ""
            if not few or any(sieve.passes(folded) for sieve in sieves):
                known.add(each.id, each.text)
        return known

    @property
    def _threshold(self) -> float:
        """Similarity from which on two texts are joined."""
        threshold = self._settings.uniqueness_threshold
        return min(_COVERED, threshold) if self._settings.similarity == "words" else threshold

    def _offer(self, wanted: Experience, known: DuplicateIndex) -> None:
        """Make an experience, or join it with one that says it; a corrected record takes the place of the old one."""
        of_record = self._by_record.get(wanted.record) if wanted.record else None
        if of_record is not None and of_record != wanted.id:
            self._note(wanted, "refused", _known_as(of_record), of_record)
            return
        if wanted.id in self._held:
            self._gone[wanted.id] = None
            del self._held[wanted.id]
        near = known.find(wanted.text)
        if near is not None:
            self._join(wanted, near, known)
            return
        identity = wanted.id or self._identity(wanted)
        self._added[identity] = replace(wanted, id=identity)
        self._made.add(identity)
        if wanted.record:
            self._by_record[wanted.record] = identity
        known.add(identity, wanted.text)
        self._note(wanted, "made", "", identity)

    def _join(self, wanted: Experience, near: NearDuplicate, known: DuplicateIndex) -> None:
        """Join a statement with an experience that is like it; the one that says more becomes the text of both."""
        there = self._added.get(near.id) or self._held[near.id]
        more = prepare(wanted.text).weight - prepare(there.text).weight if self._settings.similarity == "words" else 0
        says_more = more > 0
        fuller, lesser = (wanted, there) if says_more else (there, wanted)
        others = dict.fromkeys((*there.sources, *lesser.sources, lesser.record))
        sources = tuple(each for each in others if each and each != fuller.record)[-_MOST_SOURCES:]
        joined = replace(fuller, id=near.id, sources=sources)
        if joined != there:
            if near.id in self._held:
                self._gone[near.id] = None
                del self._held[near.id]
            self._added[near.id] = joined
        if says_more:
            known.add(near.id, wanted.text)
            self._by_record[wanted.record] = near.id
        reason = "the experience says it and more" if more else "it says the same"
        self._note(wanted, "joined", "it says more" if says_more else reason, near.id)

    def _note(
        self, wanted: Experience, result: Literal["made", "joined", "refused"], reason: str, identity: str
    ) -> None:
        self._outcomes.append(Outcome(wanted.record or wanted.id, result, reason, identity, wanted.text))

    def _identity(self, wanted: Experience) -> str:
        def is_taken(identity: str) -> bool:
            return identity in self._held or identity in self._added or identity in self._gone

        return new_id(f"{wanted.record}\0{wanted.text}".encode("utf-8", "surrogatepass"), is_taken)


def _known_as(identity: str) -> str:
    return f"it is experience {identity} already"
