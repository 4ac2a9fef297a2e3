"""Recalled texts as their files contain them now, and the reason why a text cannot be
promoted.
"""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.dreaming.score_facts import RecalledText, read_statement
from cuedeck.knowledge.recall.mask_units import Find
from cuedeck.knowledge.recall.memory_units import divide
from cuedeck.ledger.kinds.promotion_kind import PROMOTION, promoted_ids
from cuedeck.ledger.records.fact import Marked
from cuedeck.ledger.records.memory_files import daily
from cuedeck.ledger.records.recall_hits import text_key, words_of
from cuedeck.ledger.records.record_lookup import every_record, file_names, superseded
from cuedeck.model.address import format_lines
from cuedeck.model.formatting import shorten
from cuedeck.model.memory_record import COMPACTION, Record, category_of
from cuedeck.model.recall_values import RecallTotal, Unit
from cuedeck.model.secret import PLACEHOLDER, replace_secrets
from cuedeck.text.timestamps import format_record_day

if TYPE_CHECKING:
    from datetime import tzinfo

    from cuedeck.ledger.records.memory_files import MemoryFiles

CHANNEL = "dream"
"""`sourceChannel` of a record that was made of a passage."""
MAX_CHARS = 600
"""Maximum number of characters of a promoted passage."""
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
    masked = replace_secrets(text, find_secrets(text))
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
        self._promoted = set(promoted_ids(memory.log(PROMOTION.log).entries))
        self._same_text: dict[str, Record] = {}
        """Records of MEMORY.md that may be promoted, by the words of their texts."""
        for each in memory.primary.records:
            if not _is_summary(each) and not self.is_hidden(each):
                key = text_key(read_statement(each.text).text)
                self._same_text.setdefault(key, each)
            if each.is_promoted:
                self._promoted.add(each.id)
        self._passages = cache(self._read_passages)

    def resolve(
        self, total: RecallTotal, zone: tzinfo | None
    ) -> RecalledText | Excluded:
        """Return the text of a total, or the reason why it cannot be promoted."""
        path, memory = total.last.path, self._memory
        if path == memory.path(memory.long_memory):
            return Excluded(total, "the long memory contains it")
        if total.is_record:
            return self._resolve_record(total)
        if path not in self._logs:
            return Excluded(total, "only records and daily logs are promoted")
        return self._resolve_passage(total, self._logs[path], zone)

    def is_hidden(self, record: Record) -> bool:
        """Return whether a record is secret, superseded or deleted, or contains the
        text of a secret one.
        """
        if record.is_secret or self._contains_secret(record.text):
            return True
        return record.id in self._replaced or record.id in self._forgotten

    def is_promoted(self, record: Record) -> bool:
        """Return whether a record, or one of MEMORY.md with the same text, was
        promoted.
        """
        same = self._same_text.get(text_key(read_statement(record.text).text), record)
        return not self._promoted.isdisjoint((record.id, same.id))

    def origin_of(self, text: RecalledText) -> str:
        """Return path and lines of a text in a daily log; the address of a record that
        no log contains.
        """
        found = self.known.get(text.record.id)
        for name in found.names if found and text.total.is_record else ():
            if self._memory.path(name) in self._logs:
                for record in self._memory.read(name).records:
                    if record.id == text.record.id:
                        return f"{self._memory.path(name)}#L{record.line}"
        return text.source

    def _resolve_record(self, total: RecallTotal) -> RecalledText | Excluded:
        identity = total.record_id
        if identity not in self.known:
            identity = next(iter(Marked(self.known).named_by((identity,))), "")
        if identity not in self.known:
            return Excluded(total, _GONE)
        record = self.known[identity].record
        if self.is_hidden(record):
            return Excluded(total, _HIDDEN)
        if _is_summary(record):
            return Excluded(total, f"a record of the category {record.category}")
        return self._checked(total, f"record:{identity}", record, record.text)

    def _resolve_passage(
        self, total: RecallTotal, day: str, zone: tzinfo | None
    ) -> RecalledText | Excluded:
        passage = self._passages(day).get(total.key)
        if passage is None:
            return Excluded(total, _GONE)
        identity = passage_id(total.key)
        if identity in self._forgotten or PLACEHOLDER in passage.text:
            return Excluded(total, _HIDDEN)
        text = shorten(read_statement(passage.text).text, MAX_CHARS)
        day = format_record_day(day, zone)
        new = Record(identity, text, channel=CHANNEL, timestamp=day)
        record = self._same_text.get(text_key(text), new)
        source = f"{total.last.path}#{format_lines(passage.start, passage.end)}"
        found = self._checked(total, source, record, passage.text)
        if isinstance(found, RecalledText) and identity in self._promoted:
            return replace(found, is_promoted=True)
        return found

    def _read_passages(self, day: str) -> dict[str, Unit]:
        found = log_passages(self._memory, day, self._find_secrets)
        return {text_key(unit.text): unit for unit in reversed(found)}

    def _checked(
        self, total: RecallTotal, source: str, record: Record, written: str
    ) -> RecalledText | Excluded:
        """Return the text if it is a statement without secrets; `written` is the text
        as its file contains it.
        """
        is_claim = total.is_record and category_of(record.category).is_protected
        statement = read_statement(written, is_claim=is_claim)
        for form in {written, statement.lines, statement.text}:
            if self._contains_secret(form) or self._find_secrets(form):
                return Excluded(total, _HIDDEN)
        if statement.fault:
            return Excluded(total, statement.fault)
        return RecalledText(
            total,
            statement,
            source,
            record,
            self.is_promoted(record),
        )

    def _contains_secret(self, text: str) -> bool:
        """Return whether a text contains that of a secret record, whatever the case and
        marks: a copy may have a label or another sentence around it.
        """
        phrase = _phrase(text) if self._secrets else ""
        return any(secret.strip() and secret in phrase for secret in self._secrets)


def _phrase(text: str) -> str:
    return f" {' '.join(words_of(text))} "


def passage_id(key: str) -> str:
    """Return the id of the record of a passage.

    It depends on the key of the passage alone, so that a second promotion of the
    passage, also after its deletion, is recognised.
    """
    digest = hashlib.sha256(f"promoted {key}".encode()).hexdigest()
    return str(uuid.UUID(hex=digest[:32]))


def _is_summary(record: Record) -> bool:
    return record.category == COMPACTION or not category_of(record.category).has_content
