"""Kind of the records of the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.ledger.entry_source import EntrySource, Shown
from cuedeck.ledger.mention_index import names_in
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.named_places import mentioned_edges
from cuedeck.ledger.records.long_memory_file import long_memory_facts
from cuedeck.ledger.records.memory_files import PRIMARY
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.memory_snapshot import load_memory_snapshot, record_ids
from cuedeck.ledger.records.record_lookup import Found, file_names
from cuedeck.ledger.supersession import superseded
from cuedeck.model.entry_node import Retired
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import quoted

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.entry_node import EntryEdge


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
        row = record_row(
            memory,
            found,
            superseded(memory.primary.records),
        )
        return Shown(
            row.pop("path"),
            row.pop("line"),
            row,
        )

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
    """Return the first record or fact with an id, and the name of its file. Raises:
    LookupError if there is none.
    """
    for name in file_names(memory):
        for record in memory.read(name).records:
            if record.id == identity:
                return Found(record, (name,))
    for fact in long_memory_facts(memory):
        if fact.id == identity:
            return Found(fact, (memory.long_memory,))
    raise LookupError(identity)


def record_row(
    memory: MemoryFiles, found: Found, replaced: Mapping[str, str]
) -> dict[str, Any]:
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
