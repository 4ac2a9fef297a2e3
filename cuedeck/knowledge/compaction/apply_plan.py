"""Transactional execution of a compaction plan: archive, long memory, MEMORY.md, in
this order.

A failure restores the previous state. Appends hardly wait: the archive is written in
pieces, with the lock released between them, and synced without the lock; then the short
files are exchanged. Until then MEMORY.md may only grow; any other change invalidates
the plan.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.compaction.undo_backup import announce, discard, keep, settle
from cuedeck.knowledge.compaction.undo_text import without_lines, without_repetitions
from cuedeck.ledger.records.memory_files import PRIMARY, decode, encode
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.ledger.records.rotate import (
    add_in_pieces,
    begins_with,
    exchange,
    held_open,
    proven,
    reliable_fingerprint,
    remove,
    sync,
    write_private,
)
from cuedeck.model.errors import Locked, StorageError
from cuedeck.store.files.file_lock import locked

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cuedeck.knowledge.compaction.plan import Plan
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer
    from cuedeck.store.files.fingerprint import Print


PATIENCE_SECONDS = 10.0
"""Maximal time that a user waits for a running compaction."""


class Taken(NamedTuple):
    """Files as the plan found them."""

    memory: bytes
    print: Print | None
    """Fingerprint that detects later changes of MEMORY.md."""
    long_memory: bytes | None
    archive: Print | None
    """Fingerprint that detects later changes of the archive."""


def running(
    memory: MemoryFiles, patience_seconds: float
) -> AbstractContextManager[None]:
    """Exclude other compactions of this memory during the block. Appends are not
    blocked.

    Raises: Locked, StorageError.
    """
    return locked(memory.workspace, f"{memory.lock}-compaction", patience_seconds)


def take(memory: MemoryFiles) -> Taken:
    """Read the files that a run replaces. Raises: StorageError."""
    found = reliable_fingerprint(memory)
    return Taken(
        memory.data(PRIMARY) or b"",
        found,
        _long(memory),
        memory.print(memory.archive),
    )


def carry_out(memory: MemoryFiles, taken: Taken, plan: Plan) -> bool:
    """Write a plan; return False, with nothing changed, if the files have changed since
    the plan was made.

    Raises: Locked, StorageError, with nothing changed.
    """
    generation = keep(memory, taken.memory, taken.long_memory, plan)
    added = taken.archive
    is_done = False
    try:
        if plan.archive:
            added = _archive(memory, taken, plan)
        if added is not None:
            # This also syncs lines that an interrupted attempt left in the archive.
            sync(memory, memory.archive)
        if added is not None or not plan.archive:
            announce(memory, generation)
            is_done = _exchange(memory, taken, added, plan)
    finally:
        if not is_done:
            with contextlib.suppress(StorageError, Locked), writing(memory) as writer:
                _take_back(memory, writer, taken, plan)
                discard(memory, generation)
    if is_done:
        with contextlib.suppress(StorageError):
            # The run has succeeded, even if the cleanup of older backups fails.
            settle(memory, generation)
    return is_done


def _archive(memory: MemoryFiles, taken: Taken, plan: Plan) -> Print | None:
    """Append the lines to the archive; return its new fingerprint, or None if it was
    changed by others.
    """
    lines = [f"{each.line}\n" for each in plan.archive]
    data = encode("".join(lines))
    if memory.print(memory.archive) != taken.archive:
        return None
    before = add_in_pieces(memory, memory.archive, data)
    after = memory.print(memory.archive)
    # A concurrent writer may rely on the earlier content of the archive.
    was = 0
    if taken.archive:
        was = taken.archive.size
    if after is None or before != was:
        return None
    added = after.size - was
    if added not in (len(data), len(data) + 1):
        return None
    return after


def _exchange(
    memory: MemoryFiles, taken: Taken, archive: Print | None, plan: Plan
) -> bool:
    new, long = encode(plan.memory), encode(plan.long_memory)
    known = proven(memory, taken.memory, taken.print)
    with held_open(memory, PRIMARY), writing(memory):
        # Another run may rely on lines in the archive, and may remove its own.
        if (
            memory.print(memory.archive) != archive
            or _long(memory) != taken.long_memory
        ):
            return False
        try:
            if long != (taken.long_memory or b""):
                write_private(memory, memory.long_memory, long)
            if not exchange(memory, taken.memory, new, known):
                _put_back(memory, taken)
                return False
            _verify(memory, new, long)
        except StorageError:
            with contextlib.suppress(StorageError):
                _put_back(memory, taken)
            with contextlib.suppress(StorageError):
                exchange(memory, new, taken.memory)
            raise
    return True


def _long(memory: MemoryFiles) -> bytes | None:
    return memory.data(memory.long_memory)


def _verify(memory: MemoryFiles, new: bytes, long: bytes) -> None:
    """Compare the written files with what should be in them. Raises: StorageError."""
    if not begins_with(memory, new) or (_long(memory) or b"") != long:
        raise StorageError(
            "the written files cannot be read back",
            hint="nothing was changed; check the disk",
        )


def _put_back(memory: MemoryFiles, taken: Taken) -> None:
    if taken.long_memory is None:
        remove(memory, memory.long_memory)
    elif _long(memory) != taken.long_memory:
        write_private(memory, memory.long_memory, taken.long_memory)


def _take_back(memory: MemoryFiles, writer: Writer, taken: Taken, plan: Plan) -> None:
    """Remove the lines of a failed run from the archive, if their records are still at
    their original place.

    A record that was trimmed from MEMORY.md meanwhile has its line twice in the
    archive; one is kept.
    """
    if not plan.archive:
        return
    text_now = memory.text(PRIMARY) or ""
    present = {line.removesuffix("\r") for line in text_now.split("\n")}
    removed = {row.id for row in plan.removed}
    is_long_unchanged = _long(memory) == taken.long_memory
    lines = set()
    for each in plan.archive:
        is_of_long_memory = each.id not in removed
        if each.line in present or (is_of_long_memory and is_long_unchanged):
            lines.add(each.line)
    added = frozenset(each.line for each in plan.archive)
    writer.rewrite(
        memory.archive,
        lambda text: without_repetitions(without_lines(text, lines), added),
    )
    if taken.archive is None and memory.text(memory.archive) == "":
        remove(memory, memory.archive)


def text_of(data: bytes | None) -> str:
    """Return the decoded text of a file; empty for a missing file."""
    return decode(data or b"")
