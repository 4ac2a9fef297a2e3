"""Recalled texts as their files contain them now, and the reason why a text cannot be
promoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.dreaming.daily_passages import DailyPassages
from cuedeck.knowledge.dreaming.light_phase import RecalledText
from cuedeck.knowledge.dreaming.promotion_lines import ledger_keys, passage_id
from cuedeck.knowledge.dreaming.secret_copies import SecretTexts
from cuedeck.knowledge.dreaming.statement_text import Statement, read_statement, shorten
from cuedeck.knowledge.recall.mask_units import Find, mask_spans
from cuedeck.ledger.records.memory_files import PRIMARY, PROMOTIONS, TOMBSTONES, daily
from cuedeck.ledger.records.record_lookup import every_record, file_names
from cuedeck.ledger.supersession import superseded
from cuedeck.model.recall_hit import RECORD
from cuedeck.model.recall_total import RecallTotal
from cuedeck.model.record_categories import COMPACTION, category_of
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.record_lookup import Found
    from cuedeck.model.memory_record import Record
    from cuedeck.store.files.fingerprint import Print

_GONE = "gone"
_HIDDEN = "hidden"
_SHORTEST_PREFIX = 8
"""Characters of a mark in LONGMEMORY.md, which is the beginning of a record id."""


class Excluded(NamedTuple):
    """A recalled text that cannot be promoted."""

    total: RecallTotal
    fault: str
    """`gone`, `hidden`, or the reason for people."""

    @property
    def is_gone(self) -> bool:
        """Whether no file contains the text any more; its counts are useless."""
        return self.fault == _GONE

    @property
    def is_hidden(self) -> bool:
        """Whether the text must not be named: it is secret, superseded or deleted."""
        return self.fault in (_GONE, _HIDDEN)


class MemoryTexts:
    """Records and passages of a memory at one moment."""

    def __init__(self, memory: MemoryFiles, find_secrets: Find) -> None:
        self._memory = memory
        self._find_secrets = find_secrets
        self._prints = _prints_of(memory)
        self.known: Mapping[str, Found] = every_record(memory, file_names(memory))
        records = [found.record for found in self.known.values()]
        self._replaced = superseded(records)
        self._secrets = SecretTexts(each.text for each in records if each.is_secret)
        self._logs: dict[str, str] = {}
        for day in memory.days():
            path = memory.path(daily(day))
            self._logs[path] = day
        self._forgotten = memory.forgotten()
        self._passages: dict[str, DailyPassages] = {}
        self._statements: dict[str, Statement] = {}
        self._promoted_keys: set[str] = set()
        self._promoted_ids: set[str] = set()
        ledger = memory.text(PROMOTIONS)
        for key, identity in ledger_keys(ledger or ""):
            self._promoted_keys.add(key)
            self._promoted_ids.add(identity)

    def resolve(self, total: RecallTotal) -> RecalledText | Excluded:
        """Return the text of a total, or the reason why it cannot be promoted."""
        memory = self._memory
        if total.path == memory.path(memory.long_memory):
            return Excluded(total, "the long memory contains it")
        if total.is_record:
            return self._resolve_record(total)
        return self._resolve_passage(total)

    def promoted(self) -> Iterator[RecalledText]:
        """Yield the promoted records of MEMORY.md, including those without recalls."""
        for found in self.known.values():
            record = found.record
            if not record.is_promoted:
                continue
            if self.is_hidden(record):
                continue
            yield self._of_record(_without_recalls(record), record)

    def recent(
        self, first_day: str, last_day: str, limit: int
    ) -> Iterator[RecalledText]:
        """Yield the newest records of some days that can be promoted."""
        records = [found.record for found in self.known.values()]
        records.sort(key=lambda record: (record.timestamp, record.id), reverse=True)
        for record in records[:limit]:
            text = self._resolve_record(_without_recalls(record))
            if isinstance(text, Excluded):
                continue
            if first_day <= text.day <= last_day:
                yield text

    def is_hidden(self, record: Record) -> bool:
        """Return whether a record is secret, superseded or deleted, or contains the
        text of a secret one.
        """
        if record.is_secret or self._secrets.are_in(record.text):
            return True
        if record.id in self._replaced:
            return True
        return record.id in self._forgotten

    def is_promoted(self, identity: str, keys: Iterable[str]) -> bool:
        """Return whether a record, or a text with one of the keys, was promoted."""
        if identity in self._promoted_ids:
            return True
        found = self.known.get(identity)
        if found is not None:
            record = found.record
            if record.is_promoted:
                return True
        return not self._promoted_keys.isdisjoint(keys)

    def visible_in_primary(self) -> dict[str, str]:
        """Return the texts of the records of MEMORY.md by id, without hidden ones and
        summaries.
        """
        texts = {}
        for identity, found in self.known.items():
            record = found.record
            if PRIMARY not in found.names:
                continue
            if _is_summary(record):
                continue
            if self.is_hidden(record):
                continue
            texts[identity] = record.text
        return texts

    def origin_of(self, text: RecalledText) -> str:
        """Return path and lines of a text in a daily log; the address of a record that
        no log contains.
        """
        found = self.known.get(text.record_id)
        if found is None:
            return text.source
        for name in found.names:
            path = self._memory.path(name)
            if path not in self._logs:
                continue
            file = self._memory.read(name)
            for record in file.records:
                if record.id == text.record_id:
                    return f"{path}#L{record.line}"
        return text.source

    def refreshed(self) -> MemoryTexts:
        """Return the texts of the current files, which are these if no file changed."""
        if self._prints == _prints_of(self._memory):
            return self
        return MemoryTexts(self._memory, self._find_secrets)

    def _resolve_record(self, total: RecallTotal) -> RecalledText | Excluded:
        found = self.known.get(total.record_id)
        if found is None:
            found = self._by_prefix(total.record_id)
        if found is None:
            return Excluded(total, _GONE)
        record = found.record
        if self.is_hidden(record):
            return Excluded(total, _HIDDEN)
        if _is_summary(record):
            return Excluded(total, f"a record of the category {record.category}")
        return self._checked(self._of_record(total, record), record.text)

    def _by_prefix(self, prefix: str) -> Found | None:
        """Return the only record whose id begins with a mark."""
        if len(prefix) < _SHORTEST_PREFIX:
            return None
        ids = [identity for identity in self.known if identity.startswith(prefix)]
        if len(ids) != 1:
            return None
        return self.known[ids[0]]

    def _of_record(self, total: RecallTotal, record: Record) -> RecalledText:
        moment = moment_of(record.timestamp)
        day = ""
        if moment is not None:
            day = moment.date().isoformat()
        return RecalledText(
            total=total,
            statement=self._statement_of(record),
            source=f"{RECORD}{record.id}",
            record_id=record.id,
            day=day,
            is_promoted=self.is_promoted(record.id, (total.key,)),
        )

    def _statement_of(self, record: Record) -> Statement:
        known = self._statements.get(record.id)
        if known is None:
            is_claim = category_of(record.category).is_protected
            known = read_statement(record.text, is_claim=is_claim)
            self._statements[record.id] = known
        return known

    def _resolve_passage(self, total: RecallTotal) -> RecalledText | Excluded:
        day = self._logs.get(total.path)
        if day is None:
            return Excluded(total, "only records and daily logs are promoted")
        passage = self._passages_of(day).find(total.text_key)
        if passage is None:
            return Excluded(total, _GONE)
        identity = passage_id(total.text_key)
        if identity in self._forgotten or passage.has_secret:
            return Excluded(total, _HIDDEN)
        whole = read_statement(passage.text)
        short = shorten(whole.text)
        statement = whole._replace(text=short)
        text = RecalledText(
            total=total,
            statement=statement,
            source=f"{total.path}#{passage.lines}",
            record_id="",
            day=day,
            is_promoted=self.is_promoted(identity, (total.key,)),
        )
        return self._checked(text, passage.text)

    def _passages_of(self, day: str) -> DailyPassages:
        known = self._passages.get(day)
        if known is None:
            text = self._memory.text(daily(day)) or ""
            # A secret may be recognisable only by the lines around the passage.
            masked = mask_spans(text, self._find_secrets(text))
            known = DailyPassages(text, masked)
            self._passages[day] = known
        return known

    def _checked(self, text: RecalledText, written: str) -> RecalledText | Excluded:
        """Return the text if it is a statement without secrets; `written` is the text
        as its file contains it.
        """
        statement = text.statement
        for form in {written, statement.lines, statement.text}:
            if self._secrets.are_in(form) or self._find_secrets(form):
                return Excluded(text.total, _HIDDEN)
        if statement.fault:
            return Excluded(text.total, statement.fault)
        return text


def _prints_of(memory: MemoryFiles) -> list[Print | None]:
    """Return the fingerprints of the files that decide about a promotion."""
    names = (*file_names(memory), TOMBSTONES, PROMOTIONS)
    return [memory.print(name) for name in names]


def _is_summary(record: Record) -> bool:
    """Return whether a record merges other records or reports an event without
    content.
    """
    if record.category == COMPACTION:
        return True
    return not category_of(record.category).value


def _without_recalls(record: Record) -> RecallTotal:
    return RecallTotal(
        address=f"{RECORD}{record.id}",
        path="",
        line=0,
        text_key="",
        count=0,
        score_sum=0.0,
        days=(),
        queries=(),
    )
