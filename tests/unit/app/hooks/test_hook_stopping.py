"""What is remembered of a turn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desk import Desk
from occasions import occasion

from cuedeck.app.hooks.on_session_start import start
from cuedeck.app.hooks.on_stop import stop
from cuedeck.model.agent_session import HostSession

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


@pytest.fixture
def shop(desk: Desk) -> Desk:
    desk.card("aaaaaa", "title: One", "status: active", "refs: [src/a.py]")
    desk.activate("aaaaaa")
    desk.write("src/a.py", "x = 1\n")
    return desk


def texts(desk: Desk) -> list[str]:
    place = desk.place(".cuedeck/MEMORY.md")
    lines = place.read_text().splitlines() if place.exists() else []
    return [json.loads(line[2:])["text"] for line in lines if line.startswith("- {")]


def tell(desk: Desk, known: HostSession | None = None, **words: Any) -> HostSession:
    return stop(occasion(desk, "stop", known, **words)).known


def test_a_turn_is_remembered_once(shop: Desk) -> None:
    known = tell(shop, message="Done.", turn="1")
    known = tell(shop, known, message="Done.", turn="1")
    known = tell(shop, known, message="Done.", turn="2")
    assert texts(shop) == ["Done.", "Done."]
    assert tell(shop, known, message="Done.", turn="2") == known


@pytest.mark.parametrize("message", ["", "  \n", "HEARTBEAT_OK", "`HEARTBEAT_OK`.", "heartbeat_ok"])
def test_a_turn_without_words_leaves_nothing(shop: Desk, message: str) -> None:
    assert tell(shop, message=message) == HostSession("claude")
    assert texts(shop) == []


def test_what_is_cut_off_was_masked_before(shop: Desk) -> None:
    tell(shop, message=f"{'x' * 490} {AWS} and more")
    (text,) = texts(shop)
    assert len(text) <= 500 and "AKIA" not in text and text.endswith("<secret:a")


def test_words_come_from_the_conversation_where_the_host_does_not_tell_them(shop: Desk) -> None:
    rows = [
        {"type": "assistant", "message": {"role": "assistant", "content": "The turn before."}},
        {"type": "user", "message": {"role": "user", "content": "Go"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "This turn."}]}},
    ]
    place = shop.root.parent / "conversation.jsonl"
    place.write_text("not JSON\n" * 200_000 + "".join(f"{json.dumps(row)}\n" for row in rows))
    known = tell(shop, transcript=str(place))
    assert texts(shop) == ["This turn."]
    place.write_text("".join(f"{json.dumps(row)}\n" for row in rows[:2]))
    tell(shop, known, transcript=str(place))
    tell(shop, known, transcript=str(shop.root))
    assert texts(shop) == ["This turn."]


def test_the_scene_follows_what_the_agent_did_and_keeps_what_others_did_for_the_next_prompt(shop: Desk) -> None:
    known = start(occasion(shop, "session-start")).known
    shop.write("docs/new.md", "# New\n")
    shop.card("aaaaaa", "title: One", "status: active", "refs: [src/a.py, docs/new.md]")
    after = tell(shop, known, message="Done.")
    assert "docs/new.md" in shop.scene.read_text()
    assert after.given == known.given and after.prints[".cuedeck/SCENE.md"] == known.prints[".cuedeck/SCENE.md"]
