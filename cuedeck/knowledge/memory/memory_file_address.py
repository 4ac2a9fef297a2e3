"""Names and addresses of the memory files that can be read and written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.memory_files import FOLDER, PRIMARY, USER, daily, is_day
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.address import LineRange, parse_lines, split_anchor
from cuedeck.model.errors import Invalid
from cuedeck.model.profile import OWN

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

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
        is_fixed = _is_fixed(workspace, name)
        is_below = name.startswith(f"{FOLDER}/")
        if not name.lower().endswith(".md") or not (is_fixed or is_below):
            continue
        memory = memory_of(workspace, profile.id)
        if is_fixed or _LOG.fullmatch(name) or name in memory.notes():
            return memory, _file_name(memory, name)
    return None


def daily_logs(workspace: Workspace, profile: str = "") -> list[dict[str, str]]:
    """Return the daily logs of a profile, the newest first: `name`, `path` in the
    profile, and `address` in the workspace. Raises: NotFound, ConfigurationError.
    """
    memory = memory_of(workspace, profile)
    rows: list[dict[str, str]] = []
    for day in reversed(memory.days()):
        path = daily(day)
        address = memory.path(path)
        rows.append({"name": f"{day}.md", "path": path, "address": address})
    return rows


def _is_fixed(workspace: Workspace, name: str) -> bool:
    settings = workspace.settings.memory
    return name in (PRIMARY, USER, settings.long_memory, settings.archive)


def fixed_names(memory: MemoryFiles) -> tuple[str, ...]:
    """Return the names of the memory files other than the daily logs."""
    names = (PRIMARY, memory.long_memory, USER, memory.archive)
    return tuple(filter(None, names))
