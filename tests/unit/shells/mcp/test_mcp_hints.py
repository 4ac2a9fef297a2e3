"""Hints name MCP tools instead of commands."""

from __future__ import annotations

import re

import pytest
from mcp_client import McpClient

from cuedeck.shells.mcp.tool_result import for_clients


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("`cuedeck find TEXT` searches names and texts; `cuedeck list` lists cards",
         "`find` searches names and texts; `cards` lists cards"),
        ("choose one: `cuedeck card activate ID`", "choose one: `cards` with action `activate` and an id"),
        ('create one: `cuedeck card new --activate -- "TITLE"`', "create one: `cards` with action `create`"),
        ("`cuedeck session start` starts one, `cuedeck resume` resumes the last",
         "`session` with action `start` starts one, `session` with action `resume` resumes the last"),
        ("`cuedeck doctor --repair` repairs it", "`cuedeck doctor --repair` repairs it"),
        ("run `cuedeck init` in the folder of your project", "run `cuedeck init` in the folder of your project"),
        ("start one: `cuedeck session start`", "start one: `session` with action `start`"),
        ("`cuedeck session list` lists the sessions", "`session` lists the sessions"),
        ("no hint", "no hint"),
    ],
)  # fmt: skip
def test_commands_become_tools_where_there_is_one(hint: str, expected: str) -> None:
    assert for_clients(hint) == expected


def test_a_miss_names_the_tool_that_searches(client: McpClient) -> None:
    error = client.fails("read", address="zzzzzzzzzzzzz")
    assert error["hint"] == "`find` searches names and texts"


def test_an_attempt_names_the_arguments_that_it_needs(client: McpClient) -> None:
    error = client.fails("session", action="attempt", text="a retry loop", on=["a.md"])
    assert error["message"] == "`failed` is missing"
    error = client.fails("session", action="attempt")
    assert error["message"] == "`on` and `text` and `failed` are missing"
    assert "--" not in error["message"] + error["hint"]


def test_a_long_argument_is_not_given_back(client: McpClient) -> None:
    for tool, given in (
        ("read", {"address": "q" * 50_000}), ("read", {"address": "q q " * 9_000}), ("scene", {"card": "q" * 50_000}),
        ("cards", {"action": "activate", "id": "q" * 50_000}), ("forget", {"id": "q" * 50_000}),
    ):  # fmt: skip
        error = client.fails(tool, **given)
        assert max(len(each) for each in re.split(r"[`]", error["message"])) <= 300, (
            tool
        )
        assert len(error["message"]) + len(error["hint"]) < 1_000, tool
