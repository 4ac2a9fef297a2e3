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
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

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
)
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.record_file import (
    Line,
    format_record,
    parse_records,
    value_of,
)
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import counted
from cuedeck.model.memory_record import Experience

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles

LOGS = "memory"
ARCHIVE = "MEMORY-archive.md"
LOG = re.compile(r"(\d{4}-\d{2}-\d{2})\.md")
_DREAMS = "counts of chunks of ClawCode; CueDeck counts its own recalls"
_LEFT_OUT = {
    USER: "USER.md is written by hand: copy its true lines into .cuedeck/USER.md",
    "tmp/memory-embeddings.json": "vectors, which CueDeck does not use",
    f"{LOGS}/.dreams": _DREAMS,
    ".dreams": _DREAMS,
}
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MAX_HEAD_LINES = 20
_END = Line("", None, "")


class _Target(NamedTuple):
    """A file of the source that is merged into a memory file."""

    path: str
    name: str
    """Name of the memory file."""
    header: str = ""
    """First lines of a new file. Other programs begin theirs with the same line."""


class Merge(NamedTuple):
    """Result of a merge."""

    text: str
    records: int
    """Number of records added."""
    lines: int
    """Number of other lines added, without empty ones."""
    refused: tuple[tuple[int, str], ...]
    """Lines that are not taken over, with the reason."""


def import_memory(job: ImportJob, kind: str) -> None:
    """Import the memory files of a folder. Raises: Locked, StorageError,
    ConfigurationError.
    """
    memory = memory_of(job.workspace)
    folder = job.folder
    logs = f"{LOGS}/" if folder.has_folder(LOGS) else ""
    targets, resources = _sort_files(job, memory, logs)
    for target in targets:
        with job.refusing(target.path):
            _merge_file(job, memory, target)
    if folder.has_file(FOREIGN_EXPERIENCES):
        _add_experiences(job, memory)
    with job.writing():
        for path in resources:
            reason = "it is not a memory file of CueDeck"
            job.copy(path, IMPORTED.child(kind), path.removeprefix(logs), reason)
    for path, reason in _LEFT_OUT.items():
        if folder.has_file(path) or folder.has_folder(path):
            job.add(path, "", "left out", reason)


def _sort_files(
    job: ImportJob, memory: MemoryFiles, logs: str
) -> tuple[list[_Target], list[str]]:
    """Return the files that are merged and the paths of those that become resources;
    add a row for each other one. The daily logs are in `memory/`, or in the source
    itself if that is a memory folder.
    """
    folder = job.folder
    top = [name for name in (PRIMARY, "LONGMEMORY.md", DIARY) if folder.has_file(name)]
    targets = [_target(memory, name, name) for name in top]
    resources: list[str] = []
    is_named = folder.root.replace("\\", "/").endswith(f"/{LOGS}")
    has_logs = bool(logs) or is_named or folder.has_folder(".dreams")
    if not has_logs and not any(map(LOG.fullmatch, folder.names())):
        return targets, resources
    for file in folder.files(logs.rstrip("/")):
        name = file.path.removeprefix(logs)
        day = LOG.fullmatch(name)
        if file.path in (*top, FOREIGN_EXPERIENCES, *_LEFT_OUT):
            continue
        if file.problem:
            job.add(file.path, "", "refused", file.problem)
        elif day is not None and not is_day(day[1]):
            job.add(file.path, "", "refused", f"{day[1]} is not a date")
        elif day is not None or name in (PRIMARY, ARCHIVE):
            targets.append(_target(memory, file.path, name))
        elif name.endswith(".md"):
            resources.append(file.path)
        else:
            job.add(file.path, "", "left out", "it is not a memory file")
    return targets, resources


def _target(memory: MemoryFiles, path: str, name: str) -> _Target:
    """Return the memory file into which a file with this name is merged."""
    targets = {
        PRIMARY: _Target(path, PRIMARY, HEADER),
        DIARY: _Target(path, DIARY, DIARY_HEADER),
        "LONGMEMORY.md": _Target(path, memory.long_memory, LONG_TITLE),
        ARCHIVE: _Target(path, memory.archive or PRIMARY),
    }
    return targets.get(name) or _Target(path, daily(name.removesuffix(".md")))


def _merge_file(job: ImportJob, memory: MemoryFiles, target: _Target) -> None:
    """Merge a file into a memory file; add its row and those of refused lines. Raises:
    Invalid, Locked, StorageError.
    """
    parts = list(_parts(job, job.folder.text(target.path), target.header))
    known = memory.text(target.name)
    gone = memory.forgotten()
    merge = merge_memory_text(known or "", target.header, parts, gone)
    if not job.dry_run:
        with memory.writing():

            def make(text: str) -> str:
                return merge_memory_text(text, target.header, parts, gone).text

            memory.rewrite(target.name, make)
    path = memory.path(target.name)
    counts = ((merge.records, "record"), (merge.lines, "line"))
    numbers = ", ".join(counted(*each) for each in counts if each[0])
    if numbers and known is None:
        job.add(target.path, path, "new", numbers)
    elif numbers:
        job.add(target.path, path, "merged", f"{numbers} added")
    elif known is None:
        job.add(target.path, "", "left out", "it contains no memory")
    else:
        job.add(target.path, path, "same")
    for line, reason in merge.refused:
        job.add(target.path, path, "refused", reason, line)


Part = tuple[int, dict[str, Any] | str, str]
"""Line number, a record or another line, and why it is refused."""


def _parts(job: ImportJob, text: str, header: str) -> Iterator[Part]:
    """Yield the records and lines of a memory file, masked, without its head: the title
    that programs write into a new file, with the explanation that CursorClaw puts
    between it and `---`.
    """
    head = _length_of_head(text, header.split("\n", 1)[0].strip())
    lines = parse_records(text).lines
    run: list[str] = []
    for number, line in enumerate((*lines[head:], _END), head + 1):
        if line.record is None and not line.fault and line is not _END:
            run.append(line.text)
            continue
        # Lines are masked together, because a secret may have several lines.
        for unit in _units(job.masked("\n".join(run)).split("\n")) if run else ():
            yield number, unit, ""
        run = []
        if line.record is not None:
            yield number, job.masked(value_of(line.record)), ""
        elif line.fault:
            yield number, "", line.fault


def _units(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines; those of a fenced block together."""
    at = 0
    while at < len(lines):
        fence = _FENCE.match(lines[at])
        end = at + 1
        if fence is not None:
            closing = (
                number
                for number in range(end, len(lines))
                if lines[number].strip().startswith(fence[1])
                and not lines[number].strip().strip(fence[1][0])
            )
            end = next(closing, at) + 1
        yield "\n".join(lines[at:end])
        at = end


def merge_memory_text(
    known: str, header: str, parts: Collection[Part], gone: Collection[str]
) -> Merge:
    """Return the text of a memory file with the new records and lines appended.

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
    for number, part, fault in parts:
        if isinstance(part, str):
            unit = part
            is_known = not is_new and (not part.strip() or f"\n{part}\n" in text)
        else:
            unit = format_record(part)
            is_known = part["id"] in values
            fault = _refusal(part, values, gone)
            values.setdefault(part["id"], part)
        if fault:
            refused.append((number, fault))
        elif not is_known:
            added.append(unit)
            text += f"{unit}\n"
            records += unit is not part
    body = "\n".join(added)
    lines = len(list(filter(str.strip, body.split("\n")))) - records
    if not records and not lines:
        return Merge(known, 0, 0, tuple(refused))
    before = header if is_new else known
    if before and not before.endswith("\n"):
        before += "\n"
    body = body.strip("\n")
    return Merge(f"{before}{body}\n", records, lines, tuple(refused))


def _refusal(
    record: dict[str, Any], known: Mapping[str, object], gone: Collection[str]
) -> str:
    """Return why a record is not taken over; empty if it is, or is known."""
    identity = record["id"]
    if identity in gone:
        return f"record {identity} was forgotten here"
    if known.get(identity, record) != record:
        return f"record {identity} has other content here"
    return ""


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
        text = job.folder.text(path)
        if "experiences" not in json.loads(text):
            raise ValueError("it has no list `experiences`")
    except (CueDeckError, ValueError, TypeError, RecursionError) as error:
        job.add(path, "", "refused", f"not an experience store: {error}")
        return
    known = {each.id: each.text for each in memory.entries(EXPERIENCE)}
    is_new = not known
    gone = memory.forgotten()
    added: list[Experience] = []
    for each in foreign_experiences(text):
        words, category, session = job.masked((each.text, each.category, each.session))
        if each.id in gone or each.record in gone:
            reason = f"the record of experience {each.id} was forgotten here"
            job.add(path, target, "refused", reason)
        elif known.get(each.id, words) != words:
            reason = f"experience {each.id} has another text here"
            job.add(path, target, "refused", reason)
        elif words not in known.values():
            known[each.id] = words
            found = replace(each, text=words, category=category, session=session)
            added.append(replace(found, entities=find_entities(words)))
    if not added:
        job.add(path, target, "same")
        return
    if not job.dry_run:
        memory.replace(EXPERIENCE, (), added)  # in one step, unlike an append
    numbers = counted(len(added), "experience")
    if is_new:
        job.add(path, target, "new", numbers)
    else:
        job.add(path, target, "merged", f"{numbers} added")
