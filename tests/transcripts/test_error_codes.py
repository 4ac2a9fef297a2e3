"""Codes of errors and findings, as docs/commands.md lists them."""

from __future__ import annotations

import socket

from sandbox import Sandbox


def test_text_beyond_its_limit_is_1003(sandbox: Sandbox) -> None:
    for command in (
        ("session", "note", "x" * 4_001),
        ("experience", "add", "x" * 20_001),
    ):
        error = sandbox.answer(*command, code=1)["error"]
        assert error["code"] == 1003
        assert "must have at most" in error["message"]


def test_unreadable_front_matter_is_1004_and_a_dead_ref_1001(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/cards/aaaaaa.md", "---\ntitle: [\n---\n")
    sandbox.card("bbbbbb", "refs: [docs/none.md]")
    findings = sandbox.answer("doctor", code=1)["findings"]
    found = {each["code"]: each["error"] for each in findings}
    assert found["bad-yaml"] == 1004
    assert found["dead-ref"] == 1001


def test_taken_address_is_1005(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        error = sandbox.answer("mcp", "--http", "--port", port, code=1)["error"]
    assert (
        error["code"],
        f"cannot listen at 127.0.0.1:{port}" in error["message"],
    ) == (1005, True)


def test_outdated_scene_is_1006(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "status: active")
    sandbox.ok("scene")
    assert sandbox.answer("scene", "--verify")["code"] is None
    sandbox.scene.write_text("edited")
    assert sandbox.answer("scene", "--verify", code=1)["code"] == 1006
