"""Lookup of records in MEMORY.md, the daily logs and the archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.id_prefix import has_long_id, pick, short_ids
from cuedeck.ledger.records.memory_files import PRIMARY, daily

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.memory_record import Record

LISTING = "cuedeck memory list"


class Found(NamedTuple):
    """Record with the files that contain it."""

    record: Record
    """Record as the first of the files contains it."""
    names: tuple[str, ...]
    """MEMORY.md first, then daily logs, then the archive."""


def file_names(memory: MemoryFiles) -> tuple[str, ...]:
    """Return the names of the files that contain records: MEMORY.md, the daily logs,
    the archive.
    """
    archive = filter(None, [memory.archive])
    return (PRIMARY, *map(daily, memory.days()), *archive)


def every_record(memory: MemoryFiles, names: Iterable[str]) -> dict[str, Found]:
    """Return the records of some files by id, in the order of first occurrence. Raises:
    StorageError.
    """
    found: dict[str, Found] = {}
    for name in names:
        for record in memory.read(name).records:
            known = found.get(record.id)
            if known is None:
                found[record.id] = Found(record, (name,))
            elif name not in known.names:
                found[record.id] = known._replace(names=(*known.names, name))
    return found


def find_record(memory: MemoryFiles, text: str) -> Found:
    """Return the record with the id `text` or with a unique id prefix `text`.

    Raises: NotFound with the nearest ids, Ambiguous, StorageError.
    """
    known = every_record(memory, file_names(memory))
    return known[pick(text, list(known), "record", LISTING)]


def with_short_ids(open_memory: Callable[[], MemoryFiles], text: str) -> str:
    """Return a text for a person, with the ids of records and experiences as short as
    they are unique. The memory is opened only for a text with ids. Raises:
    StorageError.
    """
    if not has_long_id(text):
        return text
    memory = open_memory()
    records = every_record(memory, file_names(memory))
    experiences = (entry.id for entry in memory.log("experiences").entries)
    return short_ids(text, {*records, *experiences})
