"""Checks of memory: malformed lines, records with missing fields, size limits, and
contradictions.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.doctor.check_context import CheckContext
from cuedeck.knowledge.integrity.finding_values import DUPLICATE, INFO
from cuedeck.knowledge.integrity.scan_records import find_findings
from cuedeck.knowledge.memory.forget_record import begun
from cuedeck.knowledge.memory.job_schedule import is_over
from cuedeck.ledger.experiences.experience_repository import experiences_of
from cuedeck.ledger.records.memory_files import (
    PRIMARY,
    RECALLS,
    TOMBSTONES,
    USER,
    MemoryFiles,
    daily,
)
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.recall_hits import read_recalls
from cuedeck.ledger.records.record_file import Line
from cuedeck.ledger.records.record_lookup import file_names
from cuedeck.ledger.records.rolling_window import Window
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.formatting import abbreviate, counted, quoted
from cuedeck.model.memory_record import SENSITIVITIES, Record
from cuedeck.model.profile import OWN
from cuedeck.store.files.workspace_files import presence
from cuedeck.text.timestamps import moment_of

BACKUP = f"{PRIMARY}.compaction-backup"
"""Backup that another program writes next to MEMORY.md when it merges records."""
_MOST_LISTED = 3
"""Number of lines or ids listed in a finding."""
_MOST_SHOWN = 10
"""Number of contradiction findings that are shown; further ones are only counted."""
_LONGEST_ID = 40
"""Number of characters of an id or label that a finding quotes."""


class _Defect(NamedTuple):
    """One kind of defect of a line."""

    level: Level
    code: str
    what: str
    hint: str


_NO_PROVENANCE = _Defect(
    "info",
    "no-provenance",
    "no provenance",
    "such records are treated as private and undated",
)
_NO_TIME = _Defect(
    "info",
    "no-timestamp",
    "no timestamp",
    "such records are never merged and never reported as stale",
)
_BAD_TIME = _Defect(
    "warning",
    "bad-timestamp",
    "an invalid timestamp",
    "write it like 2026-05-03T12:00:00Z",
)
_NO_ID = _Defect(
    "info",
    "no-id",
    "no id",
    "such records are identified by their text; add a unique id to each",
)


def check_memory(context: CheckContext) -> Iterator[Diagnostic]:
    """Find defects in the memory files of all profiles."""
    for profile in (OWN, *context.settings.profile):
        try:
            yield from _check(context, memory_of(context.workspace, profile.id))
        except ConfigurationError as error:
            yield Diagnostic(
                profile.root or ".", 0, "error", "outside", error.message, error.hint
            )
        except StorageError as error:
            yield Diagnostic(
                profile.root or ".", 0, "error", "unreadable", error.message, error.hint
            )


def _check(context: CheckContext, memory: MemoryFiles) -> Iterator[Diagnostic]:
    files = {name: memory.read(name).lines for name in file_names(memory)}
    for name, lines in files.items():
        yield from _check_lines(memory.path(name), lines)
    yield from _check_shared_ids(memory, files)
    yield from _check_window(memory)
    yield from _check_protected(context, memory)
    yield from _check_unfinished_forget(memory)
    yield from experiences_of(memory).read().faults
    if presence(context.paths, memory.path(BACKUP)):
        message = "a backup that another program made before it merged records; CueDeck does not read it"
        hint = "delete it if you do not need it"
        yield Diagnostic(memory.path(BACKUP), 0, "info", "left-backup", message, hint)
    yield from _check_contradictions(context, memory)
    yield from _check_texts(memory)
    yield from _check_log_names(memory)
    yield from _check_recalls(memory)


def _check_texts(memory: MemoryFiles) -> Iterator[Diagnostic]:
    """Yield findings for memory files that are links or not valid UTF-8."""
    for day in memory.days_without_file("link"):
        yield _linked(memory.path(daily(day)))
    for name in (*file_names(memory), USER, memory.long_memory):
        path = memory.path(name)
        if os.path.islink(memory.place(name)):
            yield _linked(path)
            continue
        text = memory.text(name)  # raises the error that is reported
        line = _undecoded_line(text or "")
        if line:
            message = "the line is not valid UTF-8"
            yield Diagnostic(
                path, line, "warning", "bad-encoding", message, "save it as UTF-8"
            )


def _linked(path: str) -> Diagnostic:
    """Return the finding for a memory file that is a symbolic link."""
    message = "the memory file is a symbolic link, which is neither read nor written"
    hint = "put the file in the place of the link"
    return Diagnostic(path, 0, "warning", "memory-link", message, hint)


def _undecoded_line(text: str) -> int:
    """Return the first line with bytes that are not UTF-8; 0 if there is none."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return text.count("\n", 0, error.start) + 1
    return 0


def _check_log_names(memory: MemoryFiles) -> Iterator[Diagnostic]:
    """Yield a finding for each daily log that is not a file or has the name of an
    impossible date.
    """
    for day in memory.days_without_file("folder"):
        message = (
            "a folder has the name of a daily log; no record can be added on this day"
        )
        hint = "rename or remove the folder"
        yield _no_log(memory, day, message, hint)
    for day in memory.days_without_file("special"):
        message = "a pipe, socket or device has the name of a daily log; no record can be added on this day"
        yield _no_log(memory, day, message, "rename or remove it")
    for day in memory.impossible_days():
        message = "the log is not read: its name is not a date"
        yield _no_log(memory, day, message, "rename it to the day of its records")


def _check_recalls(memory: MemoryFiles) -> Iterator[Diagnostic]:
    """Yield a finding if the log of recall hits has lines that are not read."""
    malformed = read_recalls(memory).malformed
    if malformed:
        message = f"{counted(malformed, 'line')} of the recall counts cannot be read"
        hint = "remove the lines that are not JSON; dreaming ignores them"
        yield Diagnostic(
            memory.path(RECALLS), 0, "warning", "bad-recall", message, hint
        )


def _no_log(memory: MemoryFiles, day: str, message: str, hint: str) -> Diagnostic:
    """Return the finding for an entry with the name of a daily log that is not read."""
    return Diagnostic(memory.path(daily(day)), 0, "warning", "log-name", message, hint)


def _check_lines(path: str, lines: Iterable[Line]) -> Iterator[Diagnostic]:
    """Yield one finding for each kind of defect, with the numbers of the affected
    lines.
    """
    numbers: dict[_Defect, list[int]] = {}
    for number, line in enumerate(lines, 1):
        for defect in _line_defects(line):
            numbers.setdefault(defect, []).append(number)
    for defect, affected in numbers.items():
        message = f"{defect.what}: {_list_first('line', affected)}"
        yield Diagnostic(
            path, affected[0], defect.level, defect.code, message, defect.hint
        )


def _line_defects(line: Line) -> Iterator[_Defect]:
    if line.fault:
        yield _Defect(
            "warning",
            "bad-record",
            f"not read as a record ({line.fault})",
            "correct or remove it",
        )
    if line.record is not None:
        yield from _record_defects(line.record)


def _record_defects(record: Record) -> Iterator[_Defect]:
    identity = record.value.get("id")
    if not identity or not isinstance(identity, str):
        yield _NO_ID
    if not isinstance(record.value.get("provenance"), dict):
        yield _NO_PROVENANCE
    elif not record.timestamp:
        yield _NO_TIME
    elif moment_of(record.timestamp) is None:
        yield _BAD_TIME
    if record.sensitivity not in SENSITIVITIES:
        what = (
            f"unknown sensitivity `{abbreviate(record.sensitivity)}`, treated as secret"
        )
        yield _Defect(
            "warning", "unknown-label", what, f"use one of {', '.join(SENSITIVITIES)}"
        )


def _check_shared_ids(
    memory: MemoryFiles, files: Mapping[str, Iterable[Line]]
) -> Iterator[Diagnostic]:
    """Yield one finding for each file with records whose id belongs to an earlier
    record with another text.
    """
    texts: dict[str, str] = {}
    for name, lines in files.items():
        conflicting: list[Record] = []
        for line in lines:
            record = line.record
            if (
                record is not None
                and texts.setdefault(record.id, record.text) != record.text
            ):
                conflicting.append(record)
        if conflicting:
            ids = list(dict.fromkeys(record.id[:_LONGEST_ID] for record in conflicting))
            message = f"records share an id with an earlier record of a different text: {_list_first('id', ids)}"
            hint = "change the id of one record; commands use the first"
            yield Diagnostic(
                memory.path(name),
                conflicting[0].line,
                "warning",
                "shared-id",
                message,
                hint,
            )


def _check_window(memory: MemoryFiles) -> Iterator[Diagnostic]:
    window = Window(memory.settings.max_records, memory.settings.max_chars)
    records = len(memory.primary.records)
    chars = _size(memory.primary.lines) - 1
    if window.is_over(records, chars):
        message = (
            f"{records:,} records and {chars:,} characters exceed the rolling window"
        )
        hint = "the next `cuedeck memory add TEXT` archives the oldest"
        yield Diagnostic(memory.path(PRIMARY), 0, "info", "over-window", message, hint)


def _check_protected(
    context: CheckContext, memory: MemoryFiles
) -> Iterator[Diagnostic]:
    """Report that compaction cannot reach its target, because the records it never
    merges exceed the target.
    """
    settings = context.settings.compaction
    lines = memory.primary.lines
    if not settings.enabled or not is_over(
        len(memory.primary.records), _size(lines) - 1, settings
    ):
        return
    kept = [
        line
        for line in lines
        if line.record and (line.record.is_secret or line.record.is_protected)
    ]
    size = _size(kept)
    if len(kept) > settings.target_records:
        setting = "target_records"
    elif size > settings.target_chars:
        setting = "target_chars"
    else:
        return
    message = f"{len(kept):,} records of {size:,} characters are never merged and exceed the target of compaction"
    hint = f"raise compaction.{setting}, or supersede and then forget obsolete records"
    yield Diagnostic(memory.path(PRIMARY), 0, "warning", "protected", message, hint)


def _check_unfinished_forget(memory: MemoryFiles) -> Iterator[Diagnostic]:
    option = ""
    if memory.profile != OWN:
        option = f" --profile {memory.profile.id}"
    for identity in begun(memory):
        message = f"the deletion of record {abbreviate(identity)} was interrupted"
        hint = f"cuedeck memory forget {quoted(identity)}{option}"
        yield Diagnostic(
            memory.path(TOMBSTONES), 0, "warning", "half-forgotten", message, hint
        )


def _check_contradictions(
    context: CheckContext, memory: MemoryFiles
) -> Iterator[Diagnostic]:
    """Yield contradictions between records of MEMORY.md, and outdated records."""
    records = memory.primary.records
    if not records:
        return

    path = memory.path(PRIMARY)
    lines = {record.id: record.line for record in reversed(records)}
    every = find_findings(records, context.now, context.settings.memory.stale_days)
    findings = [
        finding
        for finding in every
        if finding.severity != INFO and finding.kind != DUPLICATE
    ]
    for finding in findings[:_MOST_SHOWN]:
        level: Level = "warning"
        if finding.severity == "error":
            level = "error"
        line = lines.get(finding.record, 0)
        yield Diagnostic(
            path, line, level, finding.kind, finding.message, finding.command
        )
    further = Counter(finding.kind for finding in findings[_MOST_SHOWN:])
    if further:
        counted_kinds = []
        for kind, count in sorted(further.items()):
            counted_kinds.append(f"{count:,} {kind}")
        counts = ", ".join(counted_kinds)
        message = f"and {further.total():,} more: {counts}"
        yield Diagnostic(
            path, 0, "warning", "more", message, "cuedeck memory integrity"
        )


def _size(lines: Iterable[Line]) -> int:
    """Return the number of characters of lines, each with its line break."""
    return sum(len(line.text) + 1 for line in lines)


def _list_first(noun: str, values: Sequence[object]) -> str:
    """Return a list of the first lines or ids and the number of further ones."""
    shown = ", ".join(map(str, values[:_MOST_LISTED]))
    ending = ""
    if len(values) > 1:
        ending = "s"
    further = (
        f" and {len(values) - _MOST_LISTED:,} more"
        if len(values) > _MOST_LISTED
        else ""
    )
    return f"{noun}{ending} {shown}{further}"
