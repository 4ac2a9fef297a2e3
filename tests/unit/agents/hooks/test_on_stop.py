"""Records of a turn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hook_contexts import hook_context
from sandbox import Sandbox

from cuedeck.agents.hooks.on_session_start import start
from cuedeck.agents.hooks.on_stop import stop
from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.engine.open_workspace import workspace_at
from cuedeck.model.agent_session import HostSession
from cuedeck.store.workspace_paths import WorkspacePaths

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def texts(sandbox: Sandbox) -> list[str]:
    place = sandbox.place(".cuedeck/MEMORY.md")
    lines = place.read_text().splitlines() if place.exists() else []
    return [json.loads(line[2:])["text"] for line in lines if line.startswith("- {")]


def send_stop(
    sandbox: Sandbox, known: HostSession | None = None, **words: Any
) -> HostSession:
    return stop(hook_context(sandbox, "stop", known, **words)).known


WORDS = "The parser works now."


def test_a_turn_is_remembered_once(shop: Sandbox) -> None:
    known = send_stop(shop, message=WORDS, turn="1")
    known = send_stop(shop, known, message=WORDS, turn="1")
    known = send_stop(shop, known, message=WORDS, turn="2")
    assert texts(shop) == [WORDS, WORDS]
    assert send_stop(shop, known, message=WORDS, turn="2") == known


@pytest.mark.parametrize(
    "message", ["", "  \n", "HEARTBEAT_OK", "`HEARTBEAT_OK`.", "You're welcome!"]
)
def test_a_turn_without_words_leaves_nothing(shop: Sandbox, message: str) -> None:
    assert send_stop(shop, message=message) == HostSession("claude")
    assert texts(shop) == []


def test_a_message_is_masked_before_it_is_divided(shop: Sandbox) -> None:
    rest = "and more, which is long enough to be a passage of its own"
    send_stop(shop, message=f"It is {'so ' * 95}{AWS} {rest}.")
    assert "<secret:aws-key:1>" in "".join(texts(shop))
    assert "AKIA" not in "".join(texts(shop))


def test_messages_come_from_the_transcript_if_the_event_has_none(shop: Sandbox) -> None:
    rows = [
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": "It was the turn before."},
        },
        {"type": "user", "message": {"role": "user", "content": "Go"}},
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [{"type": "text", "text": "It is this turn."}],
            },
        },
    ]
    place = shop.root.parent / "conversation.jsonl"
    place.write_text(
        "not JSON\n" * 200_000 + "".join(f"{json.dumps(row)}\n" for row in rows)
    )
    known = send_stop(shop, transcript=str(place))
    assert texts(shop) == ["It is this turn."]
    place.write_text("".join(f"{json.dumps(row)}\n" for row in rows[:2]))
    send_stop(shop, known, transcript=str(place))
    send_stop(shop, known, transcript=str(shop.root))
    assert texts(shop) == ["It is this turn."]


def test_the_scene_includes_the_agents_changes_and_reports_others_at_the_next_prompt(
    shop: Sandbox,
) -> None:
    known = start(hook_context(shop, "session-start")).known
    shop.write("docs/new.md", "# New\n")
    shop.card("aaaaaa", "title: One", "status: active", "refs: [src/a.py, docs/new.md]")
    after = send_stop(shop, known, message=WORDS)
    assert "docs/new.md" in shop.scene.read_text()
    assert (
        after.given == known.given
        and after.prints[".cuedeck/SCENE.md"] == known.prints[".cuedeck/SCENE.md"]
    )


def cold(sandbox: Sandbox) -> str:
    """Return the scene as a build without any cache makes it."""
    workspace = workspace_at(WorkspacePaths(str(sandbox.root)), {})
    workspace = workspace.reopened(index_in_memory=True)
    try:
        return make_scene(workspace, Request()).text
    finally:
        workspace.close()


@pytest.mark.parametrize(
    "message",
    ["I fixed `src/a.py` today.", "Card aaaaaa is done.", "See src/a.py and [[One]]."],
)
def test_a_record_of_a_turn_that_names_a_visited_file_is_in_the_scene(
    shop: Sandbox, message: str
) -> None:
    known = start(hook_context(shop, "session-start")).known
    known = send_stop(shop, known, message="The first words make the file.", turn="0")
    known = send_stop(shop, known, message=message, turn="1")
    assert "## Memory" in shop.scene.read_text() and shop.scene.read_text() == cold(
        shop
    )
    send_stop(
        shop, known, message="Nothing is named here.", turn="2"
    )  # ages of shown records follow the newest one
    assert shop.scene.read_text() == cold(shop)


def test_a_link_to_a_record_follows_the_records_of_turns(shop: Sandbox) -> None:
    shop.card("aaaaaa", "title: One", "status: active", "refs: [record:ffffffff]")
    known = start(hook_context(shop, "session-start")).known
    for number in range(3):
        known = send_stop(shop, known, message=WORDS, turn=str(number))
        assert shop.scene.read_text() == cold(shop)
