"""Adding records of an event, once, however often the event is processed."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cuedeck.app.memory.add_record import NewRecord, add_records
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.store.memory.memory_files import PRIMARY, daily

if TYPE_CHECKING:
    from cuedeck.app.hooks.hook_context import HookContext
    from cuedeck.model.hook_event import HookEvent
    from cuedeck.store.memory.memory_files import MemoryFiles

_CONFIDENCE = 0.8
_RECORDS = uuid.UUID("6f6d1c1e-3f0b-4b57-9a3f-51c02c6c1a86")
"""Namespace of the ids of records that are made of the id of an event."""
_CONTENTS = uuid.UUID("0d2f6a4e-7c55-4b0e-9a58-2f1f7d3c9b11")
"""Namespace of the ids of records that are made of their text."""
_DAYS = 2
"""Daily logs in which an earlier record is looked for."""


def turn_record(told: HookEvent, text: str) -> NewRecord:
    """Return the record of words of a turn, which are masked already."""
    return NewRecord(text, "turn-summary", "operational", told.host, _CONFIDENCE)


def hash_of_words(text: str) -> str:
    """Return the hash by which words that are recorded are known again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def add_once(occasion: HookContext, wanted: Sequence[NewRecord]) -> Sequence[str]:
    """Add the records of an event, without those that an earlier try of the event added; return the new ids.

    A process can be killed after it added the records and before it removed the event from the queue. So the ids are
    made of the id of the event, where the record has none of its own, and a retry looks for them.
    Raises: Locked, StorageError.
    """
    project, told = occasion.project, occasion.told
    memory = memory_of(project)
    if told.id:
        wanted = [each if each.id else each._replace(id=_record_id(told, each)) for each in wanted]
    if told.is_retry:
        known = frozenset(_known_ids(memory))
        wanted = [each for each in wanted if each.id not in known]
    return add_records(project, memory, wanted)


def content_id(wanted: NewRecord) -> str:
    """Return the id that depends on the category and the masked text of a record alone."""
    name = f"{wanted.category} {wanted.text}".encode("utf-8", "surrogatepass")
    return str(uuid.uuid5(_CONTENTS, name.hex()))


def recent_files(memory: MemoryFiles) -> list[str]:
    """Return the names of the files that hold the recent records: MEMORY.md, its archive, the newest daily logs."""
    return [PRIMARY, *map(daily, memory.days()[-_DAYS:]), *([memory.archive] if memory.archive else [])]


def _record_id(told: HookEvent, wanted: NewRecord) -> str:
    name = f"{told.id} {wanted.category} {wanted.text}".encode("utf-8", "surrogatepass")
    return str(uuid.uuid5(_RECORDS, name.hex()))


def _known_ids(memory: MemoryFiles) -> Iterable[str]:
    """Yield the ids of the records that an earlier try may have added, wherever they went since."""
    yield from memory.forgotten()
    for file in map(memory.read, recent_files(memory)):
        yield from (record.id for record in file.records)
