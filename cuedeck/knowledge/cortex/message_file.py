"""Messages of a timeline: one Markdown file for each message.

A message of CueDeck has a header with id, role, seq, time, participants and, if it has
any, metadata; its body is the text of the message, byte for byte. `seq` is the order of
the messages in a session: the clock may go backwards, and times may be in several
zones. The folder and the name of the file contain the time in UTC.

`parse_message` also reads the messages of cortex-mem, which have no header: a heading
with the role, lines `**ID**` and `**Timestamp**`, then the section `## Content`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from cuedeck.model.formatting import abbreviate
from cuedeck.text.timestamps import moment_of

Role = Literal["user", "assistant", "system"]

ROLES: tuple[Role, ...] = get_args(Role)
ID_LENGTH = 8
"""Hex digits of a message id."""
_FOREIGN_HEADING = re.compile(
    r"#\s+\S+\s+(?P<role>User|Assistant|System)\s*\n(?P<head>.*?)\n## Content\n\n?",
    re.DOTALL,
)
_FOREIGN_ID = re.compile(r"^\*\*ID\*\*: `([^`\n]+)`", re.MULTILINE)
_FOREIGN_TIME = re.compile(
    r"^\*\*Timestamp\*\*: (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC", re.MULTILINE
)
_FOREIGN_METADATA = re.compile(
    r"(?<!\n)\n+## Metadata\n+```json\n(\{[^`]*\})\s*```\s*\Z"
)
"""Begins at the first newline of several, so that a search is linear."""


class Message(NamedTuple):
    """One message of a session."""

    id: str
    role: Role
    seq: int
    """1-based number in the session; 0 in a message of cortex-mem."""
    time: str
    """RFC 3339 with a zone."""
    participants: tuple[str, ...]
    content: str
    body_line: int = 0
    """1-based line of the file in which the content begins; 0 if it was not read from a
    file.
    """
    metadata: Mapping[str, Any] = MappingProxyType({})
    """Values that the caller gave, such as tags and importance; JSON."""

    @property
    def moment(self) -> datetime:
        """Time in UTC."""
        found = moment_of(self.time)
        assert found is not None  # both parsers check it
        return found


def message_digest(session: str, seq: int, role: str, content: str) -> str:
    """Return the sha256 (hex) of which the first digits are the id of a message."""
    from hashlib import sha256  # it costs a hook more than the rest of this module

    text = "\0".join((session, str(seq), role, content))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def timeline_names(moment: datetime, identity: str) -> tuple[str, str, str]:
    """Return the names of month, day and file of a message; all are in UTC."""
    there = moment.astimezone(UTC)
    month = f"{there.year:04d}-{there.month:02d}"
    clock = f"{there.hour:02d}_{there.minute:02d}_{there.second:02d}"
    return month, f"{there.day:02d}", f"{clock}_{identity}.md"


def format_message(message: Message) -> str:
    """Return the text of the file of a message."""
    fields: list[tuple[str, HeaderValue]] = [
        ("id", message.id),
        ("role", message.role),
        ("seq", message.seq),
        ("time", message.time),
        ("participants", list(message.participants)),
    ]
    if message.metadata:
        fields.append(("metadata", dict(message.metadata)))
    return format_header(fields) + message.content


def parse_message(text: str) -> Message:
    """Return the message in the text of a file, of CueDeck or of cortex-mem.

    Raises: ValueError with the line or the field that is wrong.
    """
    if text.startswith("# "):
        return _parse_foreign(text)
    headed = parse_header(text)
    role = read_role(headed.text("role"))
    time = headed.text("time")
    if moment_of(time) is None:
        raise ValueError(f"time must be RFC 3339, got `{abbreviate(time)}`")
    seq, metadata = headed.fields.get("seq"), headed.fields.get("metadata")
    if not isinstance(seq, int) or seq < 1:
        raise ValueError("seq must be a number from 1")
    identity = headed.text("id")
    if not identity:
        raise ValueError("id is missing")
    return Message(
        id=identity,
        role=role,
        seq=seq,
        time=time,
        participants=headed.texts("participants"),
        content=headed.body,
        body_line=headed.body_line,
        metadata=metadata if isinstance(metadata, dict) else {},
    )


def read_role(text: str) -> Role:
    """Return the role that a text names. Raises: ValueError."""
    for role in ROLES:
        if text == role:
            return role
    raise ValueError(
        f"role must be one of {', '.join(ROLES)}, got `{abbreviate(text)}`"
    )


def _parse_foreign(text: str) -> Message:
    heading = _FOREIGN_HEADING.match(text)
    if heading is None:
        raise ValueError("line 1: neither a header nor a message of cortex-mem")
    identity = _FOREIGN_ID.search(heading["head"])
    time = _FOREIGN_TIME.search(heading["head"])
    if identity is None or time is None:
        raise ValueError("the lines **ID** and **Timestamp** are missing")
    stamp = f"{time[1]}T{time[2]}Z"
    if moment_of(stamp) is None:
        raise ValueError(f"`{stamp}` is not a time")
    end = len(text)
    metadata: dict[str, Any] = {}
    section = _FOREIGN_METADATA.search(text, heading.end())
    if section is not None:
        with suppress(ValueError, RecursionError):  # else it is part of the text
            metadata = json.loads(section[1])
            end = section.start()
    return Message(
        id=identity[1],
        role=read_role(heading["role"].lower()),
        seq=0,
        time=stamp,
        participants=(),
        content=text[heading.end() : end].rstrip("\n"),
        body_line=text.count("\n", 0, heading.end()) + 1,
        metadata=metadata,
    )


_HEADER = re.compile(r"---\r?\n(?P<rows>(?:[^\n]*\n){0,100}?)---\r?(?:\n(?:\r?\n)?|\Z)")
"""A header, with one empty line after it."""
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_PLAIN = re.compile(r"[a-zA-Z][\w ./+-]*|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)")
"""Values that need no quotes: YAML reads them as the same text."""
_KEYWORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))

HeaderValue = str | int | list[str] | dict[str, Any]


class HeadedText(NamedTuple):
    """A text with a parsed header."""

    fields: Mapping[str, HeaderValue]
    body: str
    body_line: int
    """1-based line number of the first line of the body."""

    def text(self, key: str) -> str:
        """Return a field as text; empty if it is missing. Raises: ValueError for a list
        or an object.
        """
        value = self.fields.get(key, "")
        if isinstance(value, list | dict):
            raise ValueError(f"{key} must be a text, not a list or an object")
        return str(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a field as a list; a text is a list of one item."""
        value = self.fields.get(key, [])
        return tuple(map(str, value if isinstance(value, list) else [value]))


def parse_header(text: str) -> HeadedText:
    """Split a text into the fields of its header and its body.

    Raises: ValueError with the line if the header is missing or invalid.
    """
    found = _HEADER.match(text)
    if found is None:
        raise ValueError("line 1: a header begins with --- and ends with a line ---")
    fields: dict[str, HeaderValue] = {}
    for number, line in enumerate(found["rows"].split("\n")[:-1], 2):
        key, mark, value = line.partition(":")
        if not mark or not _KEY.fullmatch(key):
            raise ValueError(f"line {number}: expected `key: value`")
        fields[key] = _parse_value(value.strip())
    line = text.count("\n", 0, found.end()) + 1
    return HeadedText(fields, text[found.end() :], line)


def format_header(fields: Iterable[tuple[str, HeaderValue]]) -> str:
    """Return the lines of a header, with an empty line after it."""
    lines = [f"{key}: {_format_value(value)}" for key, value in fields]
    return "\n".join(("---", *lines, "---", "", ""))


def _parse_value(text: str) -> HeaderValue:
    if text.isascii() and text.isdigit():
        return int(text[:18])
    if text.startswith(('"', "[", "{")):
        with suppress(ValueError, RecursionError):
            value: HeaderValue = json.loads(text)
            return value
    if text.startswith("[") and text.endswith("]"):  # a plain YAML list: [ana, ben]
        return [item.strip(" \"'") for item in text[1:-1].split(",")]
    return text


def _format_value(value: HeaderValue) -> str:
    if isinstance(value, int):
        return str(value)
    is_plain = isinstance(value, str) and _PLAIN.fullmatch(value)
    if is_plain and value == str(value).strip() and value not in _KEYWORDS:
        return str(value)
    return json.dumps(value, ensure_ascii=False)
