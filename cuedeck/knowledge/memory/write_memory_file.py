"""Replacement of the text of a memory file by an edited one.

The caller names the version that it has read. A record that the new text changes is
changed in every file that contains it, and the named file is written last: after a
crash it is still the version that was read, and the same call can be repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.knowledge.memory.edit_record import rewrite_copies
from cuedeck.knowledge.memory.memory_file_address import parse_memory_file
from cuedeck.knowledge.memory.memory_file_text import restore_text
from cuedeck.knowledge.memory.read_memory_file import (
    NO_FILE,
    LoadedMemoryFile,
    hash_of,
    is_record_file,
    load_memory_file,
    profile_option,
)
from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.knowledge.memory.remove_records import without_merged
from cuedeck.ledger.records.file_backups import keep_backup
from cuedeck.ledger.records.memory_files import PRIMARY, decode, encode
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.ledger.records.record_file import parse_records, without_records
from cuedeck.ledger.records.record_file_edit import changed_records
from cuedeck.ledger.records.record_lookup import Found, every_record, file_names
from cuedeck.model.errors import Invalid, Stale
from cuedeck.model.formatting import quoted
from cuedeck.store.files import nofollow

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer
    from cuedeck.model.memory_record import Record


class _NewText(NamedTuple):
    """The checked text of a file."""

    text: str
    records: Mapping[str, Record]
    """The changed records by id."""
    masked: int
    """Number of new secrets that were masked."""


def write_memory_file(
    workspace: Workspace, file: str, given: str, known: str, profile: str = ""
) -> dict[str, Any]:
    """Replace the text of a memory file by `given`, an edited result of
    `read_memory_file`; `known` is the hash of that result.

    Returns: the new hash, the path of the backup, and the changed records. Raises:
    Invalid for another file, and for a text that is empty, loses a record or destroys a
    secret, with nothing changed; Stale if the file is another version; NotFound,
    ConfigurationError, Locked, StorageError.
    """
    memory = memory_of(workspace, profile)
    name = parse_memory_file(memory, file)
    path = memory.path(name)
    if name in memory.notes():
        raise Invalid(
            f"`{path}` is not kept by CueDeck",
            hint="edit it with an editor; recall searches it as it is",
        )
    if not given.strip():
        raise Invalid(
            f"the new text of `{path}` is empty",
            hint="`cuedeck memory forget ID` deletes a record",
        )
    _check_size(path, len(given))  # before the search for secrets, which takes a while
    loaded = load_memory_file(workspace, memory, name)
    if loaded.hash != known:
        _check_same(memory, name, loaded, given)
        remake_scenes(workspace)  # an interrupted call may not have done it
        return _answer(path, loaded.hash)
    new = _new_text(workspace, memory, name, loaded, given)
    data = encode(new.text)
    if data == loaded.data:
        return _answer(path, loaded.hash)
    _check_size(path, len(data))
    with writing(memory) as writer:
        _check_current(memory, name, loaded.data)
        backup = ""
        if loaded.hash != NO_FILE:
            backup = memory.path(keep_backup(memory, name, loaded.data, loaded.hash))
        copies = _correct_copies(memory, writer, name, new.records)
        final = _final_text(name, new)
        writer.rewrite(name, lambda text: _replace(memory, name, loaded, text, final))
    memory.changed("edit")
    if _hides_more(copies, new.records):
        remake_scenes(workspace)
    written = hash_of(encode(final), workspace.masking_rules)
    return _answer(path, written, backup, new)


def _answer(
    path: str, identity: str, backup: str = "", new: _NewText | None = None
) -> dict[str, Any]:
    return {
        "path": path,
        "hash": identity,
        "written": new is not None,
        "backup": backup or None,
        "changed": [] if new is None else list(new.records),
        "masked": 0 if new is None else new.masked,
    }


def _check_size(path: str, size: int) -> None:
    """Raise Invalid for a text that `load_memory_file` could not read. Units: bytes; a
    number of characters is a lower bound.
    """
    if size > nofollow.LARGEST_FILE:
        raise Invalid(
            f"the new text of `{path}` has {size:,} bytes, more than "
            f"{nofollow.LARGEST_FILE:,}",
            hint="nothing was changed; write less",
        )


def _check_same(
    memory: MemoryFiles, name: str, loaded: LoadedMemoryFile, given: str
) -> None:
    """Raise Stale unless the file already has the new text: then an interrupted call is
    being repeated.
    """
    shown = loaded.shown.text(1, loaded.shown.count).rstrip("\n")
    if shown == given.replace("\r\n", "\n").rstrip("\n"):
        return
    option = profile_option(memory)
    if loaded.hash == NO_FILE:
        problem = "does not exist"
        hint = "`--if-hash none` creates it"
    else:
        problem = "is not the version that was read"
        command = f"cuedeck memory read {quoted(name)}{option}"
        hint = f"`{command}` prints its text and its hash"
    raise Stale(memory.path(name), problem, f"nothing was changed; {hint}")


def _new_text(
    workspace: Workspace,
    memory: MemoryFiles,
    name: str,
    loaded: LoadedMemoryFile,
    given: str,
) -> _NewText:
    """Return the text to write. Raises: Invalid."""
    try:
        restored = restore_text(loaded.shown, given, workspace.find_secrets)
        records: Mapping[str, Record] = {}
        if is_record_file(memory, name):
            gone = memory.forgotten()
            old = without_records(parse_records(decode(loaded.data)), gone)
            new = without_records(parse_records(restored.text), gone)
            records = changed_records(old, new)
    except Invalid as error:
        raise error.in_file(memory.path(name)) from None
    return _NewText(restored.text, records, restored.masked)


def _correct_copies(
    memory: MemoryFiles, writer: Writer, name: str, records: Mapping[str, Record]
) -> Mapping[str, Found]:
    """Change records in all other files that contain them; return the old ones."""
    if not records:
        return {}
    every = every_record(memory, file_names(memory))
    copies = {each: every[each] for each in records if each in every}
    for identity, found in copies.items():
        new = records[identity]
        change = partial(_new_record, new)
        rewrite_copies(memory, writer, found, change, besides=name)
    return copies


def _new_record(new: Record, _: Record) -> Record:
    return new


def _final_text(name: str, new: _NewText) -> str:
    """Return the text to write without the facts merged from changed records."""
    text = new.text
    if name == PRIMARY:
        for identity in new.records:
            text = without_merged(text, identity)
    return text


def _check_current(memory: MemoryFiles, name: str, data: bytes) -> None:
    """Raise Stale if the bytes of a file are not those that were read."""
    if encode(memory.text(name) or "") != data:
        raise _changed_meanwhile(memory, name)


def _replace(
    memory: MemoryFiles, name: str, loaded: LoadedMemoryFile, text: str, final: str
) -> str:
    """Return the final text of a file. Raises: Stale if a program without the lock has
    changed the old one.
    """
    if encode(text) != loaded.data:
        raise _changed_meanwhile(memory, name)
    return final


def _changed_meanwhile(memory: MemoryFiles, name: str) -> Stale:
    option = profile_option(memory)
    command = f"cuedeck memory read {quoted(name)}{option}"
    hint = f"`{command}` prints its text and its hash"
    return Stale(memory.path(name), "was changed by another program", hint)


def _hides_more(old: Mapping[str, Found], new: Mapping[str, Record]) -> bool:
    """Return whether a record becomes secret, so that no scene may show it."""
    return any(
        new[each].is_secret and not found.record.is_secret
        for each, found in old.items()
    )
