"""Adding records whose text the memory does not have yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.knowledge.compaction.deduplication import form
from cuedeck.knowledge.memory.add_record import (
    NewRecord,
    append,
    check_category,
    current_session,
    to_value,
)
from cuedeck.knowledge.memory.due_jobs import after_append
from cuedeck.ledger.kinds.record_kind import RECORD
from cuedeck.ledger.records.memory_files import daily
from cuedeck.ledger.supersession import links_of, superseded_by
from cuedeck.model.memory_record import Record
from cuedeck.model.record_categories import category_of
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles


class Added(NamedTuple):
    """The record of a text: a new one, or the one that has it already."""

    id: str
    category: str
    sensitivity: str = ""
    is_known: bool = False
    """Whether the record was in MEMORY.md before, so that nothing was added."""

    def as_json(self) -> dict[str, Any]:
        """Return the record as plain values; `added` and the next keys only of a known
        one.
        """
        if not self.is_known:
            return {"id": self.id}
        return {
            "id": self.id,
            "added": False,
            "category": self.category,
            "sensitivity": self.sensitivity,
        }


def add_unknown(
    workspace: Workspace, memory: MemoryFiles, wanted: Iterable[NewRecord]
) -> list[Added]:
    """Add the records whose text MEMORY.md does not have yet, and return one result for
    each of `wanted`.

    Texts are equal if their normal forms are (see `deduplication`), whatever category,
    sensitivity or session they have; a record that compaction may merge does not stand
    for one that it must keep. Superseded records and records that replace others are
    not compared. Secret records are neither, so that the answer never confirms a guess.
    Raises: the errors of `add_records`.
    """
    session = current_session(workspace.sessions)
    records = list(wanted)
    for each in records:
        check_category(each.category)
    results: list[Added] = []
    values = []
    with memory.writing():
        known = _KnownTexts(memory.primary.records)
        for each in records:
            value = to_value(workspace, each, session)
            found = None if each.supersedes else known.find(value)
            results.append(found or Added(value["id"], value["category"]))
            if found is None:
                values.append(value)
                sensitivity = value["provenance"]["sensitivity"]
                known.add(
                    Record(
                        value["id"],
                        value["text"],
                        value["category"],
                        sensitivity=sensitivity,
                    )
                )
        _complete(memory, {each.id for each in results if each.is_known})
        append(memory, values)
    if values:
        after_append(workspace, memory)
    return results


def _complete(memory: MemoryFiles, identities: Collection[str]) -> None:
    """Add known records to the log of today if the log of their day lacks them: the
    process that added them may have been killed before it wrote the log.
    """
    today = local_now().date().isoformat()
    for record in memory.primary.records if identities else ():
        if record.id not in identities:
            continue
        days = (record.timestamp[:10], today)
        logs = [memory.read(daily(day)) for day in days if memory.has_log(day)]
        if not any(record.id == each.id for log in logs for each in log.records):
            memory.add_lines(daily(today), f"{RECORD.format(record)}\n")


class _KnownTexts:
    """Records by the normal form of their text, and whether compaction keeps them."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records: dict[tuple[str, bool], Record] = {}
        replaced = superseded_by(links_of(records))
        for record in records:
            if record.id not in replaced:
                self.add(record)

    def add(self, record: Record) -> None:
        """Add a record, unless it is secret."""
        if not record.is_secret:
            key = (form(record.text) or record.text, record.is_protected)
            self._records.setdefault(key, record)

    def find(self, value: dict[str, Any]) -> Added | None:
        """Return the record that has the text of a new one and is kept as long."""
        text = form(value["text"]) or value["text"]
        found = self._records.get((text, True))
        if found is None and not category_of(value["category"]).is_protected:
            found = self._records.get((text, False))
        if found is None:
            return None
        return Added(found.id, found.category, found.sensitivity, is_known=True)
