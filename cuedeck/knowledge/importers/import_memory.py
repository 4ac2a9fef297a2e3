"""Import of the memory files of ClawCode and of CursorClaw into those of the workspace.

Both have MEMORY.md and daily logs; records stay records and prose stays prose. Records
are identified by their id, other lines by their text; a fenced block is one line. What
the file of the workspace lacks is appended in its order and in one step, so a repeated
import changes nothing, and a killed one is completed by the next. Other Markdown files
become resources of the cortex tree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.dreaming.diary_text import HEADER as DIARY_HEADER
from cuedeck.knowledge.experiences.distil import find_entities
from cuedeck.knowledge.importers.import_job import IMPORTED, ImportJob
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE, foreign_experiences
from cuedeck.ledger.records.long_memory_file import TITLE as LONG_TITLE
from cuedeck.ledger.records.memory_files import (
    DIARY,
    EXPERIENCES,
    FOREIGN_EXPERIENCES,
    HEADER,
    PRIMARY,
    USER,
    daily,
    is_day,
    memory_of,
)
from cuedeck.ledger.records.record_file import (
    format_record,
    parse_line,
    parse_records,
    value_of,
)
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import counted
from cuedeck.model.memory_record import Experience

if TYPE_CHECKING:
    from cuedeck.knowledge.importers.import_job import Action
    from cuedeck.ledger.records.memory_files import MemoryFiles

LOGS = "memory"
LONG = "LONGMEMORY.md"
ARCHIVE = "MEMORY-archive.md"
LOG = re.compile(r"(\d{4}-\d{2}-\d{2})\.md")
_DREAMS = "counts of chunks of ClawCode; CueDeck counts its own recalls"
_LEFT_OUT = {
    USER: "USER.md is written by hand: copy its true lines into .cuedeck/USER.md",
    "tmp/memory-embeddings.json": "vectors, which CueDeck does not use",
    f"{LOGS}/.dreams": _DREAMS,
    ".dreams": _DREAMS,
}
_HEADERS = {PRIMARY: HEADER, DIARY: DIARY_HEADER, LONG: LONG_TITLE}
"""First lines of a new file. Other programs begin theirs with the same line."""
_UNIT = re.compile(
    r" {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n"
    r"(?:[^\n]*\n)*?[ \t]*\1[`~]*[ \t]*(?=\n|\Z)|[^\n]*"
)
"""A line, or the lines of a fenced block."""
_MAX_HEAD_LINES = 20


class Merge(NamedTuple):
    """Result of a merge."""

    text: str
    records: int
    """Number of records added."""
    lines: int
    """Number of other lines added, without empty ones."""
    refused: list[tuple[int, str]]
    """Lines that are not taken over, with the reason."""


def import_memory(job: ImportJob, kind: str) -> None:
    """Import the memory files of a folder. Raises: Locked, StorageError,
    ConfigurationError.
    """
    memory = memory_of(job.workspace)
    folder = job.folder
    logs = f"{LOGS}/" if folder.has_folder(LOGS) else ""
    resources: list[str] = []
    for path, name in _memory_paths(job, logs):
        if name in (*_HEADERS, ARCHIVE) or LOG.fullmatch(name):
            with job.refusing(path):
                _merge_file(job, memory, path, name)
        elif name.endswith(".md"):
            resources.append(path)
        else:
            job.add(path, "", "left out", "it is not a memory file")
    if folder.has_file(FOREIGN_EXPERIENCES):
        _add_experiences(job, memory)
    with job.writing():
        for path in resources:
            reason = "it is not a memory file of CueDeck"
            job.copy(path, IMPORTED.child(kind), path.removeprefix(logs), reason)
    for path, reason in _LEFT_OUT.items():
        if folder.has_file(path) or folder.has_folder(path):
            job.add(path, "", "left out", reason)


def _memory_paths(job: ImportJob, logs: str) -> Iterator[tuple[str, str]]:
    """Yield path and name of the files that can be read; add a row for each other one.
    The daily logs are in `memory/`, or in the source itself if that is a memory folder.
    """
    folder = job.folder
    top = [name for name in _HEADERS if folder.has_file(name)]
    yield from zip(top, top, strict=True)
    is_named = folder.root.replace("\\", "/").endswith(f"/{LOGS}")
    has_logs = bool(logs) or is_named or folder.has_folder(".dreams")
    if not has_logs and not any(map(LOG.fullmatch, folder.names())):
        return
    for file in folder.files(logs.rstrip("/")):
        name = file.path.removeprefix(logs)
        day = LOG.fullmatch(name)
        if file.path in (*top, FOREIGN_EXPERIENCES, *_LEFT_OUT):
            continue
        if file.problem:
            job.add(file.path, "", "refused", file.problem)
        elif day is not None and not is_day(day[1]):
            job.add(file.path, "", "refused", f"{day[1]} is not a date")
        else:
            yield file.path, name


def _merge_file(job: ImportJob, memory: MemoryFiles, path: str, name: str) -> None:
    """Merge a file into a memory file; add its row and those of refused lines. Raises:
    Invalid, Locked, StorageError.
    """
    targets = {LONG: memory.long_memory, ARCHIVE: memory.archive or PRIMARY}
    target = targets.get(name, name)
    if LOG.fullmatch(name):
        target = daily(name.removesuffix(".md"))
    header = _HEADERS.get(name, "")
    new = job.lines(path)
    known = memory.text(target)
    gone = memory.forgotten()
    merge = merge_memory_text(known or "", header, new, gone)
    if not job.dry_run:
        with memory.writing():

            def make(text: str) -> str:
                return merge_memory_text(text, header, new, gone).text

            memory.rewrite(target, make)
    place = memory.path(target)
    counts = ((merge.records, "record"), (merge.lines, "line"))
    numbers = ", ".join(counted(*each) for each in counts if each[0])
    if numbers and known is None:
        job.add(path, place, "new", numbers)
    elif numbers:
        job.add(path, place, "merged", f"{numbers} added")
    elif known is None:
        job.add(path, "", "left out", "it contains no memory")
    else:
        job.add(path, place, "same")
    for line, reason in merge.refused:
        job.add(path, place, "refused", reason, line)


def merge_memory_text(
    known: str, header: str, new: str, gone: Collection[str]
) -> Merge:
    """Return the text of a memory file with the new records and lines of another one
    appended, without the head of the other one: the title that programs write into a
    new file, with the explanation that CursorClaw puts between it and `---`.

    `header` begins a new file; `gone` are the ids of forgotten records.
    """
    is_new = not known.strip()
    values = {
        each.id: value_of(each) for each in reversed(parse_records(known).records)
    }
    text = f"\n{known}\n"
    added: list[str] = []
    refused: list[tuple[int, str]] = []
    records = 0
    head = _length_of_head(new, header.split("\n", 1)[0].strip())
    start = sum(len(line) + 1 for line in new.split("\n")[:head])
    for unit in _units(new, start):
        line = parse_line(unit[0])
        part, fault = unit[0], line.fault
        is_known = not is_new and (not part.strip() or f"\n{part}\n" in text)
        if line.record is not None:
            identity, value = line.record.id, value_of(line.record)
            part = format_record(value)
            is_known = identity in values
            is_same = values.setdefault(identity, value) == value
            fault = _refusal(identity, gone, is_same)
        if fault:
            refused.append((new.count("\n", 0, unit.start()) + 1, fault))
        elif not is_known:
            added.append(part)
            text += f"{part}\n"
            records += line.record is not None
    body = "\n".join(added)
    lines = len(list(filter(str.strip, body.split("\n")))) - records
    if not records and not lines:
        return Merge(known, 0, 0, refused)
    before = header if is_new else known
    if before and not before.endswith("\n"):
        before += "\n"
    body = body.strip("\n")
    return Merge(f"{before}{body}\n", records, lines, refused)


def _refusal(identity: str, gone: Collection[str], is_same: bool) -> str:
    """Return why a record is not taken over; empty if it is, or is known."""
    if identity in gone:
        return f"record {identity} was forgotten here"
    return "" if is_same else f"record {identity} has other content here"


def _units(text: str, start: int) -> Iterator[re.Match[str]]:
    while start <= len(text):
        unit = _UNIT.match(text, start)
        assert unit is not None  # an empty line matches, too
        yield unit
        start = unit.end() + 1


def _length_of_head(text: str, title: str) -> int:
    """Return the number of lines at the top of a file that a program wrote."""
    lines = text.split("\n", _MAX_HEAD_LINES)[:_MAX_HEAD_LINES]
    if not title or lines[0].strip() != title:
        return 0
    for number, line in enumerate(lines, 1):
        if line.startswith("- "):
            break
        if line.strip() == "---":
            return number
    return 1


def _add_experiences(job: ImportJob, memory: MemoryFiles) -> None:
    """Add the experiences of CursorClaw that are not known, with their ids."""
    path, target = FOREIGN_EXPERIENCES, memory.path(EXPERIENCES)
    try:
        text = job.lines(path)
        if "experiences" not in json.loads(text):
            raise ValueError("it has no list `experiences`")
    except (CueDeckError, ValueError, TypeError, RecursionError) as error:
        job.add(path, "", "refused", f"not an experience store: {error}")
        return
    known = {each.id: each.text for each in memory.entries(EXPERIENCE)}
    action: Action = "merged" if known else "new"
    gone = memory.forgotten()
    added: list[Experience] = []
    for each in foreign_experiences(text):
        words = each.text
        if each.id in gone or each.record in gone:
            reason = f"the record of experience {each.id} was forgotten here"
            job.add(path, target, "refused", reason)
        elif known.get(each.id, words) != words:
            reason = f"experience {each.id} has another text here"
            job.add(path, target, "refused", reason)
        elif words not in known.values():
            known[each.id] = words
            added.append(replace(each, entities=find_entities(words)))
    if not added:
        job.add(path, target, "same")
        return
    if not job.dry_run:
        memory.replace(EXPERIENCE, (), added)  # in one step, unlike an append
    numbers = counted(len(added), "experience")
    job.add(path, target, action, numbers if action == "new" else f"{numbers} added")
