"""Metadata of a cortex session, kept in `.session.json` in its folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from cuedeck.model.cortex_address import CortexAddressError, parse_cortex_address
from cuedeck.model.ports import Json

Value = TypeVar("Value")
Status = Literal["active", "closed", "archived"]

STATUSES: tuple[Status, ...] = get_args(Status)
SCHEMA_VERSION = 1
_TEXTS = """
    thread_id created_at updated_at closed_at title description user_id agent_id
    original_id last_message
"""
_ALWAYS = ("thread_id", "created_at", "updated_at")
_ORDER = """
    thread_id status created_at updated_at closed_at message_count participants tags
    title description user_id agent_id commits last_seq last_message uncommitted_days
    sources
"""
_LISTS = ("participants", "tags", "uncommitted_days")
_NUMBERS = ("message_count", "last_seq")
MAX_SOURCES = 64
"""Number of agent sessions whose last message is remembered."""


class Commit(NamedTuple):
    """A commit: messages up to `seq` were read for memories.

    It contains no time of the commit itself, so that a repeated commit changes nothing.
    """

    seq: int
    messages: int
    """Messages since the commit before."""
    time: str
    """Time of its latest message, RFC 3339 in UTC."""
    memories: int
    """Memories that its messages state."""


@dataclass(frozen=True, slots=True)
class SessionMetadata:
    """State of a cortex session; times are RFC 3339 in UTC."""

    thread_id: str
    """Name of its folder."""
    created_at: str
    updated_at: str
    status: Status = "active"
    closed_at: str = ""
    message_count: int = 0
    participants: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    title: str = ""
    description: str = ""
    user_id: str = ""
    agent_id: str = ""
    original_id: str = ""
    """The id as given if `thread_id` is a hash of it."""
    commits: tuple[Commit, ...] = ()
    last_seq: int = 0
    last_message: str = ""
    """Address of the message `last_seq`. It is written before the message, so the
    message is missing if the process died in between.
    """
    uncommitted_days: tuple[str, ...] = ()
    """Days (`2026-11/22`) with messages since the last commit."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Mark of the last message of each agent session, the latest last; a message with
    the same mark is a repetition.
    """
    rest: Mapping[str, Any] = field(default_factory=dict)
    """Unknown keys of the file, preserved on rewrite."""

    @property
    def committed_seq(self) -> int:
        """Number of the last message that a commit has read; 0 for none."""
        if self.commits:
            return self.commits[-1].seq
        return 0


def with_source(metadata: SessionMetadata, key: str, mark: str) -> SessionMetadata:
    """Return the metadata with the mark of the last message of an agent session."""
    sources = {each: old for each, old in metadata.sources.items() if each != key}
    sources[key] = mark
    newest = list(sources.items())[-MAX_SOURCES:]
    return replace(metadata, sources=MappingProxyType(dict(newest)))


def format_session_metadata(metadata: SessionMetadata) -> bytes:
    """Return the JSON of the metadata; empty texts are null."""
    row: Json = {"schema_version": SCHEMA_VERSION}
    for name in _ORDER.split():
        row[name] = getattr(metadata, name)
        if name in _TEXTS.split() and name not in _ALWAYS:
            row[name] = row[name] or None
    row["commits"] = [commit._asdict() for commit in metadata.commits]
    row["sources"] = dict(metadata.sources)
    if metadata.original_id:
        row["original_id"] = metadata.original_id
    row.update(metadata.rest)
    text = json.dumps(row, ensure_ascii=False, indent=2)
    return f"{text}\n".encode("utf-8", "replace")


def parse_session_metadata(data: bytes) -> SessionMetadata:
    """Return the metadata in the bytes of `.session.json`, of CueDeck or of cortex-mem.

    Raises: ValueError for anything else.
    """
    try:
        row = json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(row, dict):
        raise ValueError("it is not a JSON object")
    row.pop("schema_version", None)
    found: Json = {}
    found["status"] = str(row.pop("status", "active")).lower()
    if found["status"] not in STATUSES:
        raise ValueError(f"status must be one of {', '.join(STATUSES)}")
    for name in _TEXTS.split():
        found[name] = _value(row, name, str, "a text")
    for name in _LISTS:
        found[name] = tuple(_value(row, name, list, "a list of texts"))
        _check_texts(name, found[name])
    for name in _NUMBERS:
        found[name] = _value(row, name, int, "a number from 0")
    sources = _value(row, "sources", dict, "an object")
    _check_texts("sources", sources.values())
    rows = _value(row, "commits", list, "a list of objects")
    found["commits"] = tuple(map(_commit, rows))
    addresses = [mark.partition(" ")[2] for mark in sources.values()]
    days = [f"session/x/timeline/{day}" for day in found["uncommitted_days"]]
    for text in filter(None, (found["last_message"], *addresses, *days)):
        try:
            parse_cortex_address(text)
        except CortexAddressError as error:
            raise ValueError(error.message) from None
    return SessionMetadata(
        **found,
        sources=MappingProxyType(sources),
        rest=MappingProxyType(row),
    )


def _value(row: Json, name: str, kind: type[Value], wanted: str) -> Value:
    """Remove a value of a type; an empty one if it is missing or null. Raises:
    ValueError.
    """
    value = row.pop(name, None)
    if value is None:
        return kind()
    if type(value) is not kind or (isinstance(value, int) and value < 0):
        raise ValueError(f"{name} must be {wanted}")
    return value


def _check_texts(name: str, values: Iterable[object]) -> None:
    if not all(isinstance(each, str) for each in values):
        raise ValueError(f"{name} must contain texts")


def _commit(value: object) -> Commit:
    row = dict(value) if isinstance(value, dict) else {"seq": "none"}
    numbers = (
        _value(row, name, int, "a number from 0")
        for name in ("seq", "messages", "memories")
    )
    seq, messages, memories = numbers
    return Commit(seq, messages, _value(row, "time", str, "a text"), memories)
