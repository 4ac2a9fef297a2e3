"""Many hooks at once, some of them killed: every message that was acknowledged is
remembered, and none twice.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from crash_runner import NO_CRASH, CrashRunner, crash_points
from sandbox import Sandbox, until

from cuedeck.app.hooks.enqueue_event import enqueue
from cuedeck.model.hook_event import HookEvent
from cuedeck.parse.record_file import parse_records

HOOKS = 12
KILLS = 4


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: Tokens", "status: active")
    sandbox.activate("aaaaaa")
    sandbox.ok("session", "start")
    return sandbox


def remembered(sandbox: Sandbox) -> Counter[str]:
    """Return the texts of MEMORY.md; those of the daily logs must be the same."""
    found = texts(sandbox.place(".cuedeck/MEMORY.md"))
    logs = sum(
        (texts(place) for place in sandbox.place(".cuedeck/memory").glob("*.md")),
        Counter[str](),
    )
    assert found == logs
    return found


def texts(place: Path) -> Counter[str]:
    """Return the texts of the records of a file; a line that a kill cut in two is
    none.
    """
    lines = parse_records(place.read_text()).records if place.exists() else ()
    return Counter(record.text for record in lines)


def pending(sandbox: Sandbox) -> list[str]:
    places = sorted(sandbox.place(".cuedeck/sessions/pending").glob("*/*.json"))
    return [json.loads(place.read_text())["message"] for place in places]


def begin(sandbox: Sandbox, number: int) -> subprocess.Popen[bytes]:
    said = {
        "session_id": f"s{number}",
        "cwd": str(sandbox.root),
        "last_assistant_message": f"Message {number}.",
    }
    process = sandbox.start(
        "hook",
        "stop",
        "--host",
        "claude",
        stdin=subprocess.PIPE,
        environ={"CUEDECK_NO_BACKGROUND": "1"},
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(said).encode())
    process.stdin.close()
    process.stdin = None
    return process


@pytest.mark.parametrize("kills", [0, KILLS])
def test_no_acknowledged_message_is_lost_when_hooks_run_at_once(
    shop: Sandbox, kills: int
) -> None:
    """Under load the last messages of turns were lost: they were kept when the time was
    over, which took too long.
    """
    chance = random.Random(kills)
    running = {number: begin(shop, number) for number in range(HOOKS)}
    acknowledged = set()
    for number in list(running):
        if (
            kills and number % (HOOKS // kills) == 0
        ):  # a moment after another hook has ended
            victim = chance.choice(list(running))
            os.killpg(running[victim].pid, signal.SIGKILL)
        process = running.pop(number)
        out, _ = process.communicate(timeout=60)
        if process.returncode == 0:
            assert json.loads(out) == {"continue": True, "suppressOutput": True}
            acknowledged.add(f"Message {number}.")
    assert acknowledged <= {*remembered(shop), *pending(shop)}
    assert len(acknowledged) >= HOOKS - 2 * kills

    def is_drained() -> bool:
        shop.ok("session", "status")
        return not pending(shop)

    until(is_drained)
    found = remembered(shop)
    assert acknowledged <= set(found) and set(found.values()) == {1}


def test_a_message_is_remembered_once_wherever_the_process_of_the_queue_is_killed(
    shop: Sandbox, crash_runner: CrashRunner, shared_runner: CrashRunner
) -> None:
    kept = shop.bytes()

    def enqueued() -> None:
        for path, data in shop.bytes().items():
            if path not in kept or kept[path] != data:
                shop.place(path).unlink()
        for path, data in kept.items():
            shop.write(path, data)
        for place in shop.private("hooks").glob("*"):
            place.unlink()
        assert not enqueue(
            str(shop.root),
            HookEvent(
                "stop", "claude", session="s", message="The last words.", turn="1"
            ),
        )

    look = ("session", "status")
    enqueued()
    whole = crash_runner.run(shop.root, look, plan=NO_CRASH)
    assert remembered(shop) == Counter(["The last words."])
    for plan in crash_points(whole.writes, cuts=("half",)):
        enqueued()
        assert crash_runner.run(shop.root, look, plan=plan).signal == -signal.SIGKILL, (
            plan
        )
        crash_runner.ok(shop.root, look)
        found = texts(shop.place(".cuedeck/MEMORY.md"))
        assert (found, pending(shop)) == (Counter(["The last words."]), []), plan
