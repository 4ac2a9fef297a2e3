"""Reading of a memory file: its masked lines, and the hash that a write must name."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.knowledge.memory.memory_file_address import (
    parse_memory_address,
    parse_memory_file,
)
from cuedeck.knowledge.memory.memory_file_text import ShownText, show_text
from cuedeck.ledger.entry_files import decode
from cuedeck.ledger.records.memory_files import USER
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.merged_text import lines_without
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.ledger.records.record_file_edit import hidden_lines
from cuedeck.model.address import LineRange, format_lines
from cuedeck.model.errors import NotFound
from cuedeck.model.formatting import counted, quoted
from cuedeck.model.profile import OWN

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

NO_FILE = "none"
"""The hash of a missing file."""
_HASH_LENGTH = 16


class LoadedMemoryFile(NamedTuple):
    """A memory file as it is on disk and as it is shown."""

    data: bytes
    hash: str
    """`NO_FILE` if the file is missing."""
    shown: ShownText


def load_memory_file(
    workspace: Workspace, memory: MemoryFiles, name: str
) -> LoadedMemoryFile:
    """Return a memory file with its masked lines; an empty text if it is missing.

    Raises: StorageError, also for a symbolic link.
    """
    data = memory.data(name)
    rules = workspace.masking_rules
    identity = NO_FILE if data is None else hash_of(data, rules)
    data = data or b""
    forgotten = memory.forgotten()
    text = decode(data)
    hidden: dict[int, str] = {}
    if is_record_file(memory, name):
        hidden = hidden_lines(parse_records(text), forgotten)
    elif name == memory.long_memory:
        lines = lines_without(text, forgotten)
        hidden = dict.fromkeys(lines, "forgotten-record")
    shown = show_text(text, hidden, workspace.find_secrets)
    return LoadedMemoryFile(data, identity, shown)


def hash_of(data: bytes, rules: str) -> str:
    """Return the hash that identifies a version of a memory file.

    `rules` are those of secrets: with others, a placeholder would hide another text.
    """
    digest = hashlib.sha256(data)
    digest.update(rules.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:_HASH_LENGTH]


def is_record_file(memory: MemoryFiles, name: str) -> bool:
    """Return whether the lines of a memory file are records: MEMORY.md, a daily log,
    the archive.
    """
    return name not in (USER, memory.long_memory)


def read_named_file(
    workspace: Workspace, text: str, profile: str = ""
) -> dict[str, Any]:
    """Return the result of `read_memory_file` for `FILE` or `FILE#L3-L9` of a profile.

    Raises: its errors, and those of `parse_memory_address` and `memory_of`.
    """
    memory = memory_of(workspace, profile)
    return read_memory_file(workspace, memory, *parse_memory_address(memory, text))


def read_whole_file(
    workspace: Workspace, text: str, profile: str = ""
) -> dict[str, str]:
    """Return the name, the masked text and the hash of a memory file of a profile; an
    empty text and `NO_FILE` if it is missing.

    Raises: NotFound for an unknown profile, Invalid, ConfigurationError, StorageError.
    """
    memory = memory_of(workspace, profile)
    name = parse_memory_file(memory, text)
    loaded = load_memory_file(workspace, memory, name)
    whole = loaded.shown.text(1, loaded.shown.count)
    return {"path": name, "text": whole, "hash": loaded.hash}


def read_memory_file(
    workspace: Workspace, memory: MemoryFiles, name: str, lines: LineRange | None = None
) -> dict[str, Any]:
    """Return the masked text of a memory file or of some of its lines, and its hash.

    Records with the sensitivity `secret` and forgotten records are placeholder lines.
    Raises: NotFound for a missing file or line, StorageError.
    """
    loaded = load_memory_file(workspace, memory, name)
    path = memory.path(name)
    if loaded.hash == NO_FILE:
        option = profile_option(memory)
        command = f"cuedeck memory write {quoted(name)} --if-hash none{option}"
        raise NotFound(f"`{path}` does not exist", hint=f"`{command}` creates it")
    count = loaded.shown.count
    start, end = _range(lines, count, path)
    text = loaded.shown.text(start, end)
    return {
        "address": f"{path}#{format_lines(start, end)}" if lines else path,
        "path": path,
        "kind": "memory",
        "lines": [start, end],
        "total_lines": count,
        "hash": loaded.hash,
        "hidden": loaded.shown.hidden,
        "text": text,
    }


def _range(lines: LineRange | None, count: int, path: str) -> tuple[int, int]:
    """Return the first and the last line to show. Raises: NotFound."""
    if lines is None:
        return min(1, count), count
    end = min(lines.end or count, count)
    if lines.start > count or end < lines.start:
        problem = f"`{path}` has {counted(count, 'line')}"
        hint = f"give lines between L1 and L{count}" if count else "it is empty"
        raise NotFound(
            f"{problem}, not {format_lines(lines.start, lines.end)}", hint=hint
        )
    return lines.start, end


def profile_option(memory: MemoryFiles) -> str:
    """Return the option that selects the profile of a memory on the command line."""
    return "" if memory.profile == OWN else f" --profile {memory.profile.id}"
