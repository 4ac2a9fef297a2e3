"""Kind of the records of the memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.ledger.codecs import with_entries
from cuedeck.ledger.entry_source import EntrySource, Shown, mentioned_edges
from cuedeck.ledger.kind import Kind
from cuedeck.ledger.mention_index import names_in
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.records.long_memory_file import long_memory_facts
from cuedeck.ledger.records.memory_files import PRIMARY, UNDO, memory_of
from cuedeck.ledger.records.memory_snapshot import load_memory_snapshot, record_ids
from cuedeck.ledger.records.merged_text import without_records
from cuedeck.ledger.records.record_file import format_record, parse_line, value_of
from cuedeck.ledger.records.record_lookup import Found, file_names, superseded
from cuedeck.model.entry_node import Retired
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import quoted
from cuedeck.model.memory_record import Record
from cuedeck.store.files.disk import tree_of

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.entry_node import EntryEdge
    from cuedeck.model.ports import Json


BACKUP = "MEMORY.md.compaction-backup"
"""Backup that another program creates next to MEMORY.md."""


class RecordKind(Kind[Record]):
    """Records of a memory, as list items of JSON between prose."""

    name = "record"
    value = Record

    @property
    def file(self) -> str:
        return PRIMARY

    def files(self, ledger: MemoryFiles) -> Iterator[str]:
        """Yield every file that may contain text of records. MEMORY.md is last: until
        then an interrupted deletion can be resumed.
        """
        yield from (name for name in file_names(ledger) if name != PRIMARY)
        yield from (ledger.long_memory, BACKUP)
        for name in tree_of(ledger.place(UNDO)):
            yield f"{UNDO}/{name}"
        yield PRIMARY

    def format(self, value: Record) -> str:
        return format_record(value_of(value))

    def replaced(
        self, text: str, ids: Collection[str], lines: Mapping[str, str]
    ) -> str:
        return with_entries(text, ids, lines, record_id)

    def without(
        self, text: str, ids: Collection[str], named: Collection[str] = ()
    ) -> str:
        """Return a file without records and the facts merged from them."""
        return without_records(text, ids)


RECORD = RecordKind()


def record_id(line: str) -> str:
    """Return the id of the record in a line; empty for any other line."""
    record = parse_line(line).record
    return record.id if record else ""


class RecordSource(EntrySource[Any]):
    """Access to the records and facts of the primary memory."""

    def ids(self, start: str) -> Iterable[str]:
        return record_ids(self.workspace, start)

    def find(self, identity: str) -> Found:
        # MEMORY.md is not parsed as a whole.
        snapshot = load_memory_snapshot(self.workspace)
        at = -1 if snapshot is None else snapshot.places.get(identity, -1)
        if snapshot is not None and at >= 0:
            return Found(snapshot.record(at), (PRIMARY,))
        return _find_in_files(memory_of(self.workspace), identity)

    def shown(self, value: Found) -> Shown:
        identity = value.record.id
        if value.record.is_secret:
            raise Invalid(
                f"record `{identity}` has the sensitivity secret",
                hint=f"cuedeck memory show {quoted(identity)} --allow-secret",
            )
        memory = memory_of(self.workspace)
        found = _find_in_files(memory, identity)  # with the number of its line
        row = record_row(memory, found, superseded(memory.primary.records))
        return Shown(row.pop("path"), row.pop("line"), row)

    def edges(self, value: Found) -> Iterator[EntryEdge]:
        names = (name for name, _ in names_in(value.record, Reader()))
        return mentioned_edges(self.workspace, names)

    def retired(self, identity: str) -> Retired | None:
        snapshot = load_memory_snapshot(self.workspace)
        if snapshot is None:
            return None
        if identity in snapshot.replaced:
            successor = snapshot.current_id(identity)
            at = snapshot.places.get(successor)
            if at is None or snapshot.record(at).is_secret:
                return Retired("superseded")
            return Retired("superseded", f"record:{successor}")
        return Retired("secret") if self.find(identity).record.is_secret else None


def _find_in_files(memory: MemoryFiles, identity: str) -> Found:
    for name in file_names(memory):
        for record in memory.read(name).records:
            if record.id == identity:
                return Found(record, (name,))
    for fact in long_memory_facts(memory):
        if fact.id == identity:
            return Found(fact, (memory.long_memory,))
    raise LookupError(identity)


def record_row(memory: MemoryFiles, found: Found, replaced: Mapping[str, str]) -> Json:
    """Return the row of a record in lists."""
    record = found.record
    return {
        "id": record.id,
        "session": record.session,
        "category": record.category,
        "text": record.text,
        "timestamp": record.timestamp,
        "sensitivity": record.sensitivity,
        "confidence": record.confidence,
        "channel": record.channel,
        "path": memory.path(found.names[0]),
        "line": record.line,
        "superseded_by": replaced.get(record.id),
    }
