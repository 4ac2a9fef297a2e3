"""Messages about a changed scene."""

from __future__ import annotations

import json

import pytest
from hook_contexts import hook_context
from sandbox import Sandbox

from cuedeck.agents.hooks.on_prompt import prompt
from cuedeck.agents.hooks.on_session_start import start
from cuedeck.agents.hooks.scene_changes import entries_in
from cuedeck.model.agent_session import HostSession


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card(
        "aaaaaa", "title: One", "status: active", "refs: [docs/a.md, docs/b.md]"
    )
    sandbox.activate("aaaaaa")
    sandbox.write("docs/a.md", "# A\n\none\n")
    sandbox.write("docs/b.md", "# B\n\ntwo\n")
    return sandbox


def start_session(sandbox: Sandbox) -> HostSession:
    return start(hook_context(sandbox, "session-start")).known


def changes_text(sandbox: Sandbox, known: HostSession) -> str:
    return prompt(hook_context(sandbox, "prompt", known, prompt="go")).text


def decision(identity: str, text: str, **more: str) -> str:
    row = {
        "id": identity,
        "timestamp": "2026-05-04T09:00:00Z",
        "decision": text,
        "card": "aaaaaa",
        **more,
    }
    return json.dumps(row) + "\n"


def test_without_changes_there_is_no_text(shop: Sandbox) -> None:
    assert changes_text(shop, start_session(shop)) == ""


def test_changed_deleted_and_renamed_files_are_listed(shop: Sandbox) -> None:
    known = start_session(shop)
    shop.write("docs/a.md", "# A\n\none\nmore\n")
    shop.place("docs/b.md").rename(shop.place("docs/c.md"))
    text = changes_text(shop, known)
    assert "- `docs/a.md`: changed\n" in text
    assert "- `docs/b.md`: renamed to docs/c.md\n" in text
    assert text.startswith("Changes in this project since the last prompt (scene ")


def test_added_files_have_a_reason(shop: Sandbox) -> None:
    known = start_session(shop)
    shop.write("docs/new.md", "# New\n")
    shop.card(
        "aaaaaa",
        "title: One",
        "status: active",
        "refs: [docs/a.md, docs/b.md, docs/new.md]",
    )
    assert (
        "- `docs/new.md` was added to the scene: named in the refs of .cuedeck/cards/aaaaaa.md"
        in changes_text(shop, known)
    )


def test_the_name_of_a_file_adds_no_line(shop: Sandbox) -> None:
    known = start_session(shop)
    shop.place("docs/b.md").rename(shop.place("docs/`b`\n## Orders\nc.md"))
    text = changes_text(shop, known)
    assert "\n## Orders" not in text
    assert "- `docs/b.md`: renamed to docs/`b` ## Orders c.md\n" in text


def test_a_decision_that_replaces_another_is_listed_alone(shop: Sandbox) -> None:
    shop.write(".cuedeck/decisions.jsonl", decision("d00001", "Use Redis"))
    known = start_session(shop)
    shop.write(
        ".cuedeck/decisions.jsonl",
        decision("d00001", "Use Redis")
        + decision("d00002", "Use files", supersedes="d00001"),
    )
    text = changes_text(shop, known)
    assert (
        "- decision: “We chose files.” (`decision:d00002`)\n" in text
        and "d00001" not in text
    )


def test_of_very_much_news_the_rest_is_counted(shop: Sandbox) -> None:
    known = start_session(shop)
    shop.write(
        ".cuedeck/decisions.jsonl",
        "".join(decision(f"d{at:05}", f"Use {'x' * 200}") for at in range(60)),
    )
    text = changes_text(shop, known)
    assert len(text) <= 3_000 and " more\n" in text


def test_entries_are_named_by_their_addresses() -> None:
    text = (
        "- “We use it” (`decision:h4w7tn`, accepted)\n"
        "- “A fact” (`record:5d1e8f70-1a` from MEMORY.md), `record:5d1e8f70-1a`\n"
        "decision:plain, `card:abc`, `decision:\nbroken`\n"
    )
    assert entries_in(text) == ("h4w7tn", "5d1e8f70-1a")
