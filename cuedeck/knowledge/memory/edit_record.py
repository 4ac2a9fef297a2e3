"""Editing records: corrections in place, confirmation, and superseding one record by
another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.compaction.apply_plan import MEMORY_WRITTEN
from cuedeck.knowledge.experiences.delete_experience import purge
from cuedeck.knowledge.memory.add_record import (
    LONGEST,
    NewRecord,
    add_records,
    check_category,
)
from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.knowledge.memory.remove_records import without_merged
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.memory_files import PRIMARY, UNDO
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.ledger.records.record_file import format_record, parse_line, value_of
from cuedeck.ledger.records.record_lookup import (
    LISTING,
    Found,
    every_record,
    file_names,
    find_record,
)
from cuedeck.ledger.supersession import KEY, leads_to, links_of, superseded, targets_of
from cuedeck.model.errors import Invalid, TooLong
from cuedeck.model.formatting import quoted
from cuedeck.model.memory_record import CONFIRMED, SENSITIVITIES, Record
from cuedeck.store.clock import local_now
from cuedeck.store.files.disk import tree_of
from cuedeck.text.timestamps import format_record_moment

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer

Change = Callable[[Record], Record]


class Correction(NamedTuple):
    """New values of a record. Empty ones leave the value unchanged."""

    text: str = ""
    category: str = ""
    sensitivity: str = ""
    supersedes: tuple[str, ...] | None = None
    """All ids that the record supersedes; an empty tuple clears them."""


def edit_record(
    workspace: Workspace, memory: MemoryFiles, text: str, wanted: Correction
) -> dict[str, Any]:
    """Correct a record in every file that contains it. Unknown keys and all other lines
    stay unchanged.

    Raises: NotFound, Ambiguous, Invalid with nothing changed; Locked, StorageError.
    """
    if wanted._replace(text=wanted.text.strip()) == Correction():
        raise Invalid(
            "no change is given",
            hint="give --text, --category, --sensitivity or --supersedes",
        )
    if wanted.sensitivity and wanted.sensitivity not in SENSITIVITIES:
        raise Invalid(
            f"`{wanted.sensitivity}` is not a sensitivity",
            hint=f"one of {', '.join(SENSITIVITIES)}",
        )
    check_category(wanted.category)
    if len(wanted.text) > LONGEST:
        raise TooLong(
            f"a record must have at most {LONGEST:,} characters, got {len(wanted.text):,}",
            hint="put it in a doc",
        )
    category = " ".join(wanted.category.split())
    new_text, new_category = mask_given((wanted.text.strip(), category), workspace)
    new_keys = {} if wanted.supersedes is None else {KEY: list(wanted.supersedes)}

    def change(record: Record) -> Record:
        return replace(
            record,
            text=new_text or record.text,
            category=new_category or record.category,
            sensitivity=wanted.sensitivity or record.sensitivity,
            value={**record.value, **new_keys},
        )

    found = find_record(memory, text)
    if wanted.supersedes:
        _check_chain(memory, found.record.id, wanted.supersedes)
    names = _rewrite(memory, found, change)
    if wanted.sensitivity:
        remake_scenes(workspace)
    return {"id": found.record.id, "files": [memory.path(name) for name in names]}


def confirm_record(memory: MemoryFiles, text: str) -> dict[str, Any]:
    """Confirm that a record still holds, which resets its staleness.

    Raises: NotFound, Ambiguous; Locked, StorageError.
    """
    now = format_record_moment(local_now())
    found = find_record(memory, text)
    _rewrite(
        memory,
        found,
        lambda record: replace(record, value={**record.value, CONFIRMED: now}),
    )
    return {"id": found.record.id, "confirmed": now}


def _check_chain(memory: MemoryFiles, identity: str, supersedes: Sequence[str]) -> None:
    """Raise Invalid if a record would supersede itself through a chain, NotFound for an
    unknown id.
    """
    known = every_record(memory, file_names(memory))
    successors = _successors(known)
    for each in supersedes:
        pick(each, list(known), "record", LISTING)
        if each == identity:
            raise _supersedes_itself(identity)
        if leads_to(identity, each, successors):
            hint = (
                f"`cuedeck memory show {quoted(each)}` shows which record replaces it"
            )
            raise Invalid(
                f"`{identity}` cannot supersede `{each}`: it is superseded by it",
                hint=hint,
            )


def _supersedes_itself(identity: str) -> Invalid:
    return Invalid(
        f"record `{identity}` cannot supersede itself",
        hint=f"`{LISTING}` lists the records",
    )


def _successors(known: Mapping[str, Found]) -> dict[str, str]:
    """Return for each superseded id the id that supersedes it. Cycles are included, so
    that they cannot be extended.
    """
    successors: dict[str, str] = {}
    links = links_of(found.record for found in known.values())
    for newer, targets in links.items():
        for older in targets:
            if older != newer:
                successors[older] = newer
    return successors


def supersede(
    workspace: Workspace,
    memory: MemoryFiles,
    old: str,
    *,
    by: str = "",
    new_text: str = "",
) -> dict[str, Any]:
    """Replace a record by an existing one or by a new one with `new_text`. The old one
    is kept but no longer shown.

    Raises: NotFound, Ambiguous, Invalid with nothing changed; Locked, StorageError.
    """
    if bool(by) == bool(new_text.strip()):
        raise Invalid(
            "the replacement is missing or ambiguous",
            hint="give either --by ID or a new text",
        )
    old_found = find_record(memory, old)
    old_record = old_found.record
    old_id = old_record.id
    known = every_record(memory, file_names(memory))
    successor = superseded(found.record for found in known.values()).get(old_id)
    if successor is not None:
        hint = f"supersede `{successor}`, which replaces it"
        raise Invalid(f"record `{old_id}` is superseded by `{successor}`", hint=hint)
    if by:
        new_id = _supersede_by(memory, find_record(memory, by), old_id, known)
    else:
        wanted = NewRecord(
            new_text,
            old_record.category,
            old_record.sensitivity,
            session="",
            supersedes=(old_id,),
        )
        new_id = add_records(workspace, memory, [wanted], any_category=True)[0]
    _remove_derived(memory, old_found)
    return {"id": new_id, "superseded": old_id}


def _supersede_by(
    memory: MemoryFiles, new: Found, old_id: str, known: Mapping[str, Found]
) -> str:
    """Let an existing record supersede another one; return its id."""
    new_id = new.record.id
    if new_id == old_id:
        raise _supersedes_itself(old_id)
    if leads_to(new_id, old_id, _successors(known)):
        raise Invalid(
            f"`{new_id}` cannot replace `{old_id}`", hint="it is already replaced by it"
        )

    def change(record: Record) -> Record:
        targets = []
        for each in targets_of(record):
            if each and each != old_id:
                targets.append(each)
        return replace(record, value={**record.value, KEY: [*targets, old_id]})

    _rewrite(memory, new, change)
    return new_id


def _remove_derived(memory: MemoryFiles, found: Found) -> None:
    """Remove the data derived from a superseded record: its experience and its merged
    facts. The record is kept.
    """
    with writing(memory) as writer:
        purge(memory, [found.record.id], dry_run=False)
        _cut_merged(memory, writer, found.record.id)


def _rewrite(memory: MemoryFiles, found: Found, change: Change) -> Sequence[str]:
    """Change a record in all files that contain it; return their names."""
    with writing(memory) as writer:
        merged = rewrite_copies(memory, writer, found, change)
    memory.changed("edit")
    others = [name for name in merged if name not in found.names]
    return [*others, *found.names]


def rewrite_copies(
    memory: MemoryFiles,
    writer: Writer,
    found: Found,
    change: Change,
    *,
    besides: str = "",
) -> Sequence[str]:
    """Change a record in all files that contain it, MEMORY.md last, except in the file
    `besides`; return the names of the files from which merged facts were removed.

    Derived data is removed: its experience and its merged facts. A record that is in
    MEMORY.md only as a merged fact becomes a separate line again, unless it is now
    secret.
    """
    identity = found.record.id
    backups = [
        name for name in _backups(memory) if not name.endswith(f"/{MEMORY_WRITTEN}")
    ]
    for name in (*backups, *reversed(found.names)):
        if name != besides:
            writer.rewrite(name, lambda text: changed_text(text, identity, change))
    merged = _cut_merged(memory, writer, identity, besides)
    changed = change(found.record)
    if merged and PRIMARY not in found.names and not changed.is_secret:
        writer.add_lines(PRIMARY, f"{format_record(value_of(changed))}\n")
    purge(memory, [identity], dry_run=False)
    return merged


def _cut_merged(
    memory: MemoryFiles, writer: Writer, identity: str, besides: str = ""
) -> Sequence[str]:
    """Remove the facts merged from a record from MEMORY.md, the long memory and the
    undo backups, except from the file `besides`.

    Return the names of the changed files among MEMORY.md and the long memory.
    """
    for name in _backups(memory):
        writer.rewrite(name, lambda text: without_merged(text, identity))
    names = [
        name
        for name in (memory.long_memory, PRIMARY)
        if name != besides and memory.text(name) is not None
    ]
    return [
        name
        for name in names
        if writer.rewrite(name, lambda text: without_merged(text, identity))
    ]


def _backups(memory: MemoryFiles) -> Sequence[str]:
    """Return the names of the Markdown files of all backups of compactions.

    Each of them has a folder; a file outside such a folder is a version that
    `memory write` replaced, which stays as it was.
    """
    return [
        f"{UNDO}/{name}"
        for name in tree_of(memory.place(UNDO))
        if "/" in name and name.endswith(".md")
    ]


def changed_text(text: str, identity: str, change: Change) -> str:
    """Return the text of a record file with one record changed and every other line
    unchanged.
    """
    lines = [_changed_line(line, identity, change) for line in text.split("\n")]
    return "\n".join(lines)


def _changed_line(line: str, identity: str, change: Change) -> str:
    if identity not in line and '"id"' in line:
        # The id of a line without one is derived from its text.
        return line
    record = parse_line(line).record
    if record is None or record.id != identity:
        return line
    ending = "\r" if line.endswith("\r") else ""
    indent = line[: len(line) - len(line.lstrip(" \t\ufeff"))]
    return indent + format_record(value_of(change(record))) + ending
