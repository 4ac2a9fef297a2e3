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

from cuedeck.knowledge.compaction.plan import Files
from cuedeck.ledger.codecs import with_entries
from cuedeck.ledger.entry_files import encode
from cuedeck.ledger.kinds.record_kind import record_id
from cuedeck.ledger.records.memory_files import PRIMARY, UNDO
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.model.errors import StorageError
from cuedeck.model.formatting import counted
from cuedeck.store.files.disk import names_in, parse_json
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from cuedeck.knowledge.compaction.plan import Plan
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.store.workspace_paths import WorkspacePaths

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


def carry_out(memory: MemoryFiles, files: Files, plan: Plan) -> None:
    """Write the plan that was made of some files. Lines added to MEMORY.md since stay.

    Raises: Locked; StorageError, also if the files have changed otherwise since. Then
    nothing is changed.
    """
    with memory.writing():
        if read_files(memory)[1:] != files[1:]:
            raise _changed()
        name = uuid.uuid4().hex[:8]
        try:
            _keep(memory, name, files, plan)
            _write(memory, files, plan)
        except StorageError:
            with contextlib.suppress(StorageError):
                _restore(memory, files)
            with contextlib.suppress(StorageError):
                discard(memory, name)
            raise
        with contextlib.suppress(StorageError):
            # The run has succeeded, even if the older backups cannot be removed.
            for other in backups(memory):
                if other != name:
                    discard(memory, other)


def _changed() -> StorageError:
    return StorageError(
        "the memory was changed during the compaction",
        hint="nothing was changed; try again",
    )


def read_files(memory: MemoryFiles) -> Files:
    """Return the files of a compaction. Raises: StorageError."""
    return Files(
        memory.text(PRIMARY) or "",
        memory.text(memory.long_memory),
        memory.text(memory.archive),
    )


def _write(memory: MemoryFiles, files: Files, plan: Plan) -> None:
    def exchange(text: str) -> str:
        if not text.startswith(files.memory):
            raise _changed()
        return plan.memory + text[len(files.memory) :]

    memory.add_lines(memory.archive, _lines(plan.archive))
    if plan.long_memory != (files.long_memory or ""):
        memory.write(memory.long_memory, encode(plan.long_memory))
    memory.rewrite(PRIMARY, exchange)


def _restore(memory: MemoryFiles, files: Files) -> None:
    """Restore the archive and the long memory; MEMORY.md is written last, so that it is
    unchanged.
    """
    before = {memory.archive: files.archive, memory.long_memory: files.long_memory}
    for name, text in before.items():
        if text is None:
            memory.remove(name)
        elif memory.text(name) != text:
            memory.write(name, encode(text))


def _lines(lines: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _keep(memory: MemoryFiles, name: str, files: Files, plan: Plan) -> None:
    """Write the backup of a run before the run. Raises: StorageError."""
    kept = {
        MEMORY_BEFORE: files.memory,
        LONG_BEFORE: files.long_memory,
        MEMORY_WRITTEN: _lines(plan.made),
        LONG_WRITTEN: plan.long_memory,
        ARCHIVE_WRITTEN: _lines(plan.archive),
    }
    for file, text in kept.items():
        if text is not None:
            memory.write(f"{UNDO}/{name}/{file}", encode(text))
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
        memory.remove(f"{folder}/{file}")
    if os.path.isdir(memory.place(folder)):
        memory.remove(folder)


def _write_names(memory: MemoryFiles, names: list[str]) -> None:
    if names:
        content = json.dumps({"schema": 1, "runs": names})
        memory.write(_INDEX, content.encode())
    else:
        memory.remove(_INDEX)


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


def undo(
    paths: WorkspacePaths, memory: MemoryFiles, *, dry_run: bool = False
) -> Undone:
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
        row = {"event": "compaction undone", "profile": memory.profile.id}
        log(paths, row | done._asdict())
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

    def cut(text: str) -> str:
        return "\n".join(line for line in text.split("\n") if line not in archived)

    if not dry_run:
        # A second attempt completes an undo that failed.
        memory.rewrite(PRIMARY, lambda text: restore(text, before, written).text)
        had_long = memory.print(f"{UNDO}/{name}/{LONG_BEFORE}") is not None
        if long.text or had_long:
            memory.write(memory.long_memory, encode(long.text))
        else:
            memory.remove(memory.long_memory)
        memory.rewrite(memory.archive, cut)
        discard(memory, name)
    ids = {record.id for record in parse_records(now).records}
    records = parse_records(restored.text).records
    notes = []
    for file, found in ((PRIMARY, restored), (memory.long_memory, long)):
        if found.added:
            lines = counted(found.added, "line")
            notes.append(
                f"{lines} added to {file} since the run: kept at the end of the file"
            )
    return Undone(
        ran=not dry_run,
        reason="dry run" if dry_run else "",
        dry_run=dry_run,
        records_before=len(ids),
        records_after=len(records),
        restored=len({record.id for record in records} - ids),
        archive_lines_removed=archive.count("\n") - cut(archive).count("\n"),
        notes=tuple(notes),
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
    old = set(map(record_id, before.split("\n")))
    text = with_entries(before, (), added, record_id)
    return Restored(text, len(added.keys() - old))
