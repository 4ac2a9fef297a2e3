"""Undo of the last compaction."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.memory.compaction.apply_plan import PATIENCE_SECONDS, running
from cuedeck.app.memory.compaction.undo_backup import LONG_AFTER, LONG_BEFORE, MADE, Generation, discard, last
from cuedeck.parse.record_file import parse_records
from cuedeck.records.compaction.undo_merge import edited, undone_long_memory, undone_memory, without_lines
from cuedeck.store.fs.log_file import log
from cuedeck.store.memory.memory_files import PRIMARY, encode
from cuedeck.store.memory.rotate import remove, write_private

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.memory.memory_files import MemoryFiles
    from cuedeck.store.memory.memory_writer import Writer

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
    """Parts that were not restored."""


def undo(project: Workspace, memory: MemoryFiles, *, dry_run: bool = False) -> Undone:
    """Undo the last compaction: restore its records and remove its facts from the long memory.

    Later additions, changes and deletions remain. Only one run is kept, so it cannot be undone twice.
    Raises: Locked, StorageError; repeat the command to complete an interrupted undo.
    """
    held = contextlib.nullcontext() if dry_run else running(memory, PATIENCE_SECONDS)
    with held, memory.writing() as writer:
        generation = last(memory)
        if generation is None:
            return Undone(False, NOTHING, dry_run)
        done = _undo(memory, writer, generation, dry_run)
    if not dry_run:
        memory.changed("compact")
        log(project.workspace, {"event": "compaction undone", "profile": memory.profile.id, **done._asdict()})
    return done


def _undo(memory: MemoryFiles, writer: Writer, generation: Generation, dry_run: bool) -> Undone:
    from cuedeck.app.memory.forget_record import tombstones

    before = memory.text(generation.place(PRIMARY)) or ""
    made = memory.text(generation.place(MADE)) or ""
    forgotten = tombstones(memory)

    def back(text: str) -> str:
        stay = edited(text, made)
        gone = [each for each in generation.made if each not in stay]
        return undone_memory(text, before, generation.removed, gone, forgotten)

    now = memory.text(PRIMARY) or ""
    notes = tuple(
        f"compaction record {each} was edited since: it stays, beside the records it was made of"
        for each in edited(now, made)
    )
    restored = back(now)
    long_now, long_before = memory.text(memory.long_memory), memory.text(generation.place(LONG_BEFORE))
    long = undone_long_memory(long_now or "", long_before or "", memory.text(generation.place(LONG_AFTER)) or "")
    lines = _archived(before, generation)
    archive = memory.text(memory.archive) or ""
    if not dry_run:
        # Restore the records before their lines leave the archive. A second attempt completes an undo that crashed
        # earlier; lines left by a later crash are harmless.
        if long_before is None and not long:
            remove(memory, memory.long_memory)
        elif long != (long_now or ""):
            write_private(memory, memory.long_memory, encode(long))
        writer.rewrite(PRIMARY, back)
        writer.rewrite(memory.archive, lambda text: without_lines(text, *lines))
        discard(memory, generation)
    ids = {record.id for record in parse_records(restored).records}
    return Undone(
        not dry_run,
        "dry run" if dry_run else "",
        dry_run,
        len(parse_records(now).records),
        len(parse_records(restored).records),
        len(ids.intersection(generation.removed)),
        len(long_now or ""),
        len(long),
        archive.count("\n") - without_lines(archive, *lines).count("\n"),
        notes,
    )


def _archived(before: str, generation: Generation) -> tuple[frozenset[str], frozenset[str]]:
    """Return the lines that the run added to the archive, and the ids of those that were never in MEMORY.md."""
    wanted = frozenset(generation.archived)
    records = [line for line in parse_records(before).lines if line.record is not None]
    lines = {
        line.text.removesuffix("\r"): line.record.id for line in records if line.record and line.record.id in wanted
    }
    return frozenset(lines), wanted - frozenset(lines.values())
