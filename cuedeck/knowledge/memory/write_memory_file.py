"""Replacement of the text of a memory file by an edited one.

The caller names the version that it has read. A record that the new text changes is
changed in every file that contains it, and the named file is written last: after a
crash it is still the version that was read, and the same call can be repeated.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.memory.edit_record import rewrite_copies
from cuedeck.knowledge.memory.memory_file_text import restore_text
from cuedeck.knowledge.memory.read_memory_file import (
    NO_FILE,
    LoadedMemoryFile,
    hash_of,
    is_record_file,
    load_memory_file,
    parse_memory_file,
    profile_option,
)
from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.ledger.entry_files import decode, encode
from cuedeck.ledger.records.memory_files import PRIMARY, UNDO, memory_of
from cuedeck.ledger.records.merged_text import without_merged
from cuedeck.ledger.records.record_file import parse_records, without_records
from cuedeck.ledger.records.record_file_edit import changed_records
from cuedeck.ledger.records.record_lookup import every_record, file_names
from cuedeck.model.errors import Invalid, Stale
from cuedeck.model.formatting import quoted
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import names_in

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.memory_record import Record
    from cuedeck.model.ports import Json
    from cuedeck.parse.secrets.mask import Find


_KEPT = 5
"""Number of backups of one file."""


class _NewText(NamedTuple):
    """The checked text of a file."""

    text: str
    records: Mapping[str, Record]
    """The changed records by id."""
    masked: int
    """Number of new secrets that were masked."""


def write_memory_file(
    workspace: Workspace, file: str, given: str, known: str, profile: str = ""
) -> Json:
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
    with memory.writing():
        loaded = load_memory_file(
            workspace.masking_rules, workspace.find_secrets, memory, name
        )
        if loaded.hash != known:
            _check_same(memory, name, loaded, given)
            remake_scenes(workspace)  # an interrupted call may not have done it
            return _answer(path, loaded.hash)
        new = _new_text(
            workspace.find_secrets,
            memory,
            name,
            loaded,
            given,
        )
        if encode(new.text) == loaded.data:
            return _answer(path, loaded.hash)
        _check_size(path, len(encode(new.text)))
        backup = ""
        if loaded.hash != NO_FILE:
            backup = memory.path(_keep_backup(memory, name, loaded))
        every = every_record(memory, file_names(memory)) if new.records else {}
        copies = {each: every[each] for each in new.records if each in every}
        for found in copies.values():
            rewrite_copies(
                memory, found, lambda record: new.records[record.id], besides=name
            )
        final = new.text
        if name == PRIMARY:
            for identity in new.records:
                final = without_merged(final, identity)
        memory.rewrite(
            name,
            lambda text: _replace(
                memory,
                name,
                loaded,
                text,
                final,
            ),
        )
    becomes_secret = any(
        new.records[each].is_secret and not found.record.is_secret
        for each, found in copies.items()
    )
    if becomes_secret:  # no scene may show it
        remake_scenes(workspace)
    written = hash_of(encode(final), workspace.masking_rules)
    return _answer(path, written, backup, new)


def _answer(
    path: str, identity: str, backup: str = "", new: _NewText | None = None
) -> Json:
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


def _keep_backup(memory: MemoryFiles, name: str, loaded: LoadedMemoryFile) -> str:
    """Write a version of a file to `memory/undo/`, named after the file and its hash,
    and remove all but the newest versions; return its name.
    """
    stem = posixpath.basename(name).removesuffix(".md")
    backup = f"{UNDO}/{stem}-{loaded.hash}.md"
    memory.write(backup, loaded.data)
    pattern = re.compile(rf"{re.escape(stem)}-[0-9a-f]{{16}}\.md")
    dated = []
    for each in filter(pattern.fullmatch, names_in(memory.place(UNDO))):
        other = f"{UNDO}/{each}"
        found = memory.print(other)
        if other != backup and found is not None:
            dated.append((found.mtime_ns, other))
    for _, other in sorted(dated)[: max(0, len(dated) - _KEPT + 1)]:
        memory.remove(other)
    return backup


def _new_text(
    find_secrets: Find,
    memory: MemoryFiles,
    name: str,
    loaded: LoadedMemoryFile,
    given: str,
) -> _NewText:
    try:
        restored = restore_text(loaded.shown, given, find_secrets)
        records: Mapping[str, Record] = {}
        if is_record_file(memory, name):
            gone = memory.forgotten()
            old = without_records(parse_records(decode(loaded.data)), gone)
            new = without_records(parse_records(restored.text), gone)
            records = changed_records(old, new)
    except Invalid as error:
        raise error.in_file(memory.path(name)) from None
    return _NewText(restored.text, records, restored.masked)


def _replace(
    memory: MemoryFiles, name: str, loaded: LoadedMemoryFile, text: str, final: str
) -> str:
    """Return the final text of a file. Raises: Stale if a program without the lock has
    changed the old one.
    """
    if encode(text) != loaded.data:
        option = profile_option(memory)
        command = f"cuedeck memory read {quoted(name)}{option}"
        hint = f"`{command}` prints its text and its hash"
        raise Stale(memory.path(name), "was changed by another program", hint)
    return final
