"""The first command in a repository."""

from __future__ import annotations

import shutil

import pytest
from sandbox import Sandbox


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A repository without workspace, with the program of one agent on PATH."""
    shutil.rmtree(sandbox.place(".cuedeck"))
    sandbox.write("auth.py", "def verify(token): ...\n")
    program = sandbox.root.parent / "bin/claude"
    program.parent.mkdir()
    program.touch(mode=0o755)
    sandbox.environ["PATH"] = f"{program.parent}:{sandbox.environ['PATH']}"
    return sandbox


def test_start_creates_a_workspace_a_card_and_its_scene(shop: Sandbox) -> None:
    first = shop.run("start --json -- Fix verify of auth.py").json
    assert first["created"] and first["scene"]["files"] == 2
    assert "def verify" in shop.scene.read_text()
    assert not shop.place(".claude").exists()
    assert [each["state"] for each in first["agents"]] == ["would write"]
    again = shop.run("start --json").json
    assert not again["created"] and again["scene"] == first["scene"]


def test_start_connects_the_agents_on_path_if_asked(shop: Sandbox) -> None:
    found = shop.run("start --yes --json").json
    (agent,) = found["agents"]
    assert agent["state"] == "connected" and agent["files"]
    assert found["next"][0]["about"] == agent["next"] != ""
    assert found["scene"] is None
    assert "cuedeck hook" in shop.place(".claude/settings.local.json").read_text()
    assert shop.run("start --json").json["agents"][0]["files"] == []


def test_start_reports_an_agent_that_cannot_be_connected(shop: Sandbox) -> None:
    shop.write(".claude/settings.local.json", "{")
    found = shop.run("start Fix --yes --json")
    assert found.code == 1 and found.json["scene"]
    assert found.json["agents"][0]["state"] == "cannot be connected"
