"""Looking at sessions."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.agents.hooks.enqueue_event import enqueue
from cuedeck.engine.open_session import NoOpenSession
from cuedeck.model.hook_event import HookEvent
from cuedeck.work.sessions.list_sessions import read_status, status


def test_reading_the_status_writes_nothing_and_the_command_drains_the_queue(
    sandbox: Sandbox,
) -> None:
    """Every look took waiting events in, also that of a server that only reads."""
    sandbox.write("src/a.py", "x = 1\n")
    sandbox.ok("session", "start")
    enqueue(
        str(sandbox.root),
        HookEvent(
            "post-tool", "claude", session="s", role="write", files=("src/a.py",)
        ),
    )
    before = sandbox.bytes()
    assert read_status(sandbox.workspace())["working_set"] == []
    assert sandbox.bytes() == before
    taken = status(sandbox.workspace())
    assert [each["path"] for each in taken["working_set"]] == ["src/a.py"]
    assert read_status(sandbox.workspace()) == taken


def test_reading_the_status_does_not_look_for_a_session_that_a_crash_left(
    sandbox: Sandbox,
) -> None:
    sandbox.ok("session", "start")
    sandbox.place(".cuedeck/sessions/open").unlink()
    before = sandbox.bytes()
    with pytest.raises(NoOpenSession):
        read_status(sandbox.workspace())
    assert sandbox.bytes() == before
