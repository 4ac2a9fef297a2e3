"""A hook does not wait for a large memory: it answers without it and reports that, and
a later hook continues.
"""

from __future__ import annotations

import json

import pytest
from sandbox import Sandbox

from cuedeck.agents.hooks.dispatch import run
from cuedeck.model.hook_event import HookEvent

_RECORDS = 14_000
"""Records of 80 pieces: more than two hooks without any time read."""
UNREAD = "The memory is not read completely yet"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write("src/a.py", "x = 1\n")
    sandbox.card("aaaaaa", "refs: [src/a.py]")
    sandbox.activate("aaaaaa")
    lines = [
        _line(number, f"turn {number}: {'nothing of interest happened ' * 8}")
        for number in range(_RECORDS)
    ]
    sandbox.place(".cuedeck/MEMORY.md").write_text(
        "".join([*lines, _line(_RECORDS, "src/a.py has a trap")])
    )
    return sandbox


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Set the time limit of deferrable work in hooks to zero."""
    monkeypatch.setattr("cuedeck.agents.hooks.dispatch._HISTORY_SECONDS", 0.0)
    return monkeypatch


def _line(number: int, text: str) -> str:
    value = {
        "id": f"{number:08x}-0000-4000-8000-000000000000",
        "sessionId": "main",
        "category": "learned",
        "text": text,
        "provenance": {
            "sourceChannel": "main",
            "confidence": 0.8,
            "timestamp": "2026-05-03T10:00:00.000Z",
        },
    }
    return f"- {json.dumps(value)}\n"


def hear(sandbox: Sandbox, event: str, session: str = "s", **fields: str) -> str:
    message: list[str] = []
    answer = HookEvent(event, "claude", session=session, name="SessionStart", **fields)  # type: ignore[arg-type]
    text = run(str(sandbox.root), answer, {}, message.append)
    assert message == []
    return text


def digests(sandbox: Sandbox) -> int:
    workspace = sandbox.workspace()
    try:
        return int(workspace.index.ask("SELECT count(*) FROM digests")[0][0])
    finally:
        workspace.close()


def test_a_start_with_incomplete_memory_writes_no_scene(
    shop: Sandbox, hasty: pytest.MonkeyPatch
) -> None:
    shop.scene.write_text("as it was\n")
    brief = hear(shop, "session-start")
    assert UNREAD in brief and "## Memory" not in brief and "src/a.py" in brief
    assert shop.scene.read_text() == "as it was\n"
    hasty.undo()
    brief = hear(shop, "session-start", "t")
    assert UNREAD not in brief and "## Memory" in brief and "trap" in brief


def test_each_event_reads_on_until_the_scene_is_written(
    shop: Sandbox, hasty: pytest.MonkeyPatch
) -> None:
    hear(shop, "session-start")
    counts = [digests(shop)]
    while not shop.scene.exists():
        hear(shop, "prompt", prompt=f"Look at it, {len(counts)}")
        counts.append(digests(shop))
        assert counts[-1] > counts[-2]
    assert counts[0] > 0 and len(counts) > 2
    assert "trap" in shop.scene.read_text().partition("## Memory")[2]
    assert shop.ok("scene", "--verify").code == 0


def test_a_turn_that_ends_before_the_memory_is_read_leaves_the_scene_to_the_next_prompt(
    shop: Sandbox, hasty: pytest.MonkeyPatch
) -> None:
    hear(shop, "session-start")
    hear(shop, "stop", message="Done.")
    assert not shop.scene.exists()
    hasty.undo()
    hear(shop, "prompt", prompt="Go on")
    assert "trap" in shop.scene.read_text().partition("## Memory")[2]
    assert shop.ok("scene", "--verify").code == 0
