"""Looking for hooks that fire twice."""

from __future__ import annotations

from sandbox import Sandbox

from cuedeck.agents.setup import examine, require_host


def test_a_folder_in_place_of_the_hooks_is_a_finding(sandbox: Sandbox) -> None:
    """`setup claude --check` stopped with an error and no table."""
    sandbox.place(".claude/settings.json").mkdir(parents=True)
    answer = examine(sandbox.workspace(), require_host("claude"))
    assert [
        each["code"]
        for each in answer["findings"]
        if each["path"] == ".claude/settings.json"
    ] == ["broken-file"]
    assert [each["state"] for each in answer["files"]] == [
        "broken",
        "missing",
    ]
