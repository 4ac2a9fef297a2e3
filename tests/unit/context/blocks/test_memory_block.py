"""The memory block of a scene: its records, their order, its cost and its caches."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.context.blocks.blocks_fingerprint import (
    EXPERIENCES,
    MEMORY,
    is_input,
    state_of,
)
from cuedeck.context.blocks.collect_blocks import block_contents
from cuedeck.context.scene.ledger_blocks import Content
from cuedeck.context.scene.walk import Walked, walk
from cuedeck.engine.workspace import Workspace
from cuedeck.graph.address_lookup import resolve_address
from cuedeck.graph.neighbourhood import neighbourhood
from cuedeck.ledger.records.memory_files import EXPERIENCES as EXPERIENCES_FILE
from cuedeck.ledger.records.memory_files import PRIMARY, memory_of


def line(
    identity: str,
    text: str,
    category: str = "note",
    label: str = "public",
    day: str = "",
    **more: Any,
) -> str:
    provenance = {
        "sourceChannel": "cli",
        "timestamp": f"{day or '2026-05-03'}T12:00:00Z",
        "sensitivity": label,
    }
    value = {
        "id": identity,
        "sessionId": "main",
        "category": category,
        "text": text,
        "provenance": provenance,
    }
    return f"- {json.dumps({**value, **more})}\n"


def write_memory(sandbox: Sandbox, *lines: str) -> None:
    sandbox.write(MEMORY, "# MEMORY.md\n\n---\n\n" + "".join(lines))


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "refs: [docs/auth.md]")
    sandbox.activate("aaaaaa")
    sandbox.write(
        "docs/auth.md", "# Auth\n\n[code](../src/auth.py)\n\n## Login Flow\n\nhow\n"
    )
    sandbox.write(
        "src/auth.py",
        "class Login:\n    def verify(self):\n        pass\n\n\ndef check_token():\n    pass\n",
    )
    sandbox.write("src/far.py", "def far_away():\n    pass\n")
    return sandbox


def memory_content(workspace: Workspace) -> Content | None:
    """Return the memory block of the active card."""
    workspace.refresh()
    found = neighbourhood(
        resolve_address("aaaaaa", workspace.index), workspace.index, 3
    )
    walked = Walked(walk(found), found.unresolved)
    every = block_contents(workspace, walked, [MEMORY], workspace.mask())
    return next((content for content in every if content.name == "memory"), None)


def block_rows(workspace: Workspace) -> list[str]:
    content = memory_content(workspace)
    return [row.full.rstrip("\n") for row in content.rows] if content else []


def test_nearest_records_come_first_then_valuable_ones_then_new_ones(
    shop: Sandbox,
) -> None:
    write_memory(
        shop,
        line("11111111-a", "check_token() is slow"),
        line("22222222-a", "Login.verify must not block", "learned"),
        line("33333333-a", "far_away is not near"),
        line("44444444-a", "src/auth.py was split"),
        line("55555555-a", "[[Auth#Login Flow]] has a picture"),
        line("66666666-a", "card aaaaaa waits for the design"),
    )
    assert block_rows(shop.workspace()) == [
        "- “[note] card aaaaaa waits for the design” (`record:66666666`)",
        "- “[note] [[Auth#Login Flow]] has a picture” (`record:55555555`)",
        "- “[learned] Login.verify must not block” (`record:22222222`)",
        "- “[note] src/auth.py was split” (`record:44444444`)",
        "- “[note] check_token() is slow” (`record:11111111`)",
    ]


def test_only_records_about_visited_lines_are_shown(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "refs: ['src/auth.py#check_token']")
    sandbox.write(
        "src/auth.py",
        "class Login:\n    def verify(self):\n        pass\n\n\ndef check_token():\n    pass\n",
    )
    write_memory(
        sandbox,
        line("1", "Login.verify"),
        line("2", "check_token()"),
        line("3", "src/auth.py"),
    )
    assert block_rows(sandbox.workspace()) == [
        "- “[note] src/auth.py” (`record:3`)",
        "- “[note] check_token()” (`record:2`)",
    ]


def test_secret_superseded_and_duplicate_records_are_not_shown(shop: Sandbox) -> None:
    write_memory(
        shop,
        line("1", "src/auth.py one", supersedes=["gone"]),
        line("2", "src/auth.py two", label="secret"),
        line("3", "src/auth.py three", label="unheard-of"),
        line("4", "src/auth.py four"),
        line("5", "src/auth.py five", supersedes=["4"]),
        line("6", "src/auth.py  ONE"),
        line("7", "nothing but secrets", label="secret", supersedes=["5"]),
    )
    assert block_rows(shop.workspace()) == ["- “[note] src/auth.py ONE” (`record:6`)"]


def test_facts_of_a_compaction_record_are_shown_if_they_match(shop: Sandbox) -> None:
    text = "# Topic\n- check_token() is slow\n  at night [f1 11-03]\n- any [f2 11-03]\n- src/auth.py is old [f3 11-04]"
    write_memory(shop, line("1", text, "compaction"))
    message = "check_token() is slow at night [f1 11-03]; src/auth.py is old [f3 11-04]"
    assert block_rows(shop.workspace()) == [f"- “[compaction] {message}” (`record:1`)"]


def test_linked_record_is_shown_itself_or_by_its_replacement(shop: Sandbox) -> None:
    shop.write(
        "docs/auth.md", "# Auth\n\n[[record:1111]] [[record:3]] [[decision:k]]\n"
    )
    shop.write(
        ".cuedeck/decisions.jsonl",
        '{"id":"k1","timestamp":"2026-01-01T00:00:00Z","decision":"x"}\n',
    )
    write_memory(
        shop,
        line("11111111", "the old way"),
        line("22222222", "the new way", supersedes=["11111111"]),
        line("33333333", "hidden", label="secret"),
        line("44444444", "as decision:k1 says"),
    )
    assert block_rows(shop.workspace()) == [
        "- “[note] the new way” (`record:22222222`)",
        "- “[note] as decision:k1 says” (`record:44444444`)",
    ]


def test_record_much_older_than_the_newest_states_its_age(shop: Sandbox) -> None:
    write_memory(
        shop,
        line("1", "src/auth.py one", day="2024-01-01"),
        line("2", "src/auth.py two", day="2026-04-30"),
        line("3", "something else", day="2026-05-03"),
        line("4", "unreadable time", provenance={"timestamp": "yesterday"}),
    )
    assert block_rows(shop.workspace()) == [
        "- “[note] src/auth.py two” (`record:2`)",
        "- “[note] src/auth.py one” (`record:1`, 853 days before the newest)",
    ]


def test_name_that_becomes_ambiguous_is_no_longer_matched(shop: Sandbox) -> None:
    write_memory(shop, line("1", "check_token() is slow"), line("2", "auth.py is old"))
    workspace = shop.workspace()
    assert len(block_rows(workspace)) == 2
    shop.write("lib/auth.py", "def check_token():\n    pass\n")
    assert block_rows(workspace) == []
    shop.place("lib/auth.py").unlink()
    assert len(block_rows(workspace)) == 2
    shop.write("src/auth.py", "def other():\n    pass\n")
    assert block_rows(workspace) == ["- “[note] auth.py is old” (`record:2`)"]


def test_changed_memory_changes_the_fingerprint(shop: Sandbox) -> None:
    workspace = shop.workspace()
    workspace.refresh()
    before = state_of(workspace)
    write_memory(shop, line("1", "src/auth.py"))
    one = state_of(workspace)
    write_memory(shop, line("2", "src/auth.py"))
    two = state_of(workspace)
    shop.write(".cuedeck/memory/2026-05-03.md", line("3", "x"))
    three = state_of(workspace)
    shop.write(EXPERIENCES, "{}\n")
    assert len({before, one, two, three, state_of(workspace)}) == 5
    assert (EXPERIENCES, MEMORY) == tuple(
        memory_of(workspace).path(name) for name in (EXPERIENCES_FILE, PRIMARY)
    )
    assert all(map(is_input, (MEMORY, EXPERIENCES, ".cuedeck/memory/2026-05-03.md")))
    assert not is_input(".cuedeck/USER.md")
