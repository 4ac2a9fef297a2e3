"""Adding records of an event, once, however often the event is processed."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cuedeck.app.memory.add_record import NewRecord, add_records
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.records.file_digest import key_of
from cuedeck.store.fs.private_folder import keyed_hash
from cuedeck.store.memory.memory_files import PRIMARY, daily

if TYPE_CHECKING:
    from cuedeck.app.hooks.hook_context import HookContext
    from cuedeck.model.hook_event import HookEvent
    from cuedeck.store.memory.memory_files import MemoryFiles

_CONFIDENCE = 0.8
_MARK_DIGITS = 12
"""Length of the last group of a UUID."""
_DAYS = 2
"""Daily logs in which an earlier record is looked for."""


def turn_record(told: HookEvent, text: str) -> NewRecord:
    """Return the record of words of a turn, which are masked already."""
    return NewRecord(text, "turn-summary", "operational", told.host, _CONFIDENCE)


def hash_of_words(text: str) -> str:
    """Return the keyed hash that identifies a recorded message. Raises: StorageError without a key."""
    return keyed_hash(text.encode("utf-8", "surrogatepass"))[:16]


def add_once(occasion: HookContext, wanted: Sequence[NewRecord]) -> Sequence[str]:
    """Add the records of an event, without those that an earlier try of the event added; return the new ids.

    A process can be killed after it added the records and before it removed the event from the queue. So the ids are
    derived from the id of the event, where the record has none of its own, and a retry looks for them.
    Raises: Locked, StorageError.
    """
    project, told = occasion.project, occasion.told
    memory = memory_of(project)
    event = told.id or str(uuid.uuid4())
    wanted = [each if each.id else each._replace(id=record_id(each, event)) for each in wanted]
    if told.is_retry:
        known = frozenset(_known_ids(memory))
        wanted = [each for each in wanted if each.id not in known]
    return add_records(project, memory, wanted)


def record_id(wanted: NewRecord, event: str = "") -> str:
    """Return the id of a record: a UUID derived from an event, if given, and from the category and text of the record.

    Its last group depends on the text alone: see `text_mark`. Raises: StorageError without a key.
    """
    start = uuid.UUID(hash_of_words(f"{event} {wanted.category} {wanted.text}") * 2, version=4)
    return f"{str(start)[:-_MARK_DIGITS]}{hash_of_words(key_of(wanted.text))[:_MARK_DIGITS]}"


def text_mark(identity: str) -> str:
    """Return the part of a record id that identifies the text with which a hook added the record.

    The id survives every edit, and the tombstone of a forgotten record keeps it. Without the key of the user it does
    not reveal the text.
    """
    return identity[-_MARK_DIGITS:]


def recent_files(memory: MemoryFiles) -> list[str]:
    """Return the names of the files that hold the recent records: MEMORY.md, its archive, the newest daily logs."""
    return [PRIMARY, *map(daily, memory.days()[-_DAYS:]), *([memory.archive] if memory.archive else [])]


def _known_ids(memory: MemoryFiles) -> Iterable[str]:
    """Yield the ids of the records that an earlier try may have added, wherever they went since."""
    yield from memory.forgotten()
    for file in map(memory.read, recent_files(memory)):
        yield from (record.id for record in file.records)
