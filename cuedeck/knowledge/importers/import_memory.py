"""Import of the memory files of ClawCode and of CursorClaw into those of the workspace.

Both have MEMORY.md and daily logs; records stay records and prose stays prose. Other
Markdown files become resources of the cortex tree. Each memory file is merged and
replaced in one step, so a repeated import changes nothing, and a killed one is
completed by the next.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.dreaming.diary_text import HEADER as DIARY_HEADER
from cuedeck.knowledge.experiences.distil import find_entities
from cuedeck.knowledge.importers.import_job import (
    RESOURCE,
    CortexImport,
    ImportRow,
    copy_file,
    row,
)
from cuedeck.knowledge.importers.merge_text import (
    Merge,
    merge_memory_text,
    parse_foreign_text,
)
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
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import counted
from cuedeck.model.memory_record import Experience

if TYPE_CHECKING:
    from cuedeck.knowledge.importers.import_job import ForeignKind
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.store.files.foreign_folder import ForeignFile

LONG_MEMORY = "LONGMEMORY.md"
ARCHIVE = "MEMORY-archive.md"
LOGS = "memory"
_LOG = re.compile(r"(\d{4}-\d{2}-\d{2})\.md")
_LEFT_OUT = {
    USER: "USER.md is written by hand: copy its true lines into .cuedeck/USER.md",
    "tmp/memory-embeddings.json": "vectors, which CueDeck does not use",
    f"{LOGS}/.dreams": "counts of chunks of ClawCode; CueDeck counts its own recalls",
    ".dreams": "counts of chunks of ClawCode; CueDeck counts its own recalls",
}
_TITLES = {
    PRIMARY: (HEADER.split("\n", 1)[0], HEADER),
    DIARY: ("# Dreams", DIARY_HEADER),
}
"""First line that other programs write, and first lines of a new file."""


class _Target(NamedTuple):
    """A file of the source that is merged into a memory file."""

    path: str
    name: str
    """Name of the memory file."""
    title: str = ""
    header: str = ""


def import_memory(job: CortexImport, kind: ForeignKind) -> list[ImportRow]:
    """Import the memory files of a folder; return the rows. Raises: Locked,
    StorageError, ConfigurationError.
    """
    memory = memory_of(job.workspace)
    rows: list[ImportRow] = []
    logs = _logs_folder(job)
    targets, resources = _sort_files(job, memory, logs, rows)
    planned: dict[str, str] = {}
    for target in targets:
        rows += _merge_file(job, memory, target, planned)
    if job.folder.has_file(FOREIGN_EXPERIENCES):
        rows += _add_experiences(job, memory)
    reason = "it is not a memory file of CueDeck"
    if resources:
        with job.writing() as writer:
            for path in resources:
                name = path.removeprefix(f"{logs}/" if logs else "")
                folder = RESOURCE.child(kind)
                rows.append(copy_file(job, writer, path, folder, name, reason))
    for path, reason in _LEFT_OUT.items():
        if job.folder.has_file(path) or job.folder.has_folder(path):
            rows.append(row(path, "", "left out", reason))
    return rows


def _logs_folder(job: CortexImport) -> str | None:
    """Return the folder of the daily logs: `memory`, or the source itself if that is a
    memory folder; None if there is none.
    """
    folder = job.folder
    if folder.has_folder(LOGS):
        return LOGS
    is_named = folder.root.replace("\\", "/").endswith(f"/{LOGS}")
    has_logs = any(map(_LOG.fullmatch, folder.names()))
    if is_named or has_logs or folder.has_folder(".dreams"):
        return ""
    return None


def _sort_files(
    job: CortexImport, memory: MemoryFiles, logs: str | None, rows: list[ImportRow]
) -> tuple[list[_Target], list[str]]:
    """Return the files that are merged and the paths of those that become resources;
    add a row for each other one.
    """
    targets = [
        _target(memory, path, path)
        for path in (PRIMARY, LONG_MEMORY, DIARY)
        if job.folder.has_file(path)
    ]
    done = {target.path for target in targets} | {FOREIGN_EXPERIENCES, *_LEFT_OUT}
    resources: list[str] = []
    files: list[ForeignFile] = job.folder.files(logs) if logs is not None else []
    for file in files:
        if file.path in done:
            continue
        name = file.path.removeprefix(f"{logs}/" if logs else "")
        day = _LOG.fullmatch(name)
        if file.problem:
            rows.append(row(file.path, "", "refused", file.problem))
        elif day is not None and not is_day(day[1]):
            rows.append(row(file.path, "", "refused", f"{day[1]} is not a date"))
        elif day is not None or name in (PRIMARY, ARCHIVE):
            targets.append(_target(memory, file.path, name))
        elif name.endswith(".md") and not name.startswith("."):
            resources.append(file.path)
        else:
            rows.append(row(file.path, "", "left out", "it is not a memory file"))
    return targets, resources


def _target(memory: MemoryFiles, path: str, name: str) -> _Target:
    """Return the memory file into which a file with this name is merged."""
    if name == LONG_MEMORY:
        return _Target(path, memory.long_memory, LONG_TITLE.strip(), LONG_TITLE)
    if name == ARCHIVE:
        return _Target(path, memory.archive or PRIMARY)
    day = _LOG.fullmatch(name)
    if day is not None:
        return _Target(path, daily(day[1]))
    return _Target(path, name, *_TITLES[name])


def _merge_file(
    job: CortexImport, memory: MemoryFiles, target: _Target, planned: dict[str, str]
) -> list[ImportRow]:
    """Merge a file into a memory file; return its row and those of refused lines.

    `planned` has the texts that a dry run would have written.
    """
    mask = partial(mask_to_keep, workspace=job.workspace)
    try:
        foreign = parse_foreign_text(job.folder.text(target.path), target.title, mask)
    except CueDeckError as error:
        return [row(target.path, "", "refused", error.message)]
    done: list[Merge] = []

    def make(text: str) -> str:
        gone = memory.forgotten()
        done[:] = [merge_memory_text(text, target.header, foreign, gone)]
        return done[0].text

    if job.dry_run:
        known = planned.get(target.name, memory.text(target.name))
        is_new = known is None
        if text := make(known or ""):
            planned[target.name] = text
    else:
        with memory.writing():
            is_new = memory.text(target.name) is None
            if memory.rewrite(target.name, make):
                memory.changed("edit")
    path = memory.path(target.name)
    merge = done[0]
    counts = ((merge.records, "record"), (merge.lines, "line"))
    numbers = ", ".join(counted(*each) for each in counts if each[0])
    if numbers:
        first = _added_row(target.path, path, numbers, is_new=is_new)
    elif is_new:
        first = row(target.path, "", "left out", "it contains no memory")
    else:
        first = row(target.path, path, "same")
    refused = [
        row(target.path, path, "refused", reason, line)
        for line, reason in merge.refused
    ]
    return [first, *refused]


def _added_row(source: str, target: str, numbers: str, *, is_new: bool) -> ImportRow:
    if is_new:
        return row(source, target, "new", numbers)
    return row(source, target, "merged", f"{numbers} added")


def _add_experiences(job: CortexImport, memory: MemoryFiles) -> list[ImportRow]:
    """Add the experiences of CursorClaw that are not known, with their ids."""
    path, target = FOREIGN_EXPERIENCES, memory.path(EXPERIENCES)
    try:
        text = job.folder.text(path)
        if "experiences" not in json.loads(text):
            raise ValueError("it has no list `experiences`")
    except (CueDeckError, ValueError, TypeError, RecursionError) as error:
        return [row(path, "", "refused", f"not an experience store: {error}")]
    known = {each.id: each.text for each in memory.entries(EXPERIENCE)}
    is_new = not known
    gone = memory.forgotten()
    rows: list[ImportRow] = []
    added: list[Experience] = []
    for each in foreign_experiences(text):
        texts = (each.text, each.category, each.session)
        words, category, session = mask_to_keep(texts, job.workspace)
        reason = ""
        if each.id in gone or each.record in gone:
            reason = f"the record of experience {each.id} was forgotten here"
        elif known.get(each.id, words) != words:
            reason = f"experience {each.id} has another text here"
        if reason:
            rows.append(row(path, target, "refused", reason))
        elif words not in known.values():
            known[each.id] = words
            entities = find_entities(words)
            found = replace(each, text=words, category=category, session=session)
            added.append(replace(found, entities=entities))
    if not added:
        return [row(path, target, "same"), *rows]
    if not job.dry_run:
        memory.replace(EXPERIENCE, (), added)  # in one step, unlike an append
        memory.changed("experience")
    numbers = counted(len(added), "experience")
    return [_added_row(path, target, numbers, is_new=is_new), *rows]
