"""Undo of the last compaction."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.compaction.apply_plan import PATIENCE_SECONDS, running
from cuedeck.knowledge.compaction.undo_backup import (
    ARCHIVE_WRITTEN,
    LONG_BEFORE,
    LONG_WRITTEN,
    MEMORY_BEFORE,
    MEMORY_WRITTEN,
    Generation,
    discard,
    last,
)
from cuedeck.knowledge.compaction.undo_text import (
    Restored,
    record_lines,
    restore,
    without_lines,
)
from cuedeck.ledger.records.memory_files import PRIMARY, encode
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.ledger.records.rotate import remove, write_private
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer

NOTHING = "there is nothing to undo"


class Undone(NamedTuple):
    """Result of an undo."""

    ran: bool
    reason: str
    dry_run: bool = False
    records_before: int = 0
    records_after: int = 0
    restored: int = 0
    """Number of restored records."""
    long_chars_before: int = 0
    long_chars_after: int = 0
    archive_lines_removed: int = 0
    notes: tuple[str, ...] = ()
    """Differences from the files before the run."""


def undo(workspace: Workspace, memory: MemoryFiles, *, dry_run: bool = False) -> Undone:
    """Undo the last compaction: restore the files from before it, and append the lines
    that were added since.

    Records that were edited since keep their new text; forgotten ones do not come back.
    Only one run is kept, so it cannot be undone twice. Raises: Locked, StorageError;
    repeat the command to complete an interrupted undo.
    """
    held = contextlib.nullcontext() if dry_run else running(memory, PATIENCE_SECONDS)
    with held, writing(memory) as writer:
        generation = last(memory)
        if generation is None:
            return Undone(False, NOTHING, dry_run)
        done = _undo(memory, writer, generation, dry_run)
    if not dry_run:
        memory.changed("compact")
        log(
            workspace.paths,
            {
                "event": "compaction undone",
                "profile": memory.profile.id,
                **done._asdict(),
            },
        )
    return done


def _undo(
    memory: MemoryFiles, writer: Writer, generation: Generation, dry_run: bool
) -> Undone:
    before = memory.text(generation.place(MEMORY_BEFORE)) or ""
    written = memory.text(generation.place(MEMORY_WRITTEN)) or ""
    archive_written = memory.text(generation.place(ARCHIVE_WRITTEN)) or ""
    removed = frozenset(generation.removed)
    archived = record_lines(before, removed).union(
        filter(None, archive_written.split("\n"))
    )
    long_before = memory.text(generation.place(LONG_BEFORE))
    long_written = memory.text(generation.place(LONG_WRITTEN)) or ""
    forgotten = memory.forgotten()

    now = memory.text(PRIMARY) or ""
    long_now = memory.text(memory.long_memory) or ""
    archive = memory.text(memory.archive) or ""
    restored = restore(now, before, written, forgotten)
    long = restore(long_now, long_before or "", long_written)
    if not dry_run:
        # Restore the records before their lines leave the archive. A second attempt
        # completes an undo that crashed earlier; lines left by a later crash are
        # harmless.
        if long_before is None and not long.text:
            remove(memory, memory.long_memory)
        elif long.text != long_now:
            write_private(memory, memory.long_memory, encode(long.text))
        writer.rewrite(
            PRIMARY, lambda text: restore(text, before, written, forgotten).text
        )
        writer.rewrite(memory.archive, lambda text: without_lines(text, archived))
        discard(memory, generation)
    records = parse_records(restored.text).records
    restored_ids = {record.id for record in records} & removed
    unarchived = archive.count("\n") - without_lines(archive, archived).count("\n")
    return Undone(
        ran=not dry_run,
        reason="dry run" if dry_run else "",
        dry_run=dry_run,
        records_before=len(parse_records(now).records),
        records_after=len(records),
        restored=len(restored_ids),
        long_chars_before=len(long_now),
        long_chars_after=len(long.text),
        archive_lines_removed=unarchived,
        notes=(*_notes(PRIMARY, restored), *_notes(memory.long_memory, long)),
    )


def _notes(name: str, restored: Restored) -> tuple[str, ...]:
    if not restored.added:
        return ()
    lines = "1 line"
    if restored.added != 1:
        lines = f"{restored.added:,} lines"
    return (f"{lines} added to {name} since the run: kept at the end of the file",)
