"""Memory files over MCP: `read`, and the names of ClawCode and CursorClaw."""

from __future__ import annotations

import pytest
from mcp_client import McpClient, connect_in_process
from sandbox import Sandbox

KEY = "AKIA" + "Q7ZX" * 4
LOG = "memory/2026-05-03.md"


@pytest.fixture
def stocked(shop: Sandbox) -> Sandbox:
    shop.ok("memory", "add", "deploys go out on Tuesdays")
    shop.ok("memory", "add", "--sensitivity", "secret", "the walrus opens the vault")
    with shop.place(".cuedeck/MEMORY.md").open("a") as file:
        file.write(f"the staging key is {KEY}\n")
    shop.write(f".cuedeck/{LOG}", "one\ntwo\nthree\nfour\n")
    shop.write(".cuedeck/memory/2026-02-30.md", "an impossible day\n")
    return shop


def test_read_opens_memory_files(stocked: Sandbox, client: McpClient) -> None:
    result = client.call("read", address=".cuedeck/MEMORY.md")
    text = result.content[0].text
    assert "Tuesdays" in text and "- <secret:record:1>" in text
    assert "walrus" not in text and KEY not in text
    assert client.ok("read", address=f".cuedeck/{LOG}#L2-L3") == "two\nthree\n"
    assert client.ok("read", address=LOG, numbers=True).startswith("1│one\n")


def test_memory_get_reads_lines(stocked: Sandbox, client: McpClient) -> None:
    for given in (
        {"path": LOG, "from": 2, "lines": 2},
        {"path": f".cuedeck/{LOG}#L2-L3"},
        {"path": f"{LOG}#L2-L3"},
    ):
        answer = client.ok("memory_get", **given)
        assert (answer["path"], answer["content"]) == (
            f".cuedeck/{LOG}",
            "two\nthree\n",
        )
        assert (answer["from"], answer["lines"]) == (2, 2)
    assert client.ok("memory_get", path=LOG, lines=1)["content"] == "one\n"
    assert client.ok("memory_get", path=LOG, **{"from": 4})["content"] == "four\n"
    assert client.ok("memory_get", path=LOG)["lines"] == 4
    assert "LoginFlow" in client.ok("memory_get", path="docs/auth.md")["content"]


def test_memory_file_comes_before_a_file_of_the_repository(
    stocked: Sandbox, client: McpClient
) -> None:
    stocked.write("MEMORY.md", "of the repository\n")
    assert "Tuesdays" in client.ok("memory_get", path="MEMORY.md")["content"]
    assert client.ok("read", address="MEMORY.md") == "of the repository\n"


def test_changed_line_with_a_secret_is_not_written(
    stocked: Sandbox, client: McpClient
) -> None:
    file = '- password: "Gx7-' + 'kQ2mWp0LrT7v"\n'
    stocked.write(".cuedeck/USER.md", file)
    found = client.ok("memory.getFile", path="USER.md")
    edited = found["content"].replace("password: ", "note ").replace('"', "")
    error = client.fails(
        "memory.writeFile", path="USER.md", content=edited, hash=found["hash"]
    )
    assert error["code"] == 1010 and "is not a line of the file" in error["message"]
    assert stocked.place(".cuedeck/USER.md").read_text() == file


def test_long_file_comes_in_pages_and_the_hash_with_the_last(
    stocked: Sandbox, client: McpClient
) -> None:
    text = "".join(
        f'- {{"text":"note \\"{number}\\" of many"}}\n' for number in range(4_000)
    )
    stocked.write(f".cuedeck/{LOG}", text)
    pages, cursor, answer = [], "", {}
    while cursor or not pages:
        answer = client.ok("memory.getFile", path=LOG, cursor=cursor)
        pages.append(answer["content"])
        cursor = answer.get("next", "")
        assert ("hash" in answer) == (not cursor) and "cut" not in answer
    assert "".join(pages) == text and len(pages) > 2
    with connect_in_process(stocked.root) as other:
        edited = text.replace("note", "NOTE", 1)
        answer = other.ok(
            "memory.writeFile", path=LOG, content=edited, hash=answer["hash"]
        )
    assert stocked.place(f".cuedeck/{LOG}").read_text() == edited


def test_a_file_longer_than_other_arguments_is_written(
    shop: Sandbox, client: McpClient
) -> None:
    text = "Prefers small commits.\n" * 12_000
    client.ok("memory.writeFile", path="USER.md", content=text)
    assert shop.place(".cuedeck/USER.md").read_text() == text
