"""Undo backup of one compaction: the files before it, in `memory/undo/`.

Each run has its own folder, written before the run. `compaction.json` lists the folders, the newest first. The previous
backup is removed only after the run has succeeded.
"""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.records.compaction.undo_merge import format_made
from cuedeck.store.fs.disk import names_in, parse_json
from cuedeck.store.memory.memory_files import PRIMARY, UNDO, encode
from cuedeck.store.memory.rotate import remove, write_private

if TYPE_CHECKING:
    from collections.abc import Collection

    from cuedeck.records.compaction.plan import Plan
    from cuedeck.store.memory.memory_files import MemoryFiles

_INDEX = f"{UNDO}/compaction.json"
_RUN = "run.json"
LONG_BEFORE = "LONGMEMORY-before.md"
LONG_AFTER = "LONGMEMORY-after.md"
MADE = "MEMORY-made.md"
"""Texts of the compaction records. As prose, only the removal of merged facts changes them, as in MEMORY.md."""


class Generation(NamedTuple):
    """Undo backup of one run."""

    name: str
    removed: tuple[str, ...]
    """Ids of the records removed from MEMORY.md."""
    made: tuple[str, ...]
    """Ids of the records that the run created in MEMORY.md."""
    archived: tuple[str, ...]
    """Ids of the records whose lines the run added to the archive."""

    def place(self, file: str) -> str:
        """Return the path of a file of the backup, relative to the memory folder."""
        return f"{UNDO}/{self.name}/{file}"

    def happened(self, ids: Collection[str]) -> bool:
        """Return whether the run was completed, judged by the ids of the records in MEMORY.md."""
        return any(each in ids for each in self.made) or not any(each in ids for each in self.removed)


def keep(memory: MemoryFiles, before: bytes, long_before: bytes | None, plan: Plan) -> Generation:
    """Write the backup of the current files before a run. Raises: StorageError."""
    removed, made = (tuple(row.id for row in rows) for rows in (plan.removed, plan.made))
    generation = Generation(uuid.uuid4().hex[:8], removed, made, tuple(each.id for each in plan.archive))
    files = {
        PRIMARY: before,
        LONG_BEFORE: long_before,
        LONG_AFTER: encode(plan.long_memory),
        MADE: format_made(plan.made).encode("utf-8", "replace"),
        _RUN: json.dumps({"schema": 1, **generation._asdict()}).encode(),
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
    names = [generation.name, *(each for each in _names(memory) if each != generation.name)]
    _write_names(memory, names[:2])


def settle(memory: MemoryFiles, generation: Generation) -> None:
    """Register a run as completed and remove all other backups. Raises: StorageError."""
    _write_names(memory, [generation.name])
    for each in names_in(memory.place(UNDO)):
        if each != generation.name and os.path.isdir(memory.place(f"{UNDO}/{each}")):
            _clear(memory, each)


def discard(memory: MemoryFiles, generation: Generation) -> None:
    """Remove the backup of a run. Raises: StorageError."""
    names = _names(memory)
    if generation.name in names:
        names.remove(generation.name)
        _write_names(memory, names)
    _clear(memory, generation.name)


def last(memory: MemoryFiles) -> Generation | None:
    """Return the backup of the last completed run; None if there is none. Raises: StorageError."""
    ids = {record.id for record in memory.primary.records}
    for name in _names(memory):
        found = _read(memory, f"{UNDO}/{name}/{_RUN}")
        if found is None:
            continue
        lists = (tuple(map(str, found.get(key, ()))) for key in ("removed", "made", "archived"))
        generation = Generation(name, *lists)
        if generation.happened(ids):
            return generation
    return None


def _names(memory: MemoryFiles) -> list[str]:
    found = _read(memory, _INDEX) or {}
    return [each for each in found.get("runs", ()) if isinstance(each, str) and each.isalnum()]


def _write_names(memory: MemoryFiles, names: list[str]) -> None:
    if names:
        write_private(memory, _INDEX, json.dumps({"schema": 1, "runs": names}).encode())
    else:
        remove(memory, _INDEX)


def _read(memory: MemoryFiles, name: str) -> dict[str, Any] | None:
    value = parse_json(memory.text(name) or "")
    return value if isinstance(value, dict) else None


def _clear(memory: MemoryFiles, name: str) -> None:
    for file in (PRIMARY, LONG_BEFORE, LONG_AFTER, MADE, _RUN):
        remove(memory, f"{UNDO}/{name}/{file}")
    remove(memory, f"{UNDO}/{name}")
