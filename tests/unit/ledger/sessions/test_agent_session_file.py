"""The file kept for a session of a host is read back as it was written; anything else
is an empty state.
"""

from __future__ import annotations

import json

import pytest

from cuedeck.ledger.sessions.agent_sessions import (
    format_host_session,
    parse_host_session,
)
from cuedeck.model.agent_session import Given, HostSession, Shown, Touched

FULL = HostSession(
    "codex",
    Given(
        "r" * 64,
        ".cuedeck/cards/a.md",
        {"src/é.py": Shown("explicit", "h")},
        ("d1",),
        ("a1",),
    ),
    compacted=True,
    recalled=("e1",),
    asks=True,
    progress_at=12.5,
    turn="t",
    touched={"src/é.py": Touched("both", [1, 2, 3, 4])},
    prints={"src/é.py": None, "gone": []},
    ended=True,
)


@pytest.mark.parametrize("session", [FULL, HostSession("codex")])
def test_a_state_survives_its_file(session: HostSession) -> None:
    assert parse_host_session(format_host_session(session), "codex") == session


@pytest.mark.parametrize("key", list(json.loads(format_host_session(FULL))))
def test_a_file_of_another_shape_is_an_empty_state(key: str) -> None:
    value = json.loads(format_host_session(FULL))
    for other in (7, [[7]], {"a": 7}):
        found = parse_host_session(json.dumps({**value, key: other}).encode(), "codex")
        assert found.host == "codex"
    del value[key]
    if key != "host":
        assert parse_host_session(json.dumps(value).encode(), "codex") == HostSession(
            "codex"
        )
