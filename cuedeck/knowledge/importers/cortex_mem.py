"""Reader of the files of cortex-mem and of its migration tool: messages, memories, and
the index `.memory_index.json` of an owner.

A memory file has a heading with the key, the text, and a trailer: `**Confidence**`,
`**Added**` with a time, and sometimes a comment with a hash. The index adds key, source
sessions and times.

The migration tool splits a daily log into paragraphs and writes each as a message with
front matter. It invents the times, so that their order is wrong from the 25th paragraph
on; the number at the end of the id is the order of the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from cuedeck.knowledge.cortex.cortex_sessions import owner_address
from cuedeck.knowledge.cortex.extract_memories import ExtractedMemory
from cuedeck.knowledge.cortex.memory_card import (
    UNKNOWN_TIME,
    MemoryKind,
    memory_key,
    memory_title,
)
from cuedeck.knowledge.cortex.message_file import (
    Message,
    parse_header,
    parse_message,
    read_role,
)
from cuedeck.model.formatting import abbreviate
from cuedeck.text.plain_text import string_of
from cuedeck.text.timestamps import format_moment, format_second, moment_of, utc_second

INDEX = ".memory_index.json"
_NUMBERED = re.compile(r"\d{8}_(?P<number>\d{4,9})")
_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
_HEADING = re.compile(r"\A\s*# +(?P<key>[^\n]*\S)[ \t]*(?:\n|\Z)")
_TRAILERS = (
    re.compile(r"<!-- source-hash: [0-9a-fA-F]* -->"),
    re.compile(r"\*\*Added\*\*: *(?P<added>.*)"),
    re.compile(r"\*\*Confidence\*\*:.*"),
    re.compile(r"---"),
)
"""Last lines of a file, in any order."""
_HISTORY = re.compile(r"^## Superseded[ \t]*$", re.MULTILINE)


def parse_foreign_message(text: str) -> Message:
    """Return the message in a file of cortex-mem or of its migration tool.

    Raises: ValueError with the line or the field that is wrong.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    is_migrated = text.startswith("---")
    message = _parse_migrated(text) if is_migrated else parse_message(text)
    if not _ID.fullmatch(message.id):
        raise ValueError("its id has characters other than letters, digits, - and _")
    if not message.content.strip():
        raise ValueError("it has no text")
    return message


def message_order(message: Message) -> tuple[str, int]:
    """Return the place of a message in the order of its session: its time, or its day
    and its number among the messages with invented times.
    """
    moment = format_moment(message.moment)
    numbered = _NUMBERED.fullmatch(message.id)
    return (moment[:10], int(numbered["number"])) if numbered else (moment, 0)


def _parse_migrated(text: str) -> Message:
    headed = parse_header(text)
    time = headed.text("timestamp")
    moment = moment_of(time)
    if moment is None:
        raise ValueError(f"timestamp must be RFC 3339, got `{abbreviate(time)}`")
    return Message(
        id=headed.text("id"),
        role=read_role(headed.text("role")),
        seq=0,
        time=format_second(moment),
        participants=(),
        content=headed.body.rstrip("\n"),
    )


def parse_memory_index(text: str) -> dict[str, Mapping[str, Any]]:
    """Return the entries of `.memory_index.json` by their files. Raises: ValueError for
    any other text.
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    rows = value.get("memories") if isinstance(value, dict) else None
    if not isinstance(rows, dict):
        raise ValueError("it has no object `memories`")
    entries: dict[str, Mapping[str, Any]] = {}
    for name in sorted(rows):
        row = rows[name]
        file = string_of(row.get("file")) if isinstance(row, dict) else ""
        if file:
            entries.setdefault(file, {"id": name, **row})
    return entries


def parse_memory(
    text: str, stem: str, kind: MemoryKind, entry: Mapping[str, Any]
) -> ExtractedMemory:
    """Return the memory in a file with the entry of its index, which may be empty.

    `stem` is the name of the file. The text has no trailer and Unix line ends. Raises:
    ValueError for a file without text.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    heading = _HEADING.match(text)
    body = text[heading.end() :] if heading else text
    body, added = _without_trailer(body.rstrip())
    # A card keeps its history below this heading.
    body = _HISTORY.sub("### Superseded", body).strip("\n")
    if not body:
        raise ValueError("it has no text")
    key, title = stem, stem
    for name in (string_of(entry.get("key")), heading["key"] if heading else "", stem):
        if memory_key(name):
            key, title = memory_key(name), memory_title(name)
            break
    times = (
        string_of(entry.get("updated_at")),
        added,
        string_of(entry.get("created_at")),
    )
    return ExtractedMemory(
        kind=kind,
        key=key,
        title=title,
        text=body,
        sources=_sources(entry.get("source_sessions")),
        time=next(filter(None, map(utc_second, times)), UNKNOWN_TIME),
    )


def _without_trailer(body: str) -> tuple[str, str]:
    """Return a text without its trailer, and the time in it."""
    added = ""
    while True:
        above, _, last = body.rpartition("\n")
        matches = filter(None, (each.fullmatch(last.strip()) for each in _TRAILERS))
        found = next(matches, None)
        if found is None:
            return body, added
        added = found.groupdict().get("added", added)
        body = above.rstrip()


def _sources(sessions: object) -> tuple[str, ...]:
    if not isinstance(sessions, list):
        return ()
    names = [name for name in sessions if isinstance(name, str) and name]
    return tuple(owner_address("session", name).text for name in names)
