"""Reading of a memory file: its masked lines, and the hash that a write must name."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.memory.memory_file_text import ShownText, show_text
from cuedeck.ledger.entry_files import decode
from cuedeck.ledger.records.memory_files import (
    FOLDER,
    PRIMARY,
    USER,
    daily,
    is_day,
    memory_of,
)
from cuedeck.ledger.records.merged_text import lines_without
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.ledger.records.record_file_edit import hidden_lines
from cuedeck.model.address import LineRange, format_lines, parse_lines, split_anchor
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.formatting import counted, quoted
from cuedeck.model.paths import OWN

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json
    from cuedeck.parse.secrets.mask import Find


_LOG = re.compile(r"(?:memory/)?(\d{4}-\d{2}-\d{2})(?:\.md)?")


class MemoryFileAddress(NamedTuple):
    """A memory file, or some of its lines."""

    name: str
    """Name of the file relative to the root of its profile."""
    lines: LineRange | None
    """None for the whole file."""


def parse_memory_address(memory: MemoryFiles, text: str) -> MemoryFileAddress:
    """Parse `FILE` or `FILE#L3-L9`; a file is named by its name, its path, or the day
    of a log. An empty text means MEMORY.md.

    Raises: Invalid for another file, an impossible date, or another anchor.
    """
    path, anchor = _split_name(memory, text)
    lines = parse_lines(anchor) if anchor else None
    if anchor and (lines is None or lines.start < 1):
        raise Invalid(
            f"`#{anchor}` is not a range of lines", hint="write it like #L3-L9"
        )
    root = f"{memory.profile.root}/" if memory.profile.root else ""
    return MemoryFileAddress(
        _file_name(memory, path.removeprefix(root) or PRIMARY), lines
    )


def _split_name(memory: MemoryFiles, text: str) -> tuple[str, str]:
    """Split `FILE#L3-L9` into the file and the anchor."""
    splits = possible_splits(text)
    if len(splits) > 1:  # most texts need no list of the notes
        root = f"{memory.profile.root}/" if memory.profile.root else ""
        notes = memory.notes()
        for name, anchor in splits:
            if name.removeprefix(root) in notes:
                return name, anchor
    return splits[-1]


def possible_splits(text: str) -> list[tuple[str, str]]:
    """Return the ways to split `FILE#ANCHOR` into the file and the anchor, the longest
    file name first and the usual split last; the name of a note may contain `#`, too.
    """
    splits = []
    if "#" in text and text.lower().endswith(".md"):
        splits.append((text, ""))
    if text.count("#") > 1:
        name, _, anchor = text.rpartition("#")
        splits.append((name, anchor))
    splits.append(split_anchor(text))
    return splits


def parse_memory_file(memory: MemoryFiles, text: str) -> str:
    """Return the name of a memory file. Raises: Invalid, as `parse_memory_address`, and
    for an empty text or a range of lines.
    """
    if not text:
        raise Invalid("no file is named", hint="name one, such as MEMORY.md")
    name, lines = parse_memory_address(memory, text)
    if lines is not None:
        raise Invalid(
            f"`{text}` is a part of a file",
            hint="only whole files can be read and written with a hash; omit the lines",
        )
    return name


def _file_name(memory: MemoryFiles, name: str) -> str:
    if name in fixed_names(memory) or name in memory.notes():
        return name
    log = _LOG.fullmatch(name)
    if log is None:
        names = ", ".join(fixed_names(memory))
        raise Invalid(
            f"`{name}` is not a memory file",
            hint=f"the memory files are {names} and memory/YYYY-MM-DD.md",
        )
    if not is_day(log[1]):
        raise Invalid(
            f"`{log[1]}` is not a date",
            hint="`cuedeck memory list --in daily` lists the records of the logs",
        )
    return daily(log[1])


def memory_file_at(workspace: Workspace, path: str) -> tuple[MemoryFiles, str] | None:
    """Return the memory and the name of the memory file at a workspace-relative path;
    None for another path.

    Raises: Invalid for a log with an impossible date, ConfigurationError.
    """
    is_own = path.startswith(f"{OWN.root}/")
    for profile in (OWN,) if is_own else workspace.settings.profile:
        root = f"{profile.root}/" if profile.root else ""
        name = path.removeprefix(root)
        if root and name == path:
            continue
        settings = workspace.settings.memory
        is_fixed = name in (PRIMARY, USER, settings.long_memory, settings.archive)
        is_below = name.startswith(f"{FOLDER}/")
        if not name.lower().endswith(".md") or not (is_fixed or is_below):
            continue
        memory = memory_of(workspace, profile.id)
        if is_fixed or _LOG.fullmatch(name) or name in memory.notes():
            return memory, _file_name(memory, name)
    return None


def daily_logs(memory: MemoryFiles) -> list[dict[str, str]]:
    """Return the daily logs of a memory, the newest first: `name`, `path` in the
    memory, and `address` in the workspace.
    """
    rows: list[dict[str, str]] = []
    for day in reversed(memory.days()):
        path = daily(day)
        address = memory.path(path)
        rows.append({"name": f"{day}.md", "path": path, "address": address})
    return rows


def fixed_names(memory: MemoryFiles) -> tuple[str, ...]:
    """Return the names of the memory files other than the daily logs."""
    names = (PRIMARY, memory.long_memory, USER, memory.archive)
    return tuple(filter(None, names))


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
    masking_rules: str, find_secrets: Find, memory: MemoryFiles, name: str
) -> LoadedMemoryFile:
    """Return a memory file with its masked lines; an empty text if it is missing.

    Raises: StorageError, also for a symbolic link.
    """
    data = memory.data(name)
    rules = masking_rules
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
    shown = show_text(text, hidden, find_secrets)
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


def read_named_file(workspace: Workspace, text: str, profile: str = "") -> Json:
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
    loaded = load_memory_file(
        workspace.masking_rules, workspace.find_secrets, memory, name
    )
    whole = loaded.shown.text(1, loaded.shown.count)
    return {"path": name, "text": whole, "hash": loaded.hash}


def read_memory_file(
    workspace: Workspace, memory: MemoryFiles, name: str, lines: LineRange | None = None
) -> Json:
    """Return the masked text of a memory file or of some of its lines, and its hash.

    Records with the sensitivity `secret` and forgotten records are placeholder lines.
    Raises: NotFound for a missing file or line, StorageError.
    """
    loaded = load_memory_file(
        workspace.masking_rules, workspace.find_secrets, memory, name
    )
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
