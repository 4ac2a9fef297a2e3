"""The memory gateway of CursorClaw, feature by feature, over stdio with `--compat`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mcp_client import McpClient, connect_over_stdio
from sandbox import Sandbox

MEMORY_TOOLS = {
    "memory.listLogs": {"profile"},
    "memory.getFile": {"path", "profile", "cursor"},
    "memory.writeFile": {"path", "content", "hash", "profile"},
}
NEWEST = "memory/2026-11-21.md"
OLDER = "memory/2026-05-03.md"


def files(sandbox: Sandbox) -> dict[str, bytes]:
    """Return every file but SCENE.md, which the server writes in the background."""
    found = sandbox.bytes()
    found.pop(".cuedeck/SCENE.md", None)
    return found


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[McpClient]:
    with connect_over_stdio(sandbox, "--compat") as connected:
        yield connected


@pytest.fixture
def profile_folder(sandbox: Sandbox) -> str:
    """The folder of a profile `work` with a log."""
    folder = "agents/work"
    sandbox.write(
        ".cuedeck/config.toml", f'[[profile]]\nid = "work"\nroot = "{folder}"\n'
    )
    sandbox.write(f"{folder}/{NEWEST}", "The ferry leaves at nine.\n")
    return folder


def test_the_tools_are_listed_with_their_arguments(client: McpClient) -> None:
    listed = {
        tool.name: set(tool.input_schema["properties"])
        for tool in client.do(client.sdk.list_tools).tools
        if tool.name.startswith("memory.")
    }
    assert listed == MEMORY_TOOLS


# --- memory.listLogs


def test_logs_are_listed_newest_first(sandbox: Sandbox, client: McpClient) -> None:
    for path in (OLDER, NEWEST, "memory/2026-02-30.md", "memory/notes.md"):
        sandbox.write(f".cuedeck/{path}", "A line.\n")
    assert client.ok("memory.listLogs")["files"] == [
        {
            "name": path.removeprefix("memory/"),
            "path": path,
            "address": f".cuedeck/{path}",
        }
        for path in (NEWEST, OLDER)
    ]


# --- memory.getFile and memory.writeFile


def test_a_file_is_read_and_written_with_its_hash(
    sandbox: Sandbox, client: McpClient
) -> None:
    found = client.ok("memory.getFile", path=OLDER)
    assert found == {"path": OLDER, "content": "", "hash": "none"}
    assert client.ok("memory.listLogs") == {"files": []}
    for text in ("The heron nests.\n", "The heron sleeps.\n"):
        known = {"path": OLDER, "hash": found["hash"]}
        written = client.ok("memory.writeFile", content=text, **known)
        assert written["ok"] is True
        assert sandbox.place(f".cuedeck/{OLDER}").read_text() == text
        found = client.ok("memory.getFile", path=OLDER)
        assert (found["content"], found["hash"]) == (text, written["hash"])
    assert client.recall(query="heron sleeps")["total"] == 1


# --- profileId


def test_profile_id_selects_the_memory_of_a_profile(
    sandbox: Sandbox, profile_folder: str, client: McpClient
) -> None:
    sandbox.write(f".cuedeck/{OLDER}", "The heron nests.\n")
    (log,) = client.ok("memory.listLogs", profileId="work")["files"]
    assert log["address"] == f"{profile_folder}/{NEWEST}"
    found = client.ok("memory.getFile", path=NEWEST, profileId="work")
    assert found["content"] == "The ferry leaves at nine.\n"
    client.ok(
        "memory.writeFile",
        path=NEWEST,
        content="The ferry leaves at ten.\n",
        hash=found["hash"],
        profileId="work",
    )
    written = sandbox.place(f"{profile_folder}/{NEWEST}").read_text()
    assert written == "The ferry leaves at ten.\n"
    for own in ({}, {"profileId": "default"}):
        (log,) = client.ok("memory.listLogs", **own)["files"]
        assert log["path"] == OLDER
        assert client.ok("memory.getFile", path=NEWEST, **own)["content"] == ""
