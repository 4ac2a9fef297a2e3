"""Results of the tools, over the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_client import McpClient, connect_in_process
from sandbox import Sandbox

HIT = ["address", "path", "kind", "title", "lines", "score", "why", "snippet"]


def test_the_scene_is_the_one_that_the_command_prints(
    client: McpClient, shop: Sandbox
) -> None:
    assert client.ok("scene") == shop.ok("scene", "--print").out
    smaller = client.ok("scene", budget=400, related=False)
    assert smaller == shop.ok("scene", "--print", "--budget", "400", "--no-related").out


def test_read_returns_the_text_and_separate_metadata(client: McpClient) -> None:
    text, info = client.call("read", address="src/auth.py#L1-L2").content
    assert text.text == 'class Login:\n    """Let people in."""\n'
    answer = json.loads(info.text)
    assert (answer["address"], answer["lines"], answer["kind"]) == (
        "src/auth.py#L1-L2",
        [1, 2],
        "source",
    )


def test_a_miss_names_the_nearest(client: McpClient) -> None:
    error = client.fails("read", address="docs/atuh.md")
    assert error["code"] == 1001
    assert error["candidates"] == ["docs/auth.md"]
    assert error["hint"] == "did you mean `docs/auth.md`?"


def test_a_save_is_seen_by_the_next_call(client: McpClient, shop: Sandbox) -> None:
    for turn in range(20):
        shop.write("docs/security.md", f"# Security\n\nturn {turn}\n")
        shop.write(f"docs/new-{turn}.md", f"# New {turn}\n")
        assert f"turn {turn}" in client.ok("read", address="docs/security.md")
        assert client.ok("read", address=f"docs/new-{turn}.md") == f"# New {turn}\n"
    shop.place("docs/new-3.md").unlink()
    assert client.fails("read", address="docs/new-3.md")["code"] == 1001


def test_new_settings_are_seen_by_the_next_call(
    client: McpClient, shop: Sandbox
) -> None:
    shop.write(".cuedeck/config.toml", "[scene]\nbudget = 300\n")
    assert "· limit 300 ·" in client.ok("scene")
    shop.write(".cuedeck/config.toml", "[scene\n")
    assert client.fails("scene")["code"] == 1012
    shop.write(".cuedeck/config.toml", "")
    client.ok("scene")


def test_finding_gives_hits_of_one_shape(client: McpClient) -> None:
    found = client.ok("find", query="login")
    assert found["total"] == len(found["hits"]) == 3
    assert all(list(hit) == HIT for hit in found["hits"])
    assert {hit["kind"] for hit in found["hits"]} >= {"card", "symbol"}
    for hit in found["hits"]:
        client.ok("read", address=hit["address"])


def test_a_card_that_could_not_be_read_again_is_not_written(
    client: McpClient, shop: Sandbox
) -> None:
    """The server acknowledged such a card, but no list contained it, and no call could
    read or change it.
    """
    cards = shop.place(".cuedeck/cards")
    before = {each.name: each.read_bytes() for each in cards.iterdir()}
    blanks = "a" + " " * 100_001 + "b"
    for wanted in (
        {"title": "C", "body": "p\0q"},
        {"title": "A\0B"},
        {"title": "C", "body": blanks},
    ):
        assert client.fails("cards", action="create", **wanted)["code"] == 1010
    assert (
        client.fails("cards", action="update", id="2a9f1x", assignee=blanks)["code"]
        == 1010
    )
    assert {each.name: each.read_bytes() for each in cards.iterdir()} == before


def test_cards_are_made_changed_and_done(client: McpClient, shop: Sandbox) -> None:
    made = client.ok(
        "cards",
        action="create",
        title="Show why",
        refs="docs/auth.md, docs/security.md",
        tags=["ui"],
    )
    card = client.ok(
        "cards", action="update", id=made["id"], priority="high", depends_on=["2a9f1x"]
    )["card"]
    assert (card["priority"], card["refs"]) == (
        "high",
        ["docs/auth.md", "docs/security.md"],
    )
    card = client.ok(
        "cards",
        action="refs",
        id=made["id"],
        refs="src/auth.py",
        drop_refs="docs/auth.md",
    )["card"]
    assert card["refs"] == ["docs/security.md", "src/auth.py"]
    assert client.ok("cards", action="activate", id=made["id"])["status"] == "active"
    assert shop.place(".cuedeck/active").read_text().strip() == made["id"]
    rows = {row["id"]: row for row in client.ok("cards")["cards"]}
    assert rows[made["id"]]["active"] and not rows["2a9f1x"]["active"]
    client.ok("cards", action="done", id=made["id"])
    assert [row["id"] for row in client.ok("cards")["cards"]] == ["2a9f1x"]
    assert client.ok("cards", status="all", limit=1)["next"] == "1"


@pytest.mark.parametrize(
    ("status", "is_active"), [("active", True), ("blocked", False), ("todo", False)]
)
def test_a_card_is_made_with_its_status(
    client: McpClient, shop: Sandbox, status: str, is_active: bool
) -> None:
    """`create` used to report success and to drop the status."""
    made = client.ok("cards", action="create", title="Show why", status=status)
    row = next(
        row
        for row in client.ok("cards", status="all")["cards"]
        if row["id"] == made["id"]
    )
    assert (row["status"], row["active"], row["priority"]) == (
        status,
        is_active,
        "medium",
    )


@pytest.mark.parametrize(("given", "name"), [
    ({"action": "update", "id": "2a9f1x", "priority": "high", "body": "New text"}, "body"),
    ({"action": "activate", "id": "2a9f1x", "refs": ["docs/security.md"]}, "refs"),
    ({"action": "done", "id": "2a9f1x", "title": "Fixed"}, "title"),
    ({"action": "refs", "id": "2a9f1x", "refs": "src/auth.py", "tags": "ui"}, "tags"),
    ({"action": "create", "title": "New", "id": "mine"}, "id"), ({"id": "2a9f1x"}, "id")])  # fmt: skip
def test_an_argument_that_an_action_does_not_take_is_refused(
    client: McpClient, shop: Sandbox, given: dict[str, Any], name: str
) -> None:
    """The server ignored the argument, and the call succeeded."""
    before = shop.bytes()
    error = client.fails("cards", **given)
    assert (error["code"], error["message"]) == (
        1010, f"`{given.get('action', 'list')}` takes no `{name}`, so nothing was done",
    )  # fmt: skip
    assert "omit it" in error["hint"]
    assert shop.bytes() == before


@pytest.mark.parametrize("wrong", [{"refs": ["docs/auth.md", "nope/none.md"]}, {"drop_refs": ["docs/auth.md"]},
    {"depends_on": ["7bk2qq", "nobody"]}, {"depends_on": ["7bk2qq", "8cc3rr"]}, {"title": " "}])  # fmt: skip
def test_an_update_is_made_as_a_whole_or_not_at_all(
    client: McpClient, shop: Sandbox, wrong: dict[str, Any]
) -> None:
    """Each argument was written separately, so that a failing call left a card with
    half of its changes.
    """
    shop.card("7bk2qq")
    shop.card("8cc3rr", "depends_on: [2a9f1x]")
    shop.activate("2a9f1x")
    before = shop.bytes()
    good = {
        "depends_on": ["7bk2qq"],
        "title": "Fixed",
        "tags": ["ui"],
        "status": "done",
    }
    client.fails("cards", action="update", id="2a9f1x", **(good | wrong))
    assert shop.bytes() == before
    card = client.ok(
        "cards", action="update", id="Fix login", refs="docs/security.md", **good
    )["card"]
    assert (card["title"], card["status"], card["tags"]) == ("Fixed", "done", ["ui"])
    assert (card["refs"], card["depends_on"]) == (
        ["docs/auth.md#LoginFlow", "docs/security.md"],
        ["7bk2qq"],
    )
    assert shop.place(".cuedeck/active").read_text() == ""


def test_an_empty_argument_counts_as_missing(client: McpClient) -> None:
    assert (
        client.ok("cards", action="done", id="2a9f1x", body="", refs=[], limit=30)[
            "status"
        ]
        == "done"
    )


def test_cards_report_a_missing_argument(client: McpClient) -> None:
    assert "`id`" in client.fails("cards", action="done")["message"]
    assert "title" in client.fails("cards", action="create")["message"]
    assert "`action`" in client.fails("cards", action="delete")["message"]
    error = client.fails("cards", action="refs", id="2a9f1x", refs="docs/secrity.md")
    assert (error["code"], error["candidates"]) == (1001, ["docs/security.md"])


def test_a_session_goes_on_after_a_restart(shop: Sandbox) -> None:
    with connect_in_process(shop.root) as client:
        assert client.fails("session")["code"] == 1001
        client.ok("session", action="start", card="2a9f1x")
        client.ok(
            "session", action="note", text="Looked at Login.verify", next="Show why"
        )
        client.ok("session", action="progress", text="Reproduced it", state="done")
        client.ok(
            "session",
            action="attempt",
            text="raising in verify",
            on="src/auth.py",
            failed="an error page",
        )
        assert (
            client.ok("session", action="progress")["progress"][0]["text"]
            == "Reproduced it"
        )
        client.ok("session", action="checkpoint", text="Before the break")
    with connect_in_process(shop.root) as client:
        answer = client.ok("session", action="resume")
        assert answer["last_action"] == "Before the break"
        assert answer["next"] == "Show why"
        assert client.ok("session")["status"] == "open"
        assert client.ok("session", action="close")["status"] == "closed"


def test_decisions_and_assumptions_reach_the_scene(client: McpClient) -> None:
    made = client.ok(
        "decide", text="Use the age", because="forged tokens have none", alternatives="one error, as now",
        affects="src/auth.py",
    )  # fmt: skip
    assert made["warnings"] == []
    assert f"decision:{made['id']}" in client.ok("scene")
    assert client.ok("read", address=f"decision:{made['id']}").startswith(
        f"id: {made['id']}"
    )
    stored = client.ok(
        "assume",
        text="The docs name the age",
        check="contains=docs/security.md:an hour",
    )
    assert stored["holds"] is True
    assert client.ok("assume")["well"] is True


def test_a_record_is_recalled_and_forgotten(client: McpClient) -> None:
    identity = client.ok("remember", text="Deploys never go out on Fridays")["id"]
    other = client.ok("remember", text="Deploys go out on Tuesdays", category="note")[
        "id"
    ]
    found = client.recall(query="when do deploys go out?")
    assert {hit["address"] for hit in found["hits"]} == {
        f"record:{identity[:8]}",
        f"record:{other[:8]}",
    }
    assert {hit["snippet"] for hit in found["hits"]} == {
        "Deploys never go out on Fridays",
        "Deploys go out on Tuesdays",
    }
    assert [
        hit["address"]
        for hit in client.recall(query="deploys", category="note")["hits"]
    ] == [f"record:{other[:8]}"]
    assert client.ok("forget", id=identity[:8])["dry_run"] is True
    assert client.recall(query="fridays")["total"] == 1
    assert client.ok("forget", id=f"record:{identity}", dry_run=False)["places"]
    assert client.recall(query="fridays")["total"] == 0
    newer = client.ok(
        "remember", text="Deploys go out on Wednesdays", supersedes=other
    )["id"]
    assert [hit["address"] for hit in client.recall(query="deploys")["hits"]] == [
        f"record:{newer[:8]}"
    ]


def test_experiences_are_asked_and_listed(client: McpClient, shop: Sandbox) -> None:
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    shop.ok("experience", "add", "The login breaks when the token has no expiry")
    assert client.ok("experiences", query="login token")["results"][0]["score"] > 0
    assert client.ok("experiences")["total"] == 1


def test_disabled_experiences_name_the_setting(
    client: McpClient, shop: Sandbox
) -> None:
    shop.ok("experience", "add", "The login breaks when the token has no expiry")
    for requested in ({}, {"query": "login token"}):
        error = client.fails("experiences", **requested)
        assert (
            "experiences.enabled" in error["message"]
            and ".cuedeck/config.toml" in error["hint"]
        )
    assert len(shop.answer("experience", "query", "login token")["results"]) == 1


def test_the_doctor_reports_broken_files(client: McpClient, shop: Sandbox) -> None:
    shop.write("docs/auth.md", "# Auth\n\nSee [[nowhere-at-all]].\n")
    answer = client.ok("doctor", limit=1)
    assert answer["healthy"] is False
    assert len(answer["findings"]) == 1 < answer["total"]


def test_an_unknown_tool_is_an_error_of_the_protocol(client: McpClient) -> None:
    with pytest.raises(MCPError, match="did you mean `find`") as caught:
        client.call("fnd", query="x")
    assert caught.value.code == -32602


def seed(client: McpClient, tool: str, **arguments: Any) -> Any:
    return client.ok(tool, **arguments)


def test_the_older_names_answer_in_their_shapes(
    client: McpClient, shop: Sandbox
) -> None:
    found = seed(
        client, "read_context", query="token", mode="hybrid", filters={"tags": []}
    )
    assert found["total_count"] == len(found["results"]) and found["has_more"] is False
    assert {"path", "hash", "anchors", "snippet"} <= found["results"][0].keys()
    doc = seed(client, "read_doc", path="docs/auth.md", anchor="Logout")
    assert (doc["content"], doc["line_range"]) == (
        "## Logout\n\nNothing.\n",
        {"start": 7, "end": 9},
    )
    made = seed(client, "create_task", title="Later", priority="low")
    assert made["metadata"]["priority"] == "low"
    changed = seed(
        client,
        "update_task",
        id=made["id"],
        updates={"status": "blocked", "notes": "waits"},
    )
    assert (changed["status"], changed["updated_fields"]) == (
        "blocked",
        ["status", "notes"],
    )
    assert (
        "`status`"
        in client.fails("update_task", id=made["id"], updates={"status": "bogus"})[
            "message"
        ]
    )
    assert {
        task["id"] for task in seed(client, "list_tasks", status="all")["tasks"]
    } == {made["id"], "2a9f1x"}
    seed(client, "remember_this", content="The staging database is reset every night")
    assert "staging" in seed(client, "recall_memory", query="staging", topK=3)
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    assert seed(client, "query_experiences", query="staging")["results"] == []


def test_the_older_names_include_the_task_graph(
    client: McpClient, shop: Sandbox
) -> None:
    shop.card("7bkk2m", "title: Later", "status: todo", "depends_on: [2a9f1x]")
    before = seed(client, "get_task_dependencies", id="7bkk2m")
    assert (before["type"], before["count"], before["tasks"][0]["id"]) == (
        "dependencies",
        1,
        "2a9f1x",
    )
    after = seed(client, "get_task_dependencies", id="2a9f1x", reverse=True)
    assert (after["type"], after["tasks"]) == (
        "dependents",
        [{"id": "7bkk2m", "title": "Later", "status": "todo"}],
    )
    assert seed(client, "validate_task_graph")["valid"] is True
    assert "7bkk2m" in seed(client, "query_graph")["graph"]
    assert "flowchart" in seed(client, "query_graph", format="mermaid")["graph"]
    shop.card("8ckk2m", "title: Broken", "status: todo", "depends_on: [8ckk2m]")
    checked = seed(client, "validate_task_graph", id="8ckk2m")
    assert (
        checked["valid"] is False
        and checked["task_id"] == "8ckk2m"
        and checked["error"]
    )
