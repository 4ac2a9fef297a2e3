"""Size and content of the tool list."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from mcp_client import McpClient, connect_in_process
from mcp_types import ListToolsResult
from sandbox import Sandbox

from cuedeck.shells.mcp.aliases import SEEDS
from cuedeck.shells.mcp.server_definition import INSTRUCTIONS
from cuedeck.shells.mcp.tool_base import Tool
from cuedeck.shells.mcp.tools import TOOLS
from cuedeck.shells.tool_fields import LONGEST_ADDRESS

MOST_TOKENS = 2_500
MOST_TOOLS = 13
MOST_CHARACTERS = 1_500
READING = ["scene", "read", "find", "cards", "session", "recall", "doctor", "cortex"]
NAMES = ["scene", "read", "find", "cards", "session", "decide", "assume", "remember", "recall", "forget",
         "doctor", "cortex"]  # fmt: skip
SEED_NAMES = ["read_context", "read_doc", "list_tasks", "create_task", "update_task", "get_task_dependencies",
              "validate_task_graph", "query_graph", "remember_this", "recall_memory", "memory_search", "memory_context",
              "memory_get", "memory.listLogs", "memory.getFile", "memory.writeFile",
              "cortex_search", "cortex_recall", "cortex_add_memory", "cortex_list_sessions", "cortex_create_session",
              "cortex_commit_session", "cortex_ls", "cortex_explore", "cortex_get_abstract", "cortex_get_overview",
              "cortex_get_content", "cortex_migrate", "cortex_maintenance", "cortex_forget"]  # fmt: skip


def wire(tools: Sequence[Tool]) -> str:
    listed = ListToolsResult.model_validate(
        {"tools": [tool.described() for tool in tools]}
    )
    value = listed.model_dump(by_alias=True, mode="json", exclude_none=True)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_the_list_of_tools_stays_small(sandbox: Sandbox) -> None:
    workspace = sandbox.workspace()
    workspace.refresh()
    assert len(TOOLS) <= MOST_TOOLS
    assert workspace.counter("o200k_base").count(wire(TOOLS)) <= MOST_TOKENS


def test_descriptions_fit_the_limits_of_hosts() -> None:
    assert len(INSTRUCTIONS) < MOST_CHARACTERS
    assert all(0 < len(tool.about) < MOST_CHARACTERS for tool in (*TOOLS, *SEEDS))


def test_every_tool_has_annotations(client: McpClient) -> None:
    tools = client.do(client.sdk.list_tools).tools
    assert [tool.name for tool in tools] == NAMES
    for tool in tools:
        message = tool.annotations
        assert (
            message is not None and message.title and message.open_world_hint is False
        ), tool.name
        assert None not in (
            message.read_only_hint,
            message.destructive_hint,
            message.idempotent_hint,
        ), tool.name
    assert [tool.name for tool in tools if tool.annotations.destructive_hint] == [
        "forget",
        "cortex",
    ]
    assert [tool.name for tool in tools if tool.output_schema] == ["find"]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_list_is_the_same_in_every_revision_and_each_time(
    shop: Sandbox, mode: str
) -> None:
    with connect_in_process(shop.root, mode=mode) as client:
        lists = [client.do(client.sdk.list_tools).tools for _ in range(2)]
    assert lists[0] == lists[1]
    assert [tool.name for tool in lists[0]] == NAMES


def test_a_read_only_server_lists_read_only_tools(shop: Sandbox) -> None:
    before = shop.bytes()
    with connect_in_process(shop.root, read_only=True) as client:
        tools = {tool.name: tool for tool in client.do(client.sdk.list_tools).tools}
        assert list(tools) == READING
        assert all(tool.annotations.read_only_hint for tool in tools.values())
        assert tools["cards"].input_schema["properties"]["action"]["enum"] == ["list"]
        assert client.ok("cards")["total"] == 1
        for tool, arguments in (
            ("cards", {"action": "create", "title": "x"}),
            ("session", {"action": "start"}),
            ("decide", {"text": "x"}),
            ("assume", {"text": "x"}),
            ("remember", {"text": "x"}),
            ("forget", {"id": "x", "dry_run": False}),
            ("create_task", {"title": "x"}),
            ("memory.writeFile", {"path": "USER.md", "content": "x"}),
        ):
            assert client.fails(tool, **arguments)["code"] == 1010
    assert shop.bytes() == before


def test_the_older_names_are_listed_when_asked_for(shop: Sandbox) -> None:
    with connect_in_process(shop.root, compat=True) as client:
        assert [tool.name for tool in client.do(client.sdk.list_tools).tools] == [
            *NAMES,
            *SEED_NAMES,
        ]


def names(sandbox: Sandbox, **options: bool) -> list[str]:
    with connect_in_process(sandbox.root, **options) as client:
        return [tool.name for tool in client.do(client.sdk.list_tools).tools]


def test_experiences_are_listed_where_they_are_on(shop: Sandbox) -> None:
    assert not {"experiences", "query_experiences"} & set(names(shop, compat=True))
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    assert "experiences" in names(shop)
    assert {"experiences", "query_experiences"} < set(names(shop, compat=True))


def test_the_first_line_names_the_first_call(shop: Sandbox) -> None:
    first = INSTRUCTIONS.splitlines()[0]
    assert first.startswith("Call `scene` first")
    assert all(
        f"`{name}`" in first
        for name in ("read", "find", "session", "decide", "remember")
    )
    abouts = {tool.name: tool.about.lower() for tool in TOOLS}
    assert all(
        word in abouts[name]
        for name in ("scene", "read", "find")
        for word in ("context", "task")
    )


def test_every_address_has_a_limit_near_that_of_paths() -> None:
    names = {"address", "path", "folder", "explain"}
    fields = [
        (tool.name, field)
        for tool in (*TOOLS, *SEEDS)
        for field in tool.fields
        if field.name in names and field.kind == "text"
    ]
    assert fields
    for tool_name, field in fields:
        assert field.longest <= LONGEST_ADDRESS, tool_name
