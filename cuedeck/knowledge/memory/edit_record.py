"""Editing records: corrections in place, confirmation, and superseding one record by
another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.compaction.apply_plan import MEMORY_WRITTEN
from cuedeck.knowledge.experiences.delete_experience import purge
from cuedeck.knowledge.memory.add_record import NewRecord, add_records, check_record
from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.record_kind import RECORD
from cuedeck.ledger.records.memory_files import PRIMARY, UNDO
from cuedeck.ledger.records.merged_text import without_merged
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.ledger.records.record_lookup import (
    KEY,
    LISTING,
    Found,
    every_record,
    file_names,
    find_record,
    links_of,
    reached_from,
    superseded,
    targets_of,
)
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import quoted
from cuedeck.model.memory_record import CONFIRMED, Record
from cuedeck.model.secret import check_placeholders
from cuedeck.store.clock import local_now
from cuedeck.store.files.disk import tree_of
from cuedeck.text.timestamps import format_record_moment

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json

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
) -> Json:
    """Correct a record in every file that contains it. Unknown keys and all other lines
    stay unchanged.

    Raises: NotFound, Ambiguous, Invalid with nothing changed; Locked, StorageError.
    """
    if wanted._replace(text=wanted.text.strip()) == Correction():
        raise Invalid(
            "no change is given",
            hint="give --text, --category, --sensitivity or --supersedes",
        )
    check_record(wanted.text, wanted.category, wanted.sensitivity)
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
    check_placeholders(wanted.text, found.record.text)
    if wanted.supersedes:
        _check_chain(memory, found.record.id, wanted.supersedes)
    names = _rewrite(memory, found, change)
    if wanted.sensitivity:
        remake_scenes(workspace)
    return {"id": found.record.id, "files": [memory.path(name) for name in names]}


def confirm_record(memory: MemoryFiles, text: str) -> Json:
    """Confirm that a record still holds, which resets its staleness.

    Raises: NotFound, Ambiguous; Locked, StorageError.
    """
    now = format_record_moment(local_now())
    found = find_record(memory, text)
    _rewrite(memory, found, lambda record: _with(record, CONFIRMED, now))
    return {"id": found.record.id, "confirmed": now}


def _check_chain(memory: MemoryFiles, identity: str, supersedes: Sequence[str]) -> None:
    known = every_record(memory, file_names(memory))
    links = links_of(each.record for each in known.values())
    for each in supersedes:
        pick(each, list(known), "record", LISTING)
        if each == identity:
            hint = f"`{LISTING}` lists the records"
            raise Invalid(f"record `{identity}` cannot supersede itself", hint=hint)
        if identity in reached_from(each, links):
            message = f"`{identity}` cannot supersede `{each}`: it is superseded by it"
            command = f"cuedeck memory show {quoted(each)}"
            hint = f"`{command}` shows which record replaces it"
            raise Invalid(message, hint=hint)


def supersede(
    workspace: Workspace,
    memory: MemoryFiles,
    old: str,
    *,
    by: str = "",
    new_text: str = "",
) -> Json:
    """Replace a record by an existing one or by a new one with `new_text`. The old one
    is kept but no longer shown.

    Raises: NotFound, Ambiguous, Invalid with nothing changed; Locked, StorageError.
    """
    if bool(by) == bool(new_text.strip()):
        raise Invalid(
            "the replacement is missing or ambiguous",
            hint="give either --by ID or a new text",
        )
    old_record = find_record(memory, old).record
    old_id = old_record.id
    known = every_record(memory, file_names(memory))
    successor = superseded(found.record for found in known.values()).get(old_id)
    if successor is not None:
        hint = f"supersede `{successor}`, which replaces it"
        raise Invalid(f"record `{old_id}` is superseded by `{successor}`", hint=hint)
    if by:
        new = find_record(memory, by)
        new_id = new.record.id
        _check_chain(memory, new_id, (old_id,))

        def change(record: Record) -> Record:
            targets = [each for each in targets_of(record) if each not in ("", old_id)]
            return _with(record, KEY, [*targets, old_id])

        _rewrite(memory, new, change)
    else:
        wanted = NewRecord(
            new_text, old_record.category, old_record.sensitivity, supersedes=(old_id,)
        )
        (new_id,) = add_records(workspace, memory, [wanted], any_category=True)
    with memory.writing():
        purge(memory, [old_id])
        _cut_merged(memory, old_id)
    return {"id": new_id, "superseded": old_id}


def _with(record: Record, key: str, value: object) -> Record:
    return replace(record, value={**record.value, key: value})


def _rewrite(memory: MemoryFiles, found: Found, change: Change) -> Sequence[str]:
    with memory.writing():
        merged = rewrite_copies(memory, found, change)
    others = [name for name in merged if name not in found.names]
    return [*others, *found.names]


def rewrite_copies(
    memory: MemoryFiles, found: Found, change: Change, *, besides: str = ""
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
            memory.rewrite(name, lambda text: changed_text(text, identity, change))
    merged = _cut_merged(memory, identity, besides)
    changed = change(found.record)
    if merged and PRIMARY not in found.names and not changed.is_secret:
        memory.append_entries(RECORD, [changed])
    purge(memory, [identity])
    return merged


def _cut_merged(memory: MemoryFiles, identity: str, besides: str = "") -> Sequence[str]:
    """Remove the facts merged from a record from MEMORY.md, the long memory and the
    undo backups, except from the file `besides`.

    Return the names of the changed files among MEMORY.md and the long memory.
    """
    for name in _backups(memory):
        memory.rewrite(name, lambda text: without_merged(text, identity))
    changed = []
    for name in (memory.long_memory, PRIMARY):
        if name != besides and memory.rewrite(
            name, lambda text: without_merged(text, identity)
        ):
            changed.append(name)
    return changed


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
    records = [each for each in parse_records(text).records if each.id == identity]
    lines = {each.id: RECORD.format(change(each)) for each in records}
    return RECORD.replaced(text, (), lines)
