"""Import of the memory files of ClawCode and of CursorClaw into those of the workspace.

Both have MEMORY.md and daily logs; records stay records and prose stays prose. Other
Markdown files become resources of the cortex tree. Each memory file is merged and
replaced in one step, so a repeated import changes nothing, and a killed one is
completed by the next.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.dreaming.diary_text import HEADER as DIARY_HEADER
from cuedeck.knowledge.experiences.statements import find_entities
from cuedeck.knowledge.importers.import_job import CortexImport, add_file
from cuedeck.knowledge.importers.import_plan import (
    RESOURCE,
    ImportRow,
    mapped_address,
    row,
)
from cuedeck.knowledge.memory.merge_memory_text import (
    ForeignText,
    Merge,
    merge_memory_text,
    parse_foreign_text,
)
from cuedeck.ledger.experiences.experience_file import parse_store
from cuedeck.ledger.experiences.experience_repository import experiences_of
from cuedeck.ledger.records.long_memory_file import TITLE as LONG_TITLE
from cuedeck.ledger.records.memory_files import (
    DIARY,
    EXPERIENCES,
    FOREIGN_EXPERIENCES,
    PRIMARY,
    USER,
    daily,
    is_day,
)
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.memory_writer import HEADER, writing
from cuedeck.model.errors import CueDeckError
from cuedeck.model.experience import Experience
from cuedeck.model.formatting import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.knowledge.importers.import_plan import ForeignKind
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer
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
    targets, resources = _sort_files(job, memory, rows)
    planned: dict[str, str] = {}
    for target in targets:
        rows += _merge_file(job, memory, target, planned)
    if job.folder.has_file(FOREIGN_EXPERIENCES):
        rows += _add_experiences(job, memory)
    rows += _add_resources(job, kind, resources)
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
    job: CortexImport, memory: MemoryFiles, rows: list[ImportRow]
) -> tuple[list[_Target], list[ForeignFile]]:
    """Return the files that are merged and those that become resources; add a row for
    each other one.
    """
    targets = [
        _target(memory, path, path)
        for path in (PRIMARY, LONG_MEMORY, DIARY)
        if job.folder.has_file(path)
    ]
    done = {target.path for target in targets} | {FOREIGN_EXPERIENCES, *_LEFT_OUT}
    logs = _logs_folder(job)
    resources: list[ForeignFile] = []
    for file in job.folder.files(logs) if logs is not None else ():
        if file.path in done:
            continue
        name = file.path.removeprefix(f"{logs}/" if logs else "")
        problem = file.problem or _problem(name)
        if problem:
            rows.append(row(file.path, "", "refused", problem))
        elif _LOG.fullmatch(name) or name in (PRIMARY, ARCHIVE):
            targets.append(_target(memory, file.path, name))
        elif name.endswith(".md") and not name.startswith("."):
            resources.append(file)
        else:
            rows.append(row(file.path, "", "left out", "it is not a memory file"))
    return targets, resources


def _problem(name: str) -> str:
    """Return why no memory file can have a name; empty if one can."""
    day = _LOG.fullmatch(name)
    if day is not None and not is_day(day[1]):
        return f"{day[1]} is not a date"
    return ""


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
    if job.dry_run:
        known = planned.get(target.name)
        if known is None:
            known = memory.text(target.name)
        merge = _merged(memory, target, foreign, known or "")
        if merge.text:
            planned[target.name] = merge.text
        return _merge_rows(memory, target, merge, is_new=known is None)
    done: list[Merge] = []

    def make(text: str) -> str:
        done[:] = [_merged(memory, target, foreign, text)]
        return done[0].text

    with writing(memory) as writer:
        is_new = memory.print(target.name) is None
        has_changed = writer.rewrite(target.name, make)
    if has_changed:
        memory.changed("edit")
    return _merge_rows(memory, target, done[0], is_new=is_new)


def _merged(
    memory: MemoryFiles, target: _Target, foreign: ForeignText, known: str
) -> Merge:
    return merge_memory_text(known, target.header, foreign, memory.forgotten())


def _merge_rows(
    memory: MemoryFiles, target: _Target, merge: Merge, *, is_new: bool
) -> list[ImportRow]:
    path = memory.path(target.name)
    numbers = ", ".join(
        counted(number, noun)
        for number, noun in ((merge.records, "record"), (merge.lines, "line"))
        if number
    )
    if not numbers and is_new:
        rows = [row(target.path, "", "left out", "it contains no memory")]
    elif not numbers:
        rows = [row(target.path, path, "same")]
    elif is_new:
        rows = [row(target.path, path, "new", numbers)]
    else:
        rows = [row(target.path, path, "merged", f"{numbers} added")]
    for line, reason in merge.refused:
        rows.append(row(target.path, path, "refused", reason, line))
    return rows


def _add_resources(
    job: CortexImport, kind: ForeignKind, files: Sequence[ForeignFile]
) -> list[ImportRow]:
    """Add files that are no memory files to the resources of the cortex tree."""
    if not files:
        return []
    rows = []
    folder = RESOURCE.child(kind)
    prefix = f"{LOGS}/" if _logs_folder(job) else ""
    with job.writing() as writer:
        for file in files:
            mapped = mapped_address(folder, file.path.removeprefix(prefix))
            try:
                data = job.masked_text(file.path).encode()
            except CueDeckError as error:
                rows.append(row(file.path, "", "refused", error.message))
                continue
            reason = mapped.reason or "it is not a memory file of CueDeck"
            rows.append(add_file(job, writer, file.path, mapped.address, data, reason))
    return rows


def _add_experiences(job: CortexImport, memory: MemoryFiles) -> list[ImportRow]:
    """Add the experiences of CursorClaw that are not known, with their ids."""
    path = FOREIGN_EXPERIENCES
    try:
        text = job.folder.text(path)
        entries = _entries(text)
    except (CueDeckError, ValueError) as error:
        return [row(path, "", "refused", f"not an experience store: {error}")]
    rows: list[ImportRow] = []
    found: list[Experience] = []
    for number, entry in enumerate(entries, 1):
        store = json.dumps({"version": 1, "experiences": [entry]})
        parsed = list(parse_store(store))
        if parsed:
            found.append(_masked(job, parsed[0]))
        else:
            rows.append(row(path, "", "refused", f"entry {number}: no id or no text"))
    if job.dry_run:
        return [*_experience_rows(memory, found, None), *rows]
    with writing(memory) as writer:
        return [*_experience_rows(memory, found, writer), *rows]


def _experience_rows(
    memory: MemoryFiles,
    found: Sequence[Experience],
    writer: Writer | None,
) -> list[ImportRow]:
    path, target = FOREIGN_EXPERIENCES, memory.path(EXPERIENCES)
    held = experiences_of(memory)
    known = {each.id: each for each in held.read().experiences}
    is_new = not known
    texts = {each.text for each in known.values()}
    gone = memory.forgotten()
    added: list[Experience] = []
    rows: list[ImportRow] = []
    for each in found:
        if each.id in gone or each.record in gone:
            reason = f"the record of experience {each.id} was forgotten here"
            rows.append(row(path, target, "refused", reason))
        elif each.id in known and known[each.id].text != each.text:
            reason = f"experience {each.id} has another text here"
            rows.append(row(path, target, "refused", reason))
        elif each.id not in known and each.text not in texts:
            known[each.id] = each
            texts.add(each.text)
            added.append(each)
    if added and writer is not None:
        held.replace(writer, (), added)  # in one step, unlike an append
        memory.changed("experience")
    number = counted(len(added), "experience")
    if not added:
        first = row(path, target, "same")
    elif is_new:
        first = row(path, target, "new", number)
    else:
        first = row(path, target, "merged", f"{number} added")
    return [first, *rows]


def _entries(text: str) -> list[Any]:
    """Return the entries of an experience store. Raises: ValueError."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    entries = value.get("experiences") if isinstance(value, dict) else None
    if not isinstance(entries, list):
        raise ValueError("it has no list `experiences`")
    return entries


def _masked(job: CortexImport, experience: Experience) -> Experience:
    texts = (experience.text, experience.category, experience.session)
    text, category, session = mask_to_keep(texts, job.workspace)
    return Experience(
        id=experience.id,
        text=text,
        category=category,
        session=session,
        timestamp=experience.timestamp,
        record=experience.record,
        entities=find_entities(text),
    )
