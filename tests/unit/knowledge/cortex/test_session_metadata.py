"""Metadata of a session are written in full and read back, also those of cortex-mem."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cuedeck.knowledge.cortex.session_metadata import (
    MAX_SOURCES,
    Commit,
    SessionMetadata,
    format_session_metadata,
    parse_session_metadata,
    with_source,
)

FULL = SessionMetadata(
    thread_id="s1",
    created_at="2026-11-22T09:00:00Z",
    updated_at="2026-11-22T10:00:00Z",
    status="archived",
    closed_at="2026-11-22T10:00:00Z",
    message_count=2,
    participants=("user/ana", "agent/default"),
    tags=("auth",),
    title="Fix login",
    description="…",
    user_id="ana",
    agent_id="default",
    original_id="../../x",
    commits=(Commit(2, 2, "2026-11-22T09:30:00Z", 1),),
    last_seq=2,
    last_message="cortex://session/s1/timeline/2026-11/22/09_15_00_1a2b3c4d.md",
    uncommitted_days=("2026-11/22",),
    sources={"claude/1": "mark cortex://session/s1/timeline"},
    rest={"colour": "blue"},
)


@pytest.mark.parametrize(
    "metadata", [FULL, SessionMetadata("s1", "2026-11-22T09:00:00Z", "")]
)
def test_metadata_are_read_back(metadata: SessionMetadata) -> None:
    data = format_session_metadata(metadata)
    assert parse_session_metadata(data) == metadata
    assert format_session_metadata(parse_session_metadata(data)) == data


def test_the_file_has_all_fields_of_the_format() -> None:
    row = json.loads(format_session_metadata(SessionMetadata("s1", "now", "now")))
    assert list(row)[:16] == [
        "schema_version", "thread_id", "status", "created_at", "updated_at", "closed_at",
        "message_count", "participants", "tags", "title", "description", "user_id",
        "agent_id", "commits", "last_seq", "last_message",
    ]  # fmt: skip
    assert (row["status"], row["closed_at"], row["title"]) == ("active", None, None)


def test_metadata_of_cortex_mem_are_read() -> None:
    data = b"""{"thread_id":"s1","status":"Active","created_at":"2026-04-01T10:00:00.1Z",
    "updated_at":"2026-04-01T10:00:00.1Z","closed_at":null,"message_count":0,
    "participants":[],"tags":[],"title":null,"description":null,"user_id":null,
    "agent_id":null}"""
    found = parse_session_metadata(data)
    assert (found.thread_id, found.status, found.commits) == ("s1", "active", ())


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"status": "gone"}', b'{"tags": "x"}',
        b'{"tags": [1]}', b'{"message_count": -1}', b'{"message_count": true}',
        b'{"title": 7}', b'{"last_message": "../x"}', b'{"uncommitted_days": ["../x"]}',
        b'{"sources": {"a": "mark ../x"}}', b'{"commits": [1]}', b'{"commits": 1}', b'{"sources": {"a": 1}}',
    ],
)  # fmt: skip
def test_other_data_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the messages differ
        parse_session_metadata(data)


def test_only_the_newest_sources_are_remembered() -> None:
    metadata = replace(FULL, sources={})
    for number in range(MAX_SOURCES + 5):
        metadata = with_source(metadata, str(number), "mark")
    metadata = with_source(metadata, "10", "other")
    assert len(metadata.sources) == MAX_SOURCES
    assert list(metadata.sources)[-1] == "10"
    assert "4" not in metadata.sources
