"""Memories of cortex-mem: their Markdown files, and the index `.memory_index.json` of
an owner.

A file has a heading with the key, the text, and a trailer: `**Confidence**`,
`**Added**` with a time, and sometimes a comment with a hash. The index adds id, type,
key, source sessions, times and a flag for archived memories.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from cuedeck.knowledge.cortex.memory_card import PLACES, MemoryKind
from cuedeck.knowledge.cortex.memory_time import utc_second
from cuedeck.text.json_text import string_of

_HEADING = re.compile(r"\A\s*# +(?P<key>[^\n]*\S)[ \t]*(?:\n|\Z)")
_TRAILERS = (
    re.compile(r"<!-- source-hash: [0-9a-fA-F]* -->"),
    re.compile(r"\*\*Added\*\*: *(?P<added>.*)"),
    re.compile(r"\*\*Confidence\*\*: *(?P<confidence>.*)"),
    re.compile(r"---"),
)
"""Last lines of a file, in any order."""
_HISTORY = re.compile(r"^## Superseded[ \t]*$", re.MULTILINE)


class IndexEntry(NamedTuple):
    """The entry of a memory in the index of its owner."""

    id: str
    file: str
    """Path of the file in the folder of the owner."""
    kind: MemoryKind | None
    key: str
    sessions: tuple[str, ...]
    created: str
    """RFC 3339 in UTC, to the second; empty if unknown."""
    updated: str
    confidence: str
    is_archived: bool


class MemoryIndex(NamedTuple):
    """A parsed index."""

    entries: Mapping[str, IndexEntry]
    """By file."""
    faults: tuple[str, ...]
    """Reasons why entries were skipped."""


class ForeignMemory(NamedTuple):
    """The content of a memory file."""

    key: str
    """Text of the heading; empty without one."""
    text: str
    added: str
    """RFC 3339 in UTC, to the second; empty if unknown."""
    confidence: str


def parse_memory_index(text: str) -> MemoryIndex:
    """Return the entries of `.memory_index.json`. Raises: ValueError for any other
    text.
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    rows = value.get("memories") if isinstance(value, dict) else None
    if not isinstance(rows, dict):
        raise ValueError("it has no object `memories`")
    entries: dict[str, IndexEntry] = {}
    faults = []
    for name in sorted(rows):
        row = rows[name]
        entry = _index_entry(name, row) if isinstance(row, dict) else None
        if entry is None:
            faults.append(f"`{name}` names no file")
        elif entry.file in entries:
            faults.append(f"`{name}` names the file of `{entries[entry.file].id}`")
        else:
            entries[entry.file] = entry
    return MemoryIndex(entries, tuple(faults))


def parse_memory_file(text: str) -> ForeignMemory:
    """Return the key and the text of a memory file, without its trailer and with Unix
    line ends.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    heading = _HEADING.match(text)
    key = heading["key"] if heading else ""
    body = text[heading.end() :] if heading else text
    found = {"added": "", "confidence": ""}
    body = body.rstrip()
    has_trailer = True
    while has_trailer:
        above, _, last = body.rpartition("\n")
        matches = [trailer.fullmatch(last.strip()) for trailer in _TRAILERS]
        has_trailer = any(matches)
        for match in filter(None, matches):
            found.update(match.groupdict())
            body = above.rstrip()
    # A card keeps its history below this heading.
    body = _HISTORY.sub("### Superseded", body)
    return ForeignMemory(
        key, body.strip("\n"), utc_second(found["added"]), found["confidence"]
    )


def kind_of_folder(category: str) -> MemoryKind | None:
    """Return the kind of the memories in a category, or None."""
    for kind, (_, folder) in PLACES.items():
        if folder == category:
            return kind
    return None


def _index_entry(name: str, row: dict[str, Any]) -> IndexEntry | None:
    file = row.get("file")
    if not isinstance(file, str) or not file:
        return None
    sessions = row.get("source_sessions")
    if not isinstance(sessions, list):
        sessions = []
    kinds = (kind for kind in PLACES if kind == row.get("memory_type"))
    confidence = row.get("confidence")
    return IndexEntry(
        id=string_of(row.get("id")) or name,
        file=file,
        kind=next(kinds, None),
        key=string_of(row.get("key")),
        sessions=tuple(each for each in sessions if isinstance(each, str) and each),
        created=utc_second(string_of(row.get("created_at"))),
        updated=utc_second(string_of(row.get("updated_at"))),
        confidence=f"{confidence:g}" if isinstance(confidence, (int, float)) else "",
        is_archived=row.get("archived") is True,
    )
