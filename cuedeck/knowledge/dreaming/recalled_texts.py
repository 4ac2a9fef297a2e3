"""Recalled texts as their files contain them now, and the reason why a text cannot be
promoted.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.dreaming.score_facts import RecalledText, read_statement, shorten
from cuedeck.knowledge.recall.mask_units import Find, mask_spans
from cuedeck.knowledge.recall.memory_units import divide
from cuedeck.ledger.kinds.promotion_kind import PROMOTION, promoted_ids
from cuedeck.ledger.records.fact import Marked
from cuedeck.ledger.records.memory_files import PRIMARY, daily
from cuedeck.ledger.records.recall_hits import text_key, words_of
from cuedeck.ledger.records.record_lookup import every_record, file_names, superseded
from cuedeck.model.address import format_lines
from cuedeck.model.memory_record import COMPACTION, category_of
from cuedeck.model.recall_values import RECORD, RecallTotal, Unit
from cuedeck.model.secret import PLACEHOLDER
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.record_lookup import Found
    from cuedeck.model.memory_record import Record

_GONE = "gone"
_HIDDEN = "hidden"


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


def log_passages(memory: MemoryFiles, day: str, find_secrets: Find) -> list[Unit]:
    """Return the passages of a daily log that recall finds, with secrets masked."""
    text = memory.text(daily(day)) or ""
    # A secret may be recognisable only by the lines around the passage.
    masked = mask_spans(text, find_secrets(text))
    units = divide(masked, "log", has_records=True).units
    return [unit for unit in units if not unit.id]


class MemoryTexts:
    """Records and passages of a memory at one moment."""

    def __init__(self, memory: MemoryFiles, find_secrets: Find) -> None:
        self._memory = memory
        self._find_secrets = find_secrets
        self.known = every_record(memory, file_names(memory))
        records = [found.record for found in self.known.values()]
        self._replaced = superseded(records)
        self._secrets = {_phrase(each.text) for each in records if each.is_secret}
        self._logs = {memory.path(daily(day)): day for day in memory.days()}
        self._forgotten = memory.forgotten()
        self._passages: dict[str, dict[str, Unit]] = {}
        self._promoted = promoted_ids(memory.log(PROMOTION.log).entries)

    def resolve(self, total: RecallTotal) -> RecalledText | Excluded:
        """Return the text of a total, or the reason why it cannot be promoted."""
        memory = self._memory
        if total.path == memory.path(memory.long_memory):
            return Excluded(total, "the long memory contains it")
        if total.is_record:
            return self._resolve_record(total)
        return self._resolve_passage(total)

    def promoted(self) -> Iterator[RecalledText]:
        """Yield the promoted records of MEMORY.md, including those without recalls, so
        that no near-duplicate of them is promoted.
        """
        for found in self.known.values():
            record = found.record
            if record.is_promoted and not self.is_hidden(record):
                address = f"{RECORD}{record.id}"
                never = RecallTotal(
                    address,
                    "",
                    0,
                    "",
                    0,
                    0.0,
                    (),
                    (),
                )
                yield self._of_record(never, record)

    def is_hidden(self, record: Record) -> bool:
        """Return whether a record is secret, superseded or deleted, or contains the
        text of a secret one.
        """
        if record.is_secret or self._contains_secret(record.text):
            return True
        return record.id in self._replaced or record.id in self._forgotten

    def is_promoted(self, identity: str) -> bool:
        """Return whether a record was promoted."""
        found = self.known.get(identity)
        if found is not None and found.record.is_promoted:
            return True
        return identity in self._promoted

    def visible_in_primary(self) -> dict[str, str]:
        """Return the texts of the records of MEMORY.md by id, without hidden ones and
        summaries.
        """
        texts = {}
        for identity, found in self.known.items():
            record = found.record
            if PRIMARY not in found.names or _is_summary(record):
                continue
            if not self.is_hidden(record):
                texts[identity] = record.text
        return texts

    def origin_of(self, text: RecalledText) -> str:
        """Return path and lines of a text in a daily log; the address of a record that
        no log contains.
        """
        found = self.known.get(text.record_id)
        names = found.names if found is not None else ()
        for name in names:
            path = self._memory.path(name)
            if path not in self._logs:
                continue
            for record in self._memory.read(name).records:
                if record.id == text.record_id:
                    return f"{path}#L{record.line}"
        return text.source

    def refreshed(self) -> MemoryTexts:
        """Return the texts of the current files."""
        return MemoryTexts(self._memory, self._find_secrets)

    def _resolve_record(self, total: RecallTotal) -> RecalledText | Excluded:
        found = self.known.get(total.record_id) or self._by_mark(total.record_id)
        if found is None:
            return Excluded(total, _GONE)
        record = found.record
        if self.is_hidden(record):
            return Excluded(total, _HIDDEN)
        if _is_summary(record):
            return Excluded(total, f"a record of the category {record.category}")
        return self._checked(self._of_record(total, record), record.text)

    def _by_mark(self, mark: str) -> Found | None:
        for identity in Marked(self.known).named_by((mark,)):
            return self.known[identity]
        return None

    def _of_record(self, total: RecallTotal, record: Record) -> RecalledText:
        moment = moment_of(record.timestamp)
        is_claim = category_of(record.category).is_protected
        return RecalledText(
            total=total,
            statement=read_statement(record.text, is_claim=is_claim),
            source=f"{RECORD}{record.id}",
            record_id=record.id,
            day="" if moment is None else moment.date().isoformat(),
            is_promoted=self.is_promoted(record.id),
        )

    def _resolve_passage(self, total: RecallTotal) -> RecalledText | Excluded:
        day = self._logs.get(total.path)
        if day is None:
            return Excluded(total, "only records and daily logs are promoted")
        passage = self._passages_of(day).get(total.text_key)
        if passage is None:
            return Excluded(total, _GONE)
        identity = passage_id(total.text_key)
        if identity in self._forgotten or PLACEHOLDER in passage.text:
            return Excluded(total, _HIDDEN)
        statement = read_statement(passage.text)
        lines = format_lines(passage.start, passage.end)
        text = RecalledText(
            total=total,
            statement=statement._replace(text=shorten(statement.text)),
            source=f"{total.path}#{lines}",
            record_id="",
            day=day,
            is_promoted=self.is_promoted(identity),
        )
        return self._checked(text, passage.text)

    def _passages_of(self, day: str) -> dict[str, Unit]:
        if day not in self._passages:
            found = log_passages(self._memory, day, self._find_secrets)
            by_key = {text_key(unit.text): unit for unit in reversed(found)}
            self._passages[day] = by_key
        return self._passages[day]

    def _checked(self, text: RecalledText, written: str) -> RecalledText | Excluded:
        """Return the text if it is a statement without secrets; `written` is the text
        as its file contains it.
        """
        statement = text.statement
        for form in {written, statement.lines, statement.text}:
            if self._contains_secret(form) or self._find_secrets(form):
                return Excluded(text.total, _HIDDEN)
        if statement.fault:
            return Excluded(text.total, statement.fault)
        return text

    def _contains_secret(self, text: str) -> bool:
        """Return whether a text contains that of a secret record, whatever the case and
        marks: a copy may have a label or another sentence around it.
        """
        phrase = _phrase(text) if self._secrets else ""
        return any(secret.strip() and secret in phrase for secret in self._secrets)


def _phrase(text: str) -> str:
    """Return the words of a text with a space before and after each."""
    return f" {' '.join(words_of(text))} "


def passage_id(key: str) -> str:
    """Return the id of the record of a passage.

    It depends on the key of the passage alone, so that a second promotion of the
    passage, also after its deletion, is recognised.
    """
    digest = hashlib.sha256(f"promoted {key}".encode()).hexdigest()
    return str(uuid.UUID(hex=digest[:32]))


def _is_summary(record: Record) -> bool:
    if record.category == COMPACTION:
        return True
    return not category_of(record.category).has_content
