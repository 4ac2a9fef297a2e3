"""Undo backup of one compaction in `memory/undo/`: the files before the run, and the
lines that the run wrote.

Each run has its own folder, written before the run. `compaction.json` lists the
folders, the newest first. The previous backup is removed only after the run has
succeeded. `memory forget` removes a record from all files of a backup.
"""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.knowledge.compaction.undo_text import record_id
from cuedeck.ledger.records.memory_files import PRIMARY, UNDO, encode
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.ledger.records.rotate import remove, write_private
from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import names_in, parse_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from cuedeck.knowledge.compaction.plan import Plan
    from cuedeck.ledger.records.memory_files import MemoryFiles

_INDEX = f"{UNDO}/compaction.json"
_RUN = "run.json"
_SCHEMA = 2
MEMORY_BEFORE = PRIMARY
LONG_BEFORE = "LONGMEMORY-before.md"
MEMORY_WRITTEN = "MEMORY-written.md"
"""The new compaction records. `memory edit` leaves them as the run wrote them, so that
an undo keeps edited ones.
"""
LONG_WRITTEN = "LONGMEMORY-written.md"
ARCHIVE_WRITTEN = "archive-written.md"
"""Lines added to the archive, except the records removed from MEMORY.md, which its
backup contains.
"""


class Generation(NamedTuple):
    """Undo backup of one run."""

    name: str
    removed: tuple[str, ...]
    """Ids of the records removed from MEMORY.md."""

    def place(self, file: str) -> str:
        """Return the path of a file of the backup, relative to the memory folder."""
        return f"{UNDO}/{self.name}/{file}"


def keep(
    memory: MemoryFiles, before: bytes, long_before: bytes | None, plan: Plan
) -> Generation:
    """Write the backup of the current files before a run. Raises: StorageError."""
    name = uuid.uuid4().hex[:8]
    generation = Generation(name, tuple(row.id for row in plan.removed))
    made = {row.id for row in plan.made}
    new_records = (line for line in plan.lines if record_id(line) in made)
    removed = frozenset(generation.removed)
    other_archived = (each.line for each in plan.archive if each.id not in removed)
    files = {
        MEMORY_BEFORE: before,
        LONG_BEFORE: long_before,
        MEMORY_WRITTEN: _lines(new_records),
        LONG_WRITTEN: encode(plan.long_memory),
        ARCHIVE_WRITTEN: _lines(other_archived),
        _RUN: json.dumps({"schema": _SCHEMA, "removed": generation.removed}).encode(),
    }
    try:
        for name, data in files.items():
            if data is not None:
                write_private(memory, generation.place(name), data)
    except StorageError:
        with contextlib.suppress(StorageError):
            _clear(memory, generation.name)
        raise
    return generation


def announce(memory: MemoryFiles, generation: Generation) -> None:
    """Register the backup of a run that begins. Raises: StorageError."""
    names = [
        generation.name,
        *(each for each in _names(memory) if each != generation.name),
    ]
    _write_names(memory, names[:2])


def settle(memory: MemoryFiles, generation: Generation) -> None:
    """Register a run as completed and remove all other backups. Raises:
    StorageError.
    """
    _write_names(memory, [generation.name])
    for name in names_in(memory.place(UNDO)):
        folder = memory.place(f"{UNDO}/{name}")
        if name != generation.name and os.path.isdir(folder):
            _clear(memory, name)


def discard(memory: MemoryFiles, generation: Generation) -> None:
    """Remove the backup of a run. Raises: StorageError."""
    names = _names(memory)
    if generation.name in names:
        names.remove(generation.name)
        _write_names(memory, names)
    _clear(memory, generation.name)


def last(memory: MemoryFiles) -> Generation | None:
    """Return the backup of the last completed run; None if there is none. Raises:
    StorageError.
    """
    ids = {record.id for record in memory.primary.records}
    for name in _names(memory):
        run = _read(memory, f"{UNDO}/{name}/{_RUN}")
        if run is None or run.get("schema") != _SCHEMA:
            continue
        removed = map(str, run.get("removed", ()))
        generation = Generation(name, tuple(removed))
        if _has_happened(memory, generation, ids):
            return generation
    return None


def _has_happened(
    memory: MemoryFiles, generation: Generation, ids: Collection[str]
) -> bool:
    """Return whether a run was completed, judged by the ids of the records in
    MEMORY.md.
    """
    written = memory.text(generation.place(MEMORY_WRITTEN)) or ""
    if any(record.id in ids for record in parse_records(written).records):
        return True
    return not any(each in ids for each in generation.removed)


def _lines(lines: Iterable[str]) -> bytes:
    return encode("".join(f"{line}\n" for line in lines))


def _names(memory: MemoryFiles) -> list[str]:
    found = _read(memory, _INDEX) or {}
    return [
        each
        for each in found.get("runs", ())
        if isinstance(each, str) and each.isalnum()
    ]


def _write_names(memory: MemoryFiles, names: list[str]) -> None:
    if names:
        content = json.dumps({"schema": 1, "runs": names})
        write_private(memory, _INDEX, content.encode())
    else:
        remove(memory, _INDEX)


def _read(memory: MemoryFiles, name: str) -> dict[str, Any] | None:
    value = parse_json(memory.text(name) or "")
    return value if isinstance(value, dict) else None


def _clear(memory: MemoryFiles, name: str) -> None:
    for file in names_in(memory.place(f"{UNDO}/{name}")):
        remove(memory, f"{UNDO}/{name}/{file}")
    remove(memory, f"{UNDO}/{name}")
