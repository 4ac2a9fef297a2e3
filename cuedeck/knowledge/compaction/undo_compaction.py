"""Undo of the last compaction: its backup is restored, and the lines that were added
since are appended again.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.compaction.apply_plan import (
    ARCHIVE_WRITTEN,
    LONG_BEFORE,
    LONG_WRITTEN,
    MEMORY_BEFORE,
    MEMORY_WRITTEN,
    backups,
    discard,
)
from cuedeck.ledger.entry_files import encode
from cuedeck.ledger.kinds.record_kind import record_id
from cuedeck.ledger.records.memory_files import PRIMARY, UNDO
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.model.formatting import counted
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

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
    archive_lines_removed: int = 0
    notes: tuple[str, ...] = ()
    """Differences from the files before the run."""


class Restored(NamedTuple):
    """Text of a file after an undo."""

    text: str
    added: int
    """Number of lines at its end that were added since the run."""


def undo(workspace: Workspace, memory: MemoryFiles, *, dry_run: bool = False) -> Undone:
    """Undo the last compaction.

    Records that were edited since keep their new text. Only one run is kept, so it
    cannot be undone twice. Raises: Locked, StorageError; repeat the command to complete
    an interrupted undo.
    """
    with memory.writing():
        names = backups(memory)
        if not names:
            return Undone(False, NOTHING, dry_run)
        done = _undo(memory, names[0], dry_run)
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


def _undo(memory: MemoryFiles, name: str, dry_run: bool) -> Undone:
    def backup(file: str) -> str:
        return memory.text(f"{UNDO}/{name}/{file}") or ""

    now = memory.text(PRIMARY) or ""
    before, written = backup(MEMORY_BEFORE), backup(MEMORY_WRITTEN)
    restored = restore(now, before, written)
    long_now = memory.text(memory.long_memory) or ""
    long = restore(long_now, backup(LONG_BEFORE), backup(LONG_WRITTEN))
    archive = memory.text(memory.archive) or ""
    archived = set(backup(ARCHIVE_WRITTEN).split("\n")) - {""}
    if not dry_run:
        # A second attempt completes an undo that failed.
        memory.rewrite(PRIMARY, lambda text: restore(text, before, written).text)
        had_long = memory.print(f"{UNDO}/{name}/{LONG_BEFORE}") is not None
        if long.text or had_long:
            memory.write(memory.long_memory, encode(long.text))
        else:
            memory.remove(memory.long_memory)
        memory.rewrite(memory.archive, lambda text: _without_lines(text, archived))
        discard(memory, name)
    ids = {record.id for record in parse_records(now).records}
    records = parse_records(restored.text).records
    back = {record.id for record in records} - ids
    rest = _without_lines(archive, archived)
    return Undone(
        ran=not dry_run,
        reason="dry run" if dry_run else "",
        dry_run=dry_run,
        records_before=len(ids),
        records_after=len(records),
        restored=len(back),
        archive_lines_removed=archive.count("\n") - rest.count("\n"),
        notes=(*_notes(PRIMARY, restored), *_notes(memory.long_memory, long)),
    )


def restore(now: str, before: str, written: str) -> Restored:
    """Return the text from before a run, followed by the lines that were added to the
    file since.

    A line of `now` counts as added if it is neither in `before` nor in `written`, the
    lines that the run wrote. An added record with the id of an old one replaces it in
    place: it was edited since.
    """
    known = {line.rstrip("\r") for line in (*before.split("\n"), *written.split("\n"))}
    added: dict[str, str] = {}
    for at, line in enumerate(now.split("\n")):
        if line.strip() and line.rstrip("\r") not in known:
            added[record_id(line) or f"\0{at}"] = line
    kept = []
    for line in before.split("\n"):
        edited = added.pop(record_id(line), line)
        kept.append(edited)
    text = "\n".join(kept)
    if not added:
        return Restored(text, 0)
    if text and not text.endswith("\n"):
        text += "\n"
    tail = "".join(f"{line}\n" for line in added.values())
    return Restored(text + tail, len(added))


def _without_lines(text: str, lines: Collection[str]) -> str:
    return "\n".join(line for line in text.split("\n") if line not in lines)


def _notes(name: str, restored: Restored) -> tuple[str, ...]:
    if not restored.added:
        return ()
    lines = counted(restored.added, "line")
    return (f"{lines} added to {name} since the run: kept at the end of the file",)
