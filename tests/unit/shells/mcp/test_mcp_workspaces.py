"""Which workspace answers."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from mcp_client import connect_in_process
from mcp_types import ListRootsResult, Root
from sandbox import Sandbox


def roots(*folders: Path | str) -> Any:
    async def answer(context: Any) -> ListRootsResult:
        uris = [
            folder if isinstance(folder, str) else folder.as_uri() for folder in folders
        ]
        return ListRootsResult(roots=[Root(uri=uri) for uri in uris])

    return answer


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_without_a_workspace_the_hint_is_to_make_one_and_then_it_is_found(
    sandbox: Sandbox, tmp_path: Path, mode: str
) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    with connect_in_process(folder, mode=mode) as client:
        error = client.fails("scene")
        assert error["code"] == 1011
        assert "cuedeck init" in error["hint"]
        assert len(client.do(client.sdk.list_tools).tools) == 12
        assert client.do(client.sdk.list_resources).resources == []
        sandbox.ok("init", str(folder))
        assert client.ok("cards")["total"] == 0


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_workspace_is_found_from_the_roots_of_the_client(
    shop: Sandbox, tmp_path: Path, mode: str
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    named = roots("file:///nowhere/%00", tmp_path / "gone", folder, shop.place("docs"))
    with connect_in_process(folder, mode=mode, list_roots_callback=named) as client:
        assert client.ok("cards")["total"] == 1
        (content,) = client.do(
            client.sdk.read_resource, "cuedeck://card/2a9f1x"
        ).contents
        assert "Fix login" in content.text


def test_the_workspace_the_server_was_started_in_goes_before_roots(
    shop: Sandbox, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / ".cuedeck").mkdir(parents=True)
    with connect_in_process(
        shop.place("docs"), list_roots_callback=roots(other)
    ) as client:
        assert client.ok("cards")["total"] == 1


def test_a_workspace_that_goes_away_is_missed_and_found_again(shop: Sandbox) -> None:
    with connect_in_process(shop.root) as client:
        client.ok("cards")
        home = shop.place(".cuedeck")
        aside = home.rename(shop.place("aside"))
        assert client.fails("cards")["code"] == 1011
        aside.rename(home)
        assert client.ok("cards")["total"] == 1


@pytest.mark.parametrize("deleted", [".cuedeck", "."])
def test_a_workspace_that_was_deleted_is_not_made_again_by_any_tool(
    shop: Sandbox, deleted: str
) -> None:
    with connect_in_process(shop.root) as client:
        client.ok("remember", text="one")
        client.ok("scene")
        gone = shop.place(deleted).resolve()
        gone.rename(aside := shop.root.parent / "aside")
        for tool, given in (
            ("remember", {"text": "two"}), ("scene", {}), ("scene", {"explain": "docs/auth.md"}), ("cards", {}),
            ("cards", {"action": "create", "title": "New"}), ("session", {"action": "note", "text": "x"}),
            ("decide", {"text": "Use x"}), ("recall", {"query": "one"}), ("doctor", {}),
        ):  # fmt: skip
            error = client.fails(tool, **given)
            assert (error["code"], "cuedeck init" in error["hint"]) == (1011, True), (
                tool,
                error,
            )
            assert not gone.exists(), tool
        shutil.copytree(aside, gone, symlinks=True)
        assert client.ok("remember", text="two") and client.ok("cards")["total"] == 1
        assert "two" in shop.place(".cuedeck/MEMORY.md").read_text()


def test_a_root_is_unescaped_once(shop: Sandbox, tmp_path: Path) -> None:
    """`%2525` of a root became `%`, which is another folder."""
    folder = shop.root.rename(tmp_path / "100%25 done")
    assert folder.as_uri().endswith("/100%2525%20done")
    (tmp_path / "bare").mkdir()
    with connect_in_process(
        tmp_path / "bare", list_roots_callback=roots(folder)
    ) as client:
        assert client.ok("cards")["total"] == 1
