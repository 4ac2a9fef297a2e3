"""Which session the work of an agent belongs to."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.engine.open_session import AlreadyOpen
from cuedeck.engine.workspace import Workspace
from cuedeck.work.sessions import resume_session as resuming
from cuedeck.work.sessions.ensure_session import ensure_open, resume_or_start
from cuedeck.work.sessions.list_sessions import list_sessions
from cuedeck.work.sessions.resume_session import resume
from cuedeck.work.sessions.scene_context import SceneContext, current_context
from cuedeck.work.sessions.session_notes import add_note, close
from cuedeck.work.sessions.start_session import start_session


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: One", "status: active")
    sandbox.card("bbbbbb", "title: Two")
    sandbox.activate("aaaaaa")
    return sandbox


def rows(sandbox: Sandbox) -> list[tuple[str, str]]:
    return sorted(
        (each["card"] or "", each["status"])
        for each in list_sessions(sandbox.workspace())["sessions"]
    )


def test_without_a_session_one_is_started_on_the_active_card(shop: Sandbox) -> None:
    started = resume_or_start(shop.workspace())
    assert started.is_new and started.answer["card"] == "aaaaaa"
    assert rows(shop) == [("aaaaaa", "open")]


def test_the_last_session_of_the_card_is_taken_up_again(shop: Sandbox) -> None:
    add_note(shop.workspace(), "Looked around", "Go on")
    close(shop.workspace())
    started = resume_or_start(shop.workspace())
    assert (started.is_new, started.answer["next"]) == (False, "Go on")
    assert rows(shop) == [("aaaaaa", "open")]


def test_a_session_on_another_card_is_closed_and_the_active_card_stays(
    shop: Sandbox,
) -> None:
    add_note(shop.workspace(), "Looked around")
    shop.activate("bbbbbb")
    started = resume_or_start(shop.workspace())
    assert started.is_new and started.answer["card"] == "bbbbbb"
    assert shop.place(".cuedeck/active").read_text().strip() == "bbbbbb"
    assert rows(shop) == [("aaaaaa", "closed"), ("bbbbbb", "open")]


def test_a_concurrent_caller_joins_the_started_session(
    shop: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller tried to resume the last session of the card, and the session that
    another caller had started meanwhile was an error.
    """
    add_note(shop.workspace(), "Looked around")
    close(shop.workspace())
    started: list[str] = []

    def later(workspace: Workspace, text: str = "") -> dict[str, Any]:
        if not started:
            started.append(start_session(shop.workspace())["session"])
        return resume(workspace, text)

    monkeypatch.setattr(resuming, "resume", later)
    assert resume_or_start(shop.workspace()).answer["session"] == started[0]
    assert rows(shop) == [("aaaaaa", "closed"), ("aaaaaa", "open")]


def test_a_session_that_is_taken_up_is_open_for_others_at_once(
    shop: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the scene of a resumed session was built, another session could be started,
    and both were open.
    """
    add_note(shop.workspace(), "Looked around")
    close(shop.workspace())
    refused: list[AlreadyOpen] = []

    def meanwhile(workspace: Workspace) -> SceneContext:
        with pytest.raises(AlreadyOpen) as caught:
            start_session(shop.workspace())
        refused.append(caught.value)
        return current_context(workspace)

    monkeypatch.setattr(resuming, "current_context", meanwhile)
    resume_or_start(shop.workspace())
    assert len(refused) == 1 and rows(shop) == [("aaaaaa", "open")]


def test_a_session_on_another_card_may_be_closed_by_others(
    shop: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_note(shop.workspace(), "Looked around")
    shop.activate("bbbbbb")

    def closed(workspace: Workspace) -> None:
        close(shop.workspace())
        close(workspace)

    monkeypatch.setattr("cuedeck.work.sessions.session_notes.close", closed)
    assert resume_or_start(shop.workspace()).is_new
    assert rows(shop) == [("aaaaaa", "closed"), ("bbbbbb", "open")]


def test_a_session_that_is_open_is_left_as_it_is(shop: Sandbox) -> None:
    ensure_open(shop.workspace())
    before = shop.bytes()
    ensure_open(shop.workspace())
    assert shop.bytes() == before


def test_work_without_a_card_has_a_session_too(sandbox: Sandbox) -> None:
    assert resume_or_start(sandbox.workspace()).is_new
    assert rows(sandbox) == [("", "open")]
    assert not resume_or_start(sandbox.workspace()).is_new
