"""Metadata of a cortex session, kept in `.session.json` in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from cuedeck.model.cortex_address import CortexAddressError, parse_cortex_address

Status = Literal["active", "closed", "archived"]

STATUSES: tuple[Status, ...] = get_args(Status)
SCHEMA_VERSION = 1
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
    commits = [commit._asdict() for commit in metadata.commits]
    row: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "thread_id": metadata.thread_id,
        "status": metadata.status,
        "created_at": metadata.created_at,
        "updated_at": metadata.updated_at,
        "closed_at": metadata.closed_at or None,
        "message_count": metadata.message_count,
        "participants": list(metadata.participants),
        "tags": list(metadata.tags),
        "title": metadata.title or None,
        "description": metadata.description or None,
        "user_id": metadata.user_id or None,
        "agent_id": metadata.agent_id or None,
        "commits": commits,
        "last_seq": metadata.last_seq,
        "last_message": metadata.last_message or None,
        "uncommitted_days": list(metadata.uncommitted_days),
        "sources": dict(metadata.sources),
    }
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
    status = str(row.pop("status", "active")).lower()
    named = next((each for each in STATUSES if each == status), None)
    if named is None:
        raise ValueError(f"status must be one of {', '.join(STATUSES)}")
    row.pop("schema_version", None)
    return SessionMetadata(
        thread_id=_text(row, "thread_id"),
        created_at=_text(row, "created_at"),
        updated_at=_text(row, "updated_at"),
        status=named,
        closed_at=_text(row, "closed_at"),
        message_count=_number(row, "message_count"),
        participants=_texts(row, "participants"),
        tags=_texts(row, "tags"),
        title=_text(row, "title"),
        description=_text(row, "description"),
        user_id=_text(row, "user_id"),
        agent_id=_text(row, "agent_id"),
        original_id=_text(row, "original_id"),
        commits=_commits(row),
        last_seq=_number(row, "last_seq"),
        last_message=_address(_text(row, "last_message")),
        uncommitted_days=_days(row),
        sources=MappingProxyType(_sources(row)),
        rest=MappingProxyType(row),
    )


def _text(row: dict[str, Any], name: str) -> str:
    value = row.pop(name, None)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise ValueError(f"{name} must be a text")


def _texts(row: dict[str, Any], name: str) -> tuple[str, ...]:
    value = row.pop(name, None) or []
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise ValueError(f"{name} must be a list of texts")


def _number(row: dict[str, Any], name: str) -> int:
    value = row.pop(name, 0)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ValueError(f"{name} must be a number from 0")


def _sources(row: dict[str, Any]) -> dict[str, str]:
    value = row.pop("sources", None) or {}
    if not isinstance(value, dict):
        raise ValueError("sources must be an object")
    for each in value.values():
        if not isinstance(each, str):
            raise ValueError("sources must be an object of texts")
        _, _, address = each.partition(" ")
        _address(address)
    return value


def _days(row: dict[str, Any]) -> tuple[str, ...]:
    days = _texts(row, "uncommitted_days")
    for day in days:
        _address(f"session/x/timeline/{day}")
    return days


def _address(text: str) -> str:
    """Return a text that is empty or an address. Raises: ValueError."""
    if text:
        try:
            parse_cortex_address(text)
        except CortexAddressError as error:
            raise ValueError(error.message) from None
    return text


def _commits(row: dict[str, Any]) -> tuple[Commit, ...]:
    value = row.pop("commits", None) or []
    try:
        return tuple(
            Commit(
                _number(each, "seq"),
                _number(each, "messages"),
                _text(each, "time"),
                _number(each, "memories"),
            )
            for each in value
        )
    except (AttributeError, TypeError):
        raise ValueError("commits must be a list of objects") from None
