"""Checks of memory: malformed lines, records with missing fields, size limits, and
contradictions.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

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
)
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.recall_hits import read_recalls
from cuedeck.ledger.records.record_file import Line
from cuedeck.ledger.records.record_lookup import file_names
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.formatting import abbreviate, counted, quoted
from cuedeck.model.memory_record import SENSITIVITIES, Record
from cuedeck.model.paths import OWN
from cuedeck.text.timestamps import moment_of

_MOST_LISTED = 3
"""Number of lines or ids listed in a finding."""
_LONGEST_ID = 40
"""Number of characters of an id or label that a finding quotes."""


_Defect = tuple[str, str, str]
"""Code, description and hint of a kind of defect of a line."""


@check("memory", "each memory file can be read as records")
def check_memory(context: CheckContext) -> Iterator[Diagnostic]:
    for profile in (OWN, *context.settings.profile):
        try:
            yield from _check(context, memory_of(context.workspace, profile.id))
        except ConfigurationError as error:
            yield failure(profile.root or ".", "outside", error.message, error.hint)
        except StorageError as error:
            yield failure(profile.root or ".", "unreadable", error.message, error.hint)


def _check(context: CheckContext, memory: MemoryFiles) -> Iterator[Diagnostic]:
    files = {name: memory.read(name).lines for name in file_names(memory)}
    for name, lines in files.items():
        yield from _check_lines(memory.path(name), lines)
    yield from _check_shared_ids(memory, files)
    yield from _check_unfinished_forget(memory)
    yield from experience_faults(memory)
    yield from _check_contradictions(context, memory)
    yield from _check_texts(memory)
    yield from _check_log_names(memory)
    yield from _check_recalls(memory)


def _check_texts(memory: MemoryFiles) -> Iterator[Diagnostic]:
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
            yield warning(path, "bad-encoding", message, "save it as UTF-8", line)


def _linked(path: str) -> Diagnostic:
    message = "the memory file is a symbolic link, which is neither read nor written"
    hint = "put the file in the place of the link"
    return warning(path, "memory-link", message, hint)


def _undecoded_line(text: str) -> int:
    """Return the first line with bytes that are not UTF-8; 0 if there is none."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return text.count("\n", 0, error.start) + 1
    return 0


_NO_LOGS: Mapping[Literal["folder", "special"], tuple[str, str]] = {
    "folder": (
        "a folder has the name of a daily log; no record can be added on this day",
        "rename or remove the folder",
    ),
    "special": (
        "a pipe, socket or device has the name of a daily log; no record can be added on this day",
        "rename or remove it",
    ),
}
"""Message and hint for something in the place of a daily log, by its kind."""


def _check_log_names(memory: MemoryFiles) -> Iterator[Diagnostic]:
    """Yield a finding for each daily log that is not a file or has the name of an
    impossible date.
    """
    for kind, (message, hint) in _NO_LOGS.items():
        for day in memory.days_without_file(kind):
            yield warning(memory.path(daily(day)), "log-name", message, hint)
    for day in memory.impossible_days():
        message = "the log is not read: its name is not a date"
        hint = "rename it to the day of its records"
        yield warning(memory.path(daily(day)), "log-name", message, hint)


def _check_recalls(memory: MemoryFiles) -> Iterator[Diagnostic]:
    malformed = read_recalls(memory).malformed
    if malformed:
        message = f"{counted(malformed, 'line')} of the recall counts cannot be read"
        hint = "remove the lines that are not JSON; dreaming ignores them"
        yield warning(memory.path(RECALLS), "bad-recall", message, hint)


def _check_lines(path: str, lines: Iterable[Line]) -> Iterator[Diagnostic]:
    """Yield one finding for each kind of defect, with the numbers of the affected
    lines.
    """
    numbers: dict[_Defect, list[int]] = {}
    for number, line in enumerate(lines, 1):
        for defect in _line_defects(line):
            numbers.setdefault(defect, []).append(number)
    for (code, what, hint), affected in numbers.items():
        message = f"{what}: {_list_first('line', affected)}"
        yield warning(path, code, message, hint, affected[0])


def _line_defects(line: Line) -> Iterator[_Defect]:
    if line.fault:
        what = f"not read as a record ({line.fault})"
        yield "bad-record", what, "correct or remove it"
    if line.record is not None:
        yield from _record_defects(line.record)


def _record_defects(record: Record) -> Iterator[_Defect]:
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
            yield warning(
                memory.path(name), "shared-id", message, hint, conflicting[0].line
            )


def _check_unfinished_forget(memory: MemoryFiles) -> Iterator[Diagnostic]:
    option = ""
    if memory.profile != OWN:
        option = f" --profile {memory.profile.id}"
    for identity in begun(memory):
        message = f"the deletion of record {abbreviate(identity)} was interrupted"
        hint = f"cuedeck memory forget {quoted(identity)}{option}"
        yield warning(memory.path(TOMBSTONES), "half-forgotten", message, hint)


def _check_contradictions(
    context: CheckContext, memory: MemoryFiles
) -> Iterator[Diagnostic]:
    records = memory.primary.records
    if not records:
        return

    path = memory.path(PRIMARY)
    lines = {record.id: record.line for record in reversed(records)}
    every = find_findings(records, context.now, context.settings.memory.stale_days)
    found = [
        each for each in every if each.severity != "info" and each.kind != "duplicate"
    ]
    for each in found:
        level: Level = "error" if each.severity == "error" else "warning"
        line = lines.get(each.record, 0)
        yield Diagnostic(path, line, level, each.kind, each.message, each.command)


def _list_first(noun: str, values: Sequence[object]) -> str:
    shown = ", ".join(map(str, values[:_MOST_LISTED]))
    ending = "s" if len(values) > 1 else ""
    more = len(values) - _MOST_LISTED
    further = f" and {more:,} more" if more > 0 else ""
    return f"{noun}{ending} {shown}{further}"
