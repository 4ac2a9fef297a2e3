"""Scenes of a text, and a server in a folder without a workspace."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from mcp_client import McpClient, connect_in_process
from mcp_types import ListRootsResult, Root
from sandbox import Sandbox

TASK = "Let verify in Login refuse an expired token"


@pytest.fixture
def folder(shop: Sandbox) -> Path:
    """The files of the shop without its workspace."""
    shutil.rmtree(shop.place(".cuedeck"))
    return shop.root


def test_a_task_is_the_same_text_as_on_the_command_line(
    client: McpClient, shop: Sandbox
) -> None:
    assert client.ok("scene", task=TASK) == shop.ok("scene", TASK).out
    assert (
        client.ok("scene", task=TASK, budget=700)
        == shop.ok("scene", TASK, "--budget", "700").out
    )


@pytest.mark.parametrize(("given", "message"), [({"task": TASK, "card": "2a9f1x"}, "together"),
    ({"task": TASK, "explain": "src/auth.py"}, "together"), ({"task": " \n"}, "no word"),
    ({"task": "Fix\0it"}, "NUL"), ({"task": "a" * 200_001}, "200,000"), ({"task": "2a9f1x"}, "is a card")])  # fmt: skip
def test_a_wrong_task_is_refused(
    client: McpClient, given: dict[str, Any], message: str
) -> None:
    error = client.fails("scene", **given)
    assert message in error["message"] + error["hint"]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_folder_without_a_workspace_is_searched_and_stays_as_it_is(
    folder: Path, sandbox: Sandbox, mode: str
) -> None:
    before = sorted(folder.rglob("*"))
    with connect_in_process(folder / "src", mode=mode) as client:
        assert "def verify" in client.call("read", address="auth.py").content[0].text
        assert [hit["path"] for hit in client.ok("find", query="verify")["hits"]] == [
            "auth.py"
        ]
    with connect_in_process(folder, mode=mode) as client:
        text = client.ok("scene", task=TASK)
        assert "def verify" in text and text == sandbox.ok("scene", TASK).out
        for tool, given in (
            ("scene", {}),
            ("scene", {"explain": "src/auth.py"}),
            ("cards", {}),
            ("doctor", {}),
        ):
            error = client.fails(tool, **given)
            assert (error["code"], "cuedeck init" in error["hint"]) == (1011, True), (
                tool,
                error,
            )
        (folder / "src/new.py").write_text("def verify_twice():\n    pass\n")
        assert (
            "verify_twice" in client.call("read", address="src/new.py").content[0].text
        )
    (folder / "src/new.py").unlink()
    assert sorted(folder.rglob("*")) == before


def test_a_workspace_that_is_made_meanwhile_is_used(
    folder: Path, sandbox: Sandbox
) -> None:
    with connect_in_process(folder) as client:
        client.ok("scene", task=TASK)
        sandbox.ok("init")
        assert client.ok("cards")["total"] == 0
        client.ok("remember", text="one")
        assert (folder / ".cuedeck/MEMORY.md").exists()


def test_the_roots_of_the_client_go_before_the_start_folder(
    folder: Path, tmp_path: Path
) -> None:
    async def roots(context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=folder.as_uri())])

    start = tmp_path / "start"
    start.mkdir()
    with connect_in_process(start, list_roots_callback=roots) as client:
        assert "def verify" in client.ok("scene", task=TASK)


def test_the_home_folder_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    with connect_in_process(folder) as client:
        error = client.fails("scene", task=TASK)
        assert error["code"] == 1011 and "home folder" in error["message"]
