"""Checks of memory: malformed lines, records with missing fields, size limits, and contradictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.app.experiences.experience_repository import experiences_of
from cuedeck.app.memory.forget_record import begun
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.memory.record_lookup import file_names
from cuedeck.model.display import quoted
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.file import Diagnostic, Level
from cuedeck.model.memory_record import SENSITIVITIES, Record
from cuedeck.model.profile import OWN
from cuedeck.parse.record_file import Line
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.job_schedule import is_over
from cuedeck.records.rolling_window import Window
from cuedeck.store.fs.workspace_files import presence
from cuedeck.store.memory.memory_files import PRIMARY, TOMBSTONES, USER, MemoryFiles

BACKUP = f"{PRIMARY}.compaction-backup"
"""Backup that another program writes next to MEMORY.md when it merges records."""
_FIRST = 3
"""Number of lines or ids listed in a finding."""
_MOST = 10
"""Number of contradiction findings that are shown; further ones are only counted."""
_LONGEST = 40


class _Fault(NamedTuple):
    """One kind of defect of a line."""

    level: Level
    code: str
    what: str
    hint: str


_NO_PROVENANCE = _Fault("info", "no-provenance", "no provenance", "such records count as private, and as undated")
_NO_TIME = _Fault("info", "no-timestamp", "no timestamp", "such records are never merged and never go stale")
_BAD_TIME = _Fault("warning", "bad-timestamp", "a timestamp that is none", "write it like 2026-05-03T12:00:00Z")
_NO_ID = _Fault("info", "no-id", "no id", "such records go by what they say; give each an id of its own")


def check_memory(view: CheckContext) -> Iterator[Diagnostic]:
    """Find defects in the memory files of all profiles."""
    for profile in (OWN, *view.settings.profile):
        try:
            yield from _check(view, memory_of(view.workspace, profile.id))
        except ConfigurationError as error:
            yield Diagnostic(profile.root or ".", 0, "error", "outside", error.message, error.hint)
        except StorageError as error:
            yield Diagnostic(profile.root or ".", 0, "error", "unreadable", error.message, error.hint)


def _check(view: CheckContext, memory: MemoryFiles) -> Iterator[Diagnostic]:
    files = {name: memory.read(name).lines for name in file_names(memory)}
    for name, lines in files.items():
        yield from _faults(memory.path(name), lines)
    yield from _shared_ids(memory, files)
    yield from _window(memory)
    yield from _protected(view, memory)
    yield from _half_forgotten(memory)
    yield from experiences_of(memory).read().faults
    if presence(view.paths, memory.path(BACKUP)):
        what = "a copy that another program made before it merged records; nobody reads it"
        hint = "delete it if you do not need it"
        yield Diagnostic(memory.path(BACKUP), 0, "info", "left-backup", what, hint)
    yield from _contradictions(view, memory)
    for name in (USER, memory.long_memory):
        memory.text(name)  # raises the error that is reported


def _faults(path: str, lines: Iterable[Line]) -> Iterator[Diagnostic]:
    """Yield one finding for each kind of defect, with the numbers of the affected lines."""
    found: dict[_Fault, list[int]] = {}
    for number, line in enumerate(lines, 1):
        for fault in _faults_of(line):
            found.setdefault(fault, []).append(number)
    for (level, code, what, hint), numbers in found.items():
        yield Diagnostic(path, numbers[0], level, code, f"{what}: {_some('line', numbers)}", hint)


def _faults_of(line: Line) -> Iterator[_Fault]:
    if line.fault:
        yield _Fault("warning", "bad-record", f"not read as a record, {line.fault}", "correct or remove it")
    if line.record is not None:
        yield from _faults_of_record(line.record)


def _faults_of_record(record: Record) -> Iterator[_Fault]:
    if not isinstance(record.value.get("id"), str) or not record.value["id"]:
        yield _NO_ID
    if not isinstance(record.value.get("provenance"), dict):
        yield _NO_PROVENANCE
    elif not record.timestamp:
        yield _NO_TIME
    elif moment_of(record.timestamp) is None:
        yield _BAD_TIME
    if record.sensitivity not in SENSITIVITIES:
        what = f"the sensitivity `{record.sensitivity[:_LONGEST]}`, which is none and counts as secret"
        yield _Fault("warning", "unknown-label", what, f"one of {', '.join(SENSITIVITIES)}")


def _shared_ids(memory: MemoryFiles, files: Mapping[str, Iterable[Line]]) -> Iterator[Diagnostic]:
    """Yield one finding for each file with records whose id belongs to an earlier record with another text."""
    known: dict[str, str] = {}
    for name, lines in files.items():
        records = [line.record for line in lines if line.record is not None]
        odd = [each for each in records if known.setdefault(each.id, each.text) != each.text]
        if odd:
            ids = list(dict.fromkeys(each.id[:_LONGEST] for each in odd))
            what = f"another text under an id that a record has already: {_some('id', ids)}"
            hint = "change the id of one of them; commands use the first"
            yield Diagnostic(memory.path(name), odd[0].line, "warning", "shared-id", what, hint)


def _window(memory: MemoryFiles) -> Iterator[Diagnostic]:
    settings = memory.settings
    limits = Window(settings.max_records, settings.max_chars)
    records, chars = len(memory.primary.records), sum(len(line.text) + 1 for line in memory.primary.lines) - 1
    if limits.is_over(records, chars):
        what = f"{records:,} records and {chars:,} characters are beyond its window"
        hint = "the next `cuedeck memory add TEXT` archives the oldest"
        yield Diagnostic(memory.path(PRIMARY), 0, "info", "over-window", what, hint)


def _protected(view: CheckContext, memory: MemoryFiles) -> Iterator[Diagnostic]:
    """Report that compaction cannot reach its target, because the records it never merges exceed the target."""
    settings, lines = view.settings.compaction, memory.primary.lines
    chars = sum(len(line.text) + 1 for line in lines) - 1
    if not settings.enabled or not is_over(len(memory.primary.records), chars, settings):
        return
    kept = [line for line in lines if line.record and (line.record.is_secret or line.record.is_protected)]
    size = sum(len(line.text) + 1 for line in kept)
    if len(kept) > settings.target_records or size > settings.target_chars:
        what = f"{len(kept):,} records of {size:,} characters are never merged, more than compaction is to leave"
        name = "target_records" if len(kept) > settings.target_records else "target_chars"
        hint = f"raise compaction.{name}, or supersede and forget obsolete records"
        yield Diagnostic(memory.path(PRIMARY), 0, "warning", "protected", what, hint)


def _half_forgotten(memory: MemoryFiles) -> Iterator[Diagnostic]:
    option = "" if memory.profile == OWN else f" --profile {memory.profile.id}"
    for each in begun(memory):
        what = f"the forgetting of record {each[:_LONGEST]} was cut short"
        hint = f"cuedeck memory forget {quoted(each)}{option}"
        yield Diagnostic(memory.path(TOMBSTONES), 0, "warning", "half-forgotten", what, hint)


def _contradictions(view: CheckContext, memory: MemoryFiles) -> Iterator[Diagnostic]:
    """Yield contradictions between records of MEMORY.md, and outdated records."""
    records = memory.primary.records
    if not records:
        return
    from cuedeck.records.integrity.finding_values import DUPLICATE, INFO
    from cuedeck.records.integrity.scan_records import count_not_analysed, find_findings

    path, lines = memory.path(PRIMARY), {each.id: each.line for each in reversed(records)}
    every = find_findings(records, view.now, view.settings.memory.stale_days)
    grave = [each for each in every if each.severity != INFO and each.kind != DUPLICATE]
    for each in grave[:_MOST]:
        level: Level = "error" if each.severity == "error" else "warning"
        yield Diagnostic(path, lines.get(each.record, 0), level, each.kind, each.message, each.command)
    rest = Counter(each.kind for each in grave[_MOST:])
    if rest:
        what = f"and {rest.total():,} more: {', '.join(f'{count:,} {kind}' for kind, count in sorted(rest.items()))}"
        yield Diagnostic(path, 0, "warning", "more", what, "cuedeck memory integrity")
    skipped = count_not_analysed(records)
    if skipped:
        what = f"{skipped:,} records are not analysed for contradictions: neither English nor Spanish"
        hint = "in other languages only `key: value`, numbers, dates and paths are compared"
        yield Diagnostic(path, 0, "info", "not-analysed", what, hint)


def _some(noun: str, what: Sequence[object]) -> str:
    """Return a list of the first lines or ids and the number of further ones."""
    rest = f" and {len(what) - _FIRST:,} more" if len(what) > _FIRST else ""
    return f"{noun}{'s' if len(what) > 1 else ''} {', '.join(map(str, what[:_FIRST]))}{rest}"
