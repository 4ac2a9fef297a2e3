"""Results fit into what hosts show: no result is longer than its limit, and the rest
can be asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_client import McpClient, connect_in_process
from mcp_types import CallToolResult, Implementation
from memory import tokens
from sandbox import Sandbox

from cuedeck.shells.mcp.tool_base import ALWAYS_LOADED, LIMIT_KEY, SEARCHED
from cuedeck.shells.mcp.tool_result import (
    LARGEST_CHARACTERS,
    MOST_CHARACTERS,
    MOST_TOKENS,
    fit,
)

PARTS = 30


def code(functions: int) -> str:
    return "\n".join(
        f"def function_{at}(value):\n    return value * {at} + len(str({at}))\n"
        for at in range(functions)
    )


CODE = code(350)
PART = code(120)


@pytest.fixture(scope="module")
def large_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for one workspace of all tests, so that it is indexed once."""
    return tmp_path_factory.mktemp("large").resolve()


@pytest.fixture
def large(sandbox: Sandbox, large_root: Path) -> Sandbox:
    """A workspace with a scene that is longer than a host shows."""
    made = Sandbox(large_root, sandbox.environ)
    if made.place(".cuedeck").exists():
        return made
    names = [f"src/part_{at}.py" for at in range(PARTS)]
    assert PARTS * len(PART) > LARGEST_CHARACTERS
    for name in names:
        made.write(name, PART)
    made.card(
        "2a9f1x", "title: Fix parts", "status: active", f"refs: [{', '.join(names)}]"
    )
    made.write(".cuedeck/config.toml", "[scene]\nbudget = 60000\n")
    return made


@pytest.fixture
def client(large: Sandbox) -> Iterator[McpClient]:
    with connect_in_process(large.root) as made:
        yield made


def length(result: CallToolResult) -> int:
    return sum(len(each.text) for each in result.content)


def test_the_scene_is_made_for_the_limit_of_hosts(
    client: McpClient, large: Sandbox
) -> None:
    result = client.call("scene")
    assert length(result) <= MOST_CHARACTERS
    scene = result.content[0].text
    assert tokens().count(scene) <= MOST_TOKENS
    assert "\nsha256 " in scene[-400:]  # its end is there: nothing was cut off
    assert len(large.ok("scene", "--print").out) > MOST_CHARACTERS


def test_the_scene_names_the_calls_that_show_omitted_parts(client: McpClient) -> None:
    _, info = client.call("scene", budget=600).content
    answer = json.loads(info.text)
    assert answer["total"] >= len(answer["left_out"]) > 0
    for row in answer["left_out"]:
        assert client.ok("read", **row["read"]).startswith("def function_0")


def test_a_budget_that_is_asked_for_holds_as_far_as_the_client_takes_it(
    large: Sandbox,
) -> None:
    with connect_in_process(large.root) as client:
        assert (
            MOST_CHARACTERS / 2
            < length(client.call("scene", budget=60_000))
            <= MOST_CHARACTERS
        )
    with connect_in_process(
        large.root, client_info=Implementation(name="claude-code", version="2")
    ) as client:
        assert (
            MOST_CHARACTERS
            < length(client.call("scene", budget=60_000))
            <= LARGEST_CHARACTERS
        )
        assert length(client.call("scene")) <= MOST_CHARACTERS


@pytest.mark.parametrize("text", [CODE, "x" * 150_000, "語" * 60_000, "a\n" * 50_000])
def test_pages_of_a_file_make_up_the_file(sandbox: Sandbox, text: str) -> None:
    sandbox.write("docs/long.md", text)
    found, cursor = "", ""
    with connect_in_process(sandbox.root) as client:
        for _ in range(40):
            result = client.call("read", address="docs/long.md", cursor=cursor)
            assert length(result) <= MOST_CHARACTERS
            shown, info = result.content
            assert tokens().count(shown.text) <= MOST_TOKENS + 1
            found += shown.text
            cursor = json.loads(info.text).get("next", "")
            if not cursor:
                break
    assert found == text


ESCAPED = {"quotes": '"""""""""""""""""""""""""""""""\n' * 3_000, "backslashes": "\\" * 90_000,
    "newlines": "\n" * 90_000, "control characters": ("\x01" * 60 + "\n") * 1_500,
    "JSON": json.dumps([{"name": at, "text": 'a "b"'} for at in range(3_000)]), "prose": "word " * 20_000}  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "after", "kind"),
    [
        *(("read_doc", "next_cursor", kind) for kind in ESCAPED),
        ("memory_get", "next", "JSON"),
    ],
)
def test_pages_of_json_make_up_the_file(
    sandbox: Sandbox, tool: str, after: str, kind: str
) -> None:
    text = ESCAPED[kind]
    sandbox.write("docs/long.md", text)
    found, sizes = "", []
    cursor: str | None = ""
    with connect_in_process(sandbox.root, compat=True) as client:
        while cursor is not None and len(sizes) < 60:
            given = {"cursor": cursor} if cursor else {}
            result = client.call(tool, path="docs/long.md", **given)
            sizes.append(length(result))
            page = result.structured_content
            found += page["content"]
            cursor = page.get(after)
    assert found == text
    assert max(sizes) <= MOST_CHARACTERS
    if kind not in ("JSON", "backslashes"):  # limited by tokens
        assert max(sizes) > 0.9 * MOST_CHARACTERS, "pages are as long as possible"


def test_a_cursor_beyond_the_end_is_refused(client: McpClient) -> None:
    assert (
        "cursor"
        in client.fails("read", address="src/part_1.py", cursor="99999999")["message"]
    )


def pages(client: McpClient, tool: str, name: str, **arguments: Any) -> list[Any]:
    found: list[Any] = []
    cursor = ""
    for _ in range(60):
        result = client.call(tool, cursor=cursor, **arguments)
        assert not result.is_error, result
        assert length(result) <= MOST_CHARACTERS
        found += result.structured_content[name]
        cursor = result.structured_content.get("next", "")
        if not cursor:
            break
    return found


def test_lists_are_given_in_pages_that_fit(sandbox: Sandbox) -> None:
    for at in range(120):
        sandbox.card(
            f"c{at:05}",
            f"title: Card {at} {'long title ' * 40}",
            "status: todo",
            "refs: [docs/none.md]",
        )
    with connect_in_process(sandbox.root) as client:
        cards = pages(client, "cards", "cards", limit=500)
        findings = pages(client, "doctor", "findings", limit=500)
        hits = pages(client, "find", "hits", query="long title", limit=50)
    assert len({card["id"] for card in cards}) == len(cards) == 120
    assert len([each for each in findings if "docs/none.md" in each["message"]]) == 120
    assert len(hits) >= 120


def test_an_answer_without_pages_is_shortened_with_a_note() -> None:
    answer = {
        "summary": "x" * 100_000,
        "changed": [{"path": f"{at:08}" * 50} for at in range(1_000)],
        "n": 1,
    }
    short = fit(answer, 0)
    assert len(json.dumps(short)) <= MOST_CHARACTERS
    assert short["cut"] is True and short["n"] == 1
    assert fit({"small": True}, 0) == {"small": True}


def test_clients_that_read_a_limit_of_the_list_are_given_it(client: McpClient) -> None:
    tools = {
        tool.name: tool.meta or {} for tool in client.do(client.sdk.list_tools).tools
    }
    assert tools["scene"] == {LIMIT_KEY: LARGEST_CHARACTERS, ALWAYS_LOADED: True}
    assert tools["read"][LIMIT_KEY] == LARGEST_CHARACTERS
    assert all(tools[name][SEARCHED] for name in ("read", "find"))
