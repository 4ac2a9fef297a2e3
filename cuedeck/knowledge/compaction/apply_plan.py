"""Transactional execution of a compaction plan, and its undo backup.

Under the lock of the memory the files are written in this order: backup, archive, long
memory, MEMORY.md. A process that is killed therefore loses nothing; a failure restores
the previous files. The backup in `memory/undo/` has the files before the run and the
lines that the run wrote. `compaction.json` names it; that of the previous run is
removed after a success. `memory forget` removes a record from all files of a backup.
"""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.file_backups import remove, write_private
from cuedeck.ledger.records.memory_files import PRIMARY, UNDO, decode, encode
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import names_in, parse_json
from cuedeck.store.files.file_lock import locked

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cuedeck.knowledge.compaction.plan import Plan
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer

PATIENCE_SECONDS = 10.0
"""Maximal time that a user waits for a running compaction."""
MEMORY_BEFORE = PRIMARY
LONG_BEFORE = "LONGMEMORY-before.md"
MEMORY_WRITTEN = "MEMORY-written.md"
"""The new compaction records. `memory edit` leaves them as the run wrote them, so that
an undo keeps edited ones.
"""
LONG_WRITTEN = "LONGMEMORY-written.md"
ARCHIVE_WRITTEN = "archive-written.md"
"""The lines added to the archive."""
_INDEX = f"{UNDO}/compaction.json"


class Taken(NamedTuple):
    """Files as the plan found them."""

    memory: bytes
    long_memory: bytes | None
    archive: bytes | None


def running(
    memory: MemoryFiles, patience_seconds: float
) -> AbstractContextManager[None]:
    """Exclude other compactions of this memory during the block. Appends are not
    blocked.

    Raises: Locked, StorageError.
    """
    return locked(memory.workspace, f"{memory.lock}-compaction", patience_seconds)


def take(memory: MemoryFiles) -> Taken:
    """Read the files that a run changes. Raises: StorageError."""
    return Taken(
        memory=memory.data(PRIMARY) or b"",
        long_memory=memory.data(memory.long_memory),
        archive=memory.data(memory.archive),
    )


def text_of(data: bytes | None) -> str:
    """Return the decoded text of a file; empty for a missing file."""
    return decode(data or b"")


def carry_out(memory: MemoryFiles, taken: Taken, plan: Plan) -> bool:
    """Write a plan; return False, with nothing changed, if the files have changed since
    the plan was made. Lines added to MEMORY.md are no change.

    Raises: Locked, StorageError, with nothing changed.
    """
    with writing(memory) as writer:
        now = take(memory)
        is_grown = now.memory.startswith(taken.memory)
        if not is_grown or now[1:] != taken[1:]:
            return False
        name = uuid.uuid4().hex[:8]
        try:
            _keep(memory, name, taken, plan)
            _write(memory, writer, taken, plan)
        except StorageError:
            with contextlib.suppress(StorageError):
                _restore(memory, writer, taken)
            with contextlib.suppress(StorageError):
                discard(memory, name)
            raise
        with contextlib.suppress(StorageError):
            # The run has succeeded, even if the older backups cannot be removed.
            for other in backups(memory):
                if other != name:
                    discard(memory, other)
    return True


def _write(memory: MemoryFiles, writer: Writer, taken: Taken, plan: Plan) -> None:
    before = text_of(taken.memory)

    def exchange(text: str) -> str:
        if not text.startswith(before):
            raise StorageError(
                "MEMORY.md was changed by another program during the compaction",
                hint="nothing was changed; try again",
            )
        return plan.memory + text[len(before) :]

    writer.add_lines(memory.archive, _lines(plan.archive))
    long = encode(plan.long_memory)
    if long != (taken.long_memory or b""):
        write_private(memory, memory.long_memory, long)
    writer.rewrite(PRIMARY, exchange)


def _restore(memory: MemoryFiles, writer: Writer, taken: Taken) -> None:
    """Restore the archive and the long memory; MEMORY.md is written last, so that it is
    unchanged.
    """
    if memory.data(memory.archive) != taken.archive:
        writer.rewrite(memory.archive, lambda _: text_of(taken.archive))
        if taken.archive is None:
            remove(memory, memory.archive)
    if taken.long_memory is None:
        remove(memory, memory.long_memory)
    elif memory.data(memory.long_memory) != taken.long_memory:
        write_private(memory, memory.long_memory, taken.long_memory)


def _lines(lines: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _keep(memory: MemoryFiles, name: str, taken: Taken, plan: Plan) -> None:
    """Write the backup of a run before the run. Raises: StorageError."""
    files = {
        MEMORY_BEFORE: taken.memory,
        LONG_BEFORE: taken.long_memory,
        MEMORY_WRITTEN: encode(_lines(plan.made)),
        LONG_WRITTEN: encode(plan.long_memory),
        ARCHIVE_WRITTEN: encode(_lines(plan.archive)),
    }
    for file, data in files.items():
        if data is not None:
            write_private(memory, f"{UNDO}/{name}/{file}", data)
    _write_names(memory, [name, *backups(memory)])


def backups(memory: MemoryFiles) -> list[str]:
    """Return the names of the folders with backups, the newest first."""
    found = parse_json(memory.text(_INDEX) or "")
    names = found.get("runs", ()) if isinstance(found, dict) else ()
    return [name for name in names if isinstance(name, str) and name.isalnum()]


def discard(memory: MemoryFiles, name: str) -> None:
    """Remove a backup. Raises: StorageError."""
    _write_names(memory, [each for each in backups(memory) if each != name])
    folder = f"{UNDO}/{name}"
    for file in names_in(memory.place(folder)):
        remove(memory, f"{folder}/{file}")
    if os.path.isdir(memory.place(folder)):
        remove(memory, folder)


def _write_names(memory: MemoryFiles, names: list[str]) -> None:
    if names:
        content = json.dumps({"schema": 1, "runs": names})
        write_private(memory, _INDEX, content.encode())
    else:
        remove(memory, _INDEX)
