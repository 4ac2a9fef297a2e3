"""Looking at sessions."""

from __future__ import annotations

import pytest
from desk import Desk

from cuedeck.app.hooks.enqueue_event import enqueue
from cuedeck.app.sessions.list_sessions import read_status, status
from cuedeck.app.sessions.open_session import NoOpenSession
from cuedeck.model.hook_event import HookEvent


def test_reading_the_status_writes_nothing_and_asking_for_it_takes_in_what_waits(desk: Desk) -> None:
    """Every look took waiting events in, also that of a server that only reads."""
    desk.write("src/a.py", "x = 1\n")
    desk.ok("session", "start")
    enqueue(str(desk.root), HookEvent("post-tool", "claude", session="s", role="write", files=("src/a.py",)))
    before = desk.bytes()
    assert read_status(desk.workspace())["working_set"] == []
    assert desk.bytes() == before
    taken = status(desk.workspace())
    assert [each["path"] for each in taken["working_set"]] == ["src/a.py"]
    assert read_status(desk.workspace()) == taken


def test_reading_the_status_does_not_look_for_a_session_that_a_crash_left(desk: Desk) -> None:
    desk.ok("session", "start")
    desk.place(".cuedeck/sessions/open").unlink()
    before = desk.bytes()
    with pytest.raises(NoOpenSession):
        read_status(desk.workspace())
    assert desk.bytes() == before
