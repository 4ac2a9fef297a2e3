"""The tool `cortex`, and the tools of MemClaw over the same tree."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_client import McpClient, connect_in_process
from sandbox import Sandbox

GUIDE = "cortex://resources/guide/animals.md"


@pytest.fixture
def tree(shop: Sandbox) -> Sandbox:
    shop.write(
        ".cuedeck/cortex/resources/guide/animals.md",
        "# Zoo\n\nA zebra has stripes.\n\nA giraffe is tall.\n",
    )
    return shop


def test_a_day_with_the_native_tool(tree: Sandbox, client: McpClient) -> None:
    said = client.ok("cortex", action="add", text="I prefer Vim as my editor.")
    assert said["seq"] == 1
    receipt = client.ok("cortex", action="commit")
    (made,) = receipt["made"]
    assert made["address"] == "cortex://user/default/preferences/editor.md"
    found = client.ok(
        "cortex", action="search", query="editor", scope="user", layer="L0"
    )
    assert [each["file"] for each in found["results"]] == [made["address"]]
    assert "Vim" in found["results"][0]["L0"]
    listed = client.ok("cortex", action="ls")
    assert [each["name"] for each in listed["entries"]] == [
        "resources",
        "session",
        "user",
    ]
    sessions = client.ok("cortex", action="sessions")["sessions"]
    assert [each["session"] for each in sessions] == ["default"]
    walked = client.ok("cortex", action="explore", text="editor", address="user")
    assert walked["path"][0]["address"] == "cortex://user"
    preview = client.ok("cortex", action="forget", address=made["address"])
    assert preview["dry_run"]
    client.ok("cortex", action="forget", address=made["address"], dry_run=False)
    assert client.fails("cortex", action="read", address=made["address"])


@pytest.mark.parametrize(("arguments", "word"), [({"action": "search"}, "`text` is missing"),
    ({"action": "read"}, "`address` is missing"), ({"action": "read", "address": "cortex://user/../../x"}, "`..`"),
    ({"action": "read", "address": "cortex://resources/guid"}, "does not exist"),
    ({"action": "read", "address": GUIDE, "layer": "L3"}, "`layer` must be"),
    ({"action": "add", "text": "x", "role": "robot"}, "role")])  # fmt: skip
def test_wrong_arguments_are_named(
    tree: Sandbox, client: McpClient, arguments: dict[str, str], word: str
) -> None:
    assert word in client.fails("cortex", **arguments)["message"]


def test_a_read_only_server_keeps_the_reading_actions(tree: Sandbox) -> None:
    with connect_in_process(tree.root, read_only=True) as client:
        assert client.ok("cortex", action="ls")["total"] == 1
        assert client.fails("cortex", action="add", text="x")
        assert client.fails("cortex_add_memory", content="x")


def test_a_day_with_the_tools_of_memclaw(tree: Sandbox) -> None:
    with connect_in_process(tree.root, compat=True) as client:
        assert client.ok("cortex_ls")["entries"] == []
        made = client.ok("cortex_create_session", session_id="s1", title="One")
        assert made["session"]["thread_id"] == "s1"
        said = client.ok(
            "cortex_add_memory", content="I prefer Vim as my editor.", session_id="s1"
        )
        assert said["success"]
        assert said["message_uri"].startswith("cortex://session/s1/timeline/")
        committed = client.ok("cortex_commit_session", session_id="s1")
        assert committed["session"]["status"] == "active"
        assert committed["session"]["message_count"] == 1
        (session,) = client.ok("cortex_list_sessions")["sessions"]
        assert session["thread_id"] == "s1"
        found = client.ok("cortex_search", query="editor", return_layers=["L0", "L1"])
        assert found["results"][0]["score"] == 1
        assert {"uri", "score", "snippet", "abstract", "overview", "layers"} <= set(
            found["results"][0]
        )
        assert all(
            each["score"] >= 0.9
            for each in client.ok("cortex_search", query="editor", min_score=0.9)[
                "results"
            ]
        )
        recalled = client.ok("cortex_recall", query="editor", scope="user", limit=1)
        assert "I prefer Vim" in recalled["results"][0]["content"]
        listed = client.ok("cortex_ls", recursive=True, include_abstracts=True)
        assert {each["name"] for each in listed["entries"]} >= {"s1", "timeline"}
        assert all("abstract_text" in each for each in listed["entries"])
        walked = client.ok("cortex_explore", query="editor")
        assert walked["total_matches"] == len(walked["matches"]) == 1
        assert walked["exploration_path"][0]["uri"] == "cortex://session"
        for tool, key in (
            ("cortex_get_abstract", "abstract"),
            ("cortex_get_overview", "overview"),
            ("cortex_get_content", "full_content"),
        ):
            answer = client.ok(tool, uri=GUIDE)
            assert answer["token_count"] > 0
            assert "Zoo" in answer[key]
        cared = client.ok("cortex_maintenance")
        assert [each["command"] for each in cared["results"]] == [
            "prune",
            "reindex",
            "ensure-all",
        ]
        gone = client.ok("cortex_forget", uri="cortex://user/default/preferences")
        assert gone["success"]
        left = client.ok("cortex_search", query="editor", scope="session")
        assert len(left["results"]) == 1


def test_a_call_names_the_user_and_the_agent(tree: Sandbox) -> None:
    editor = "cortex://user/ana/preferences/editor.md"
    said = "I prefer Vim as my editor."
    with connect_in_process(tree.root, compat=True) as client:
        native = {"session": "n", "user": "ana", "agent": "reviewer"}
        client.ok("cortex", action="add", text=said, **native)
        receipt = client.ok("cortex", action="commit", **native)
        assert [each["address"] for each in receipt["made"]] == [editor]
        other = client.fails("cortex", action="add", text="x", session="n", user="b")
        assert "belongs to user ana" in other["message"]
        seed = {"session_id": "s", "user_id": "ana", "agent_id": "reviewer"}
        session = client.ok("cortex_create_session", **seed)["session"]
        assert (session["user_id"], session["agent_id"]) == ("ana", "reviewer")
        client.ok("cortex_add_memory", content=said, **seed)
        reused = client.ok("cortex_commit_session", **seed)["receipt"]["reused"]
        assert [each["address"] for each in reused] == [editor]
        for tool in ("cortex_create_session", "cortex_commit_session"):
            assert client.fails(tool, session_id="s", agent_id="planner")
        wrong = client.fails("cortex_add_memory", content="x", user_id="../x")
        assert "the id of the user is not valid" in wrong["message"]


def test_a_dry_run_of_maintenance_changes_nothing(tree: Sandbox) -> None:
    with connect_in_process(tree.root, compat=True) as client:
        before = tree.bytes()
        client.ok("cortex_maintenance", dryRun=True, commands=["ensure-all"])
        assert tree.bytes() == before


def test_migrate_is_a_dry_run_unless_told_otherwise(tree: Sandbox) -> None:
    tree.write("MEMORY.md", "- Cookie is our dog\n")
    tree.write("memory/2026-04-02.md", "- shrimp for lunch\n")
    tree.write("memory/2026-02-30.md", "- never\n")
    with connect_in_process(tree.root, compat=True) as client:
        before = tree.bytes()
        plan = client.ok("cortex_migrate")
        assert tree.bytes() == before
        assert plan["dry_run"]
        done = client.ok("cortex_migrate", dryRun=False)
        assert done["result"] == {
            "dailyLogsMigrated": 1,
            "memoryMdMigrated": True,
            "sessionsCreated": ["migrated-oc-memory", "migrated-oc-2026-04-02"],
            "errors": ["memory/2026-02-30.md: 2026-02-30 is not a date"],
        }
        assert plan["result"] == done["result"]
        again = client.ok("cortex_migrate", dryRun=False, folder=".")
        assert again["result"]["dailyLogsMigrated"] == 0
        assert again["result"]["sessionsCreated"] == []
        listed = client.ok("cortex_ls", uri="cortex://session")["entries"]
        names = [each["name"] for each in listed]
        assert {"migrated-oc-memory", "migrated-oc-2026-04-02"} <= set(names)
        for query in ("shrimp", "Cookie"):
            assert client.ok("cortex_search", query=query)["total"] == 1
            assert client.recall(query=query)["hits"]
        assert client.fails("cortex_migrate", folder="../..")
    log = tree.place(".cuedeck/memory/2026-04-02.md").read_text()
    assert log == "- shrimp for lunch\n"


@pytest.mark.parametrize(("tool", "given"), [("cortex", {"action": "add", "session": "big"}),
    ("cortex_add_memory", {"session_id": "big"})])  # fmt: skip
def test_a_message_may_be_as_long_as_in_the_command(
    tree: Sandbox, client: McpClient, tool: str, given: dict[str, Any]
) -> None:
    added = client.ok(tool, content="a word\n" * 42_000, **given)
    assert added["seq"] == 1
    error = client.fails(tool, content="x" * 1_000_001, **given)
    assert error["message"] == "a message has at most 1,000,000 bytes, got 1,000,001"
