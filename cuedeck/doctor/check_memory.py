"""Checks of memory: malformed lines, records with missing fields, size limits, and
contradictions.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from cuedeck.doctor.check_context import CheckContext, check, failure, warning
from cuedeck.knowledge.integrity.scan_records import find_findings
from cuedeck.knowledge.memory.forget_record import begun
from cuedeck.ledger.kinds.experience_kind import experience_faults
from cuedeck.ledger.records.memory_files import (
    PRIMARY,
    RECALLS,
    TOMBSTONES,
    USER,
    MemoryFiles,
    daily,
    memory_of,
)
from cuedeck.ledger.records.recall_hits import read_recalls
from cuedeck.ledger.records.record_file import Line
from cuedeck.ledger.records.record_lookup import file_names
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.formatting import abbreviate, counted, quoted
from cuedeck.model.memory_record import SENSITIVITIES
from cuedeck.model.paths import OWN
from cuedeck.store.clock import local_now
from cuedeck.text.timestamps import moment_of

_MOST_LISTED = 3
"""Number of lines that a finding lists."""


@check("memory", "each memory file can be read as records")
def check_memory(context: CheckContext) -> Iterator[Diagnostic]:
    workspace = context.workspace
    for profile in (OWN, *workspace.settings.profile):
        place = profile.root or "."
        try:
            memory = memory_of(workspace, profile.id)
            yield from _check(memory, workspace.settings.memory.stale_days)
        except ConfigurationError as error:
            yield failure(place, "outside", error.message, error.hint)
        except StorageError as error:
            yield failure(place, "unreadable", error.message, error.hint)


def _check(memory: MemoryFiles, stale_days: int) -> Iterator[Diagnostic]:
    files = {name: memory.read(name).lines for name in file_names(memory)}
    for name, lines in files.items():
        yield from _check_lines(memory.path(name), lines)
    yield from _check_shared_ids(memory, files)
    yield from _check_unfinished_forget(memory)
    yield from experience_faults(memory)
    yield from _check_contradictions(memory, stale_days)
    yield from _check_texts(memory)
    for day in memory.unread_days():
        message = "the log is not read: it is not a file, or its name is not a date"
        hint = "rename or remove it; a link: put the file in its place"
        yield warning(memory.path(daily(day)), "log-name", message, hint)
    malformed = read_recalls(memory).malformed
    if malformed:
        message = f"{counted(malformed, 'line')} of the recall counts cannot be read"
        hint = "remove the lines that are not JSON; dreaming ignores them"
        yield warning(memory.path(RECALLS), "bad-recall", message, hint)


def _check_texts(memory: MemoryFiles) -> Iterator[Diagnostic]:
    for name in (*file_names(memory), USER, memory.long_memory):
        path = memory.path(name)
        if os.path.islink(memory.place(name)):
            yield warning(
                path,
                "memory-link",
                "the file is a symbolic link, which is neither read nor written",
                "put the file in the place of the link",
            )
            continue
        text = memory.text(name) or ""  # raises the error that is reported
        try:
            text.encode()
        except UnicodeEncodeError as error:
            line = text.count("\n", 0, error.start) + 1
            message = "the line is not valid UTF-8"
            yield warning(path, "bad-encoding", message, "save it as UTF-8", line)


def _check_lines(path: str, lines: Iterable[Line]) -> Iterator[Diagnostic]:
    """Yield one finding for each kind of defect, with the numbers of the affected
    lines.
    """
    numbers: dict[tuple[str, str, str], list[int]] = {}
    for number, line in enumerate(lines, 1):
        for defect in _line_defects(line):
            numbers.setdefault(defect, []).append(number)
    for (code, what, hint), affected in numbers.items():
        shown = ", ".join(map(str, affected[:_MOST_LISTED]))
        more = len(affected) - _MOST_LISTED
        noun = "line" if len(affected) == 1 else "lines"
        further = f" and {more:,} more" if more > 0 else ""
        yield warning(path, code, f"{what}: {noun} {shown}{further}", hint, affected[0])


def _line_defects(line: Line) -> Iterator[tuple[str, str, str]]:
    """Yield code, description and hint of each defect of a line."""
    record = line.record
    if line.fault:
        what = f"not read as a record ({line.fault})"
        yield "bad-record", what, "correct or remove it"
    if record is None:
        return
    if record.timestamp and moment_of(record.timestamp) is None:
        hint = "write it like 2026-05-03T12:00:00Z"
        yield "bad-timestamp", "an invalid timestamp", hint
    if record.sensitivity not in SENSITIVITIES:
        label = abbreviate(record.sensitivity)
        what = f"unknown sensitivity `{label}`, treated as secret"
        yield "unknown-label", what, f"use one of {', '.join(SENSITIVITIES)}"


def _check_shared_ids(
    memory: MemoryFiles, files: Mapping[str, Iterable[Line]]
) -> Iterator[Diagnostic]:
    """Yield a finding for the first record of each file whose id belongs to an earlier
    record with another text.
    """
    texts: dict[str, str] = {}
    for name, lines in files.items():
        for record in filter(None, (line.record for line in lines)):
            if texts.setdefault(record.id, record.text) != record.text:
                message = f"records share an id with an earlier record of a different text: id {abbreviate(record.id)}"
                hint = "change the id of one record; commands use the first"
                path = memory.path(name)
                yield warning(path, "shared-id", message, hint, record.line)
                break


def _check_unfinished_forget(memory: MemoryFiles) -> Iterator[Diagnostic]:
    option = "" if memory.profile == OWN else f" --profile {memory.profile.id}"
    for identity in begun(memory):
        message = f"the deletion of record {abbreviate(identity)} was interrupted"
        hint = f"cuedeck memory forget {quoted(identity)}{option}"
        yield warning(memory.path(TOMBSTONES), "half-forgotten", message, hint)


def _check_contradictions(memory: MemoryFiles, stale_days: int) -> Iterator[Diagnostic]:
    records = memory.primary.records
    lines = {record.id: record.line for record in reversed(records)}
    for each in find_findings(records, local_now(), stale_days):
        if each.severity == "info" or each.kind == "duplicate":
            continue
        level: Level = "error" if each.severity == "error" else "warning"
        place = memory.path(PRIMARY), lines.get(each.record, 0)
        yield Diagnostic(*place, level, each.kind, each.message, each.command)
