"""Concurrent hooks, some of them killed: every acknowledged message is stored once."""

from __future__ import annotations

import json
import random
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from command_server import ForkedProcess
from crash_runner import NO_CRASH, CrashRunner, crash_points
from sandbox import Sandbox, until

from cuedeck.agents.hooks.enqueue_event import enqueue
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.model.hook_event import HookEvent
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

HOOKS = 12
KILLS = 4


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: Tokens", "status: active")
    sandbox.activate("aaaaaa")
    sandbox.ok("session", "start")
    return sandbox


def memory_texts(sandbox: Sandbox) -> Counter[str]:
    """Return the texts of MEMORY.md; check that the daily logs have the same texts."""
    found = record_texts(sandbox.place(".cuedeck/MEMORY.md"))
    logs = sum(
        (
            record_texts(place)
            for place in sandbox.place(".cuedeck/memory").glob("*.md")
        ),
        Counter[str](),
    )
    assert found == logs
    return found


def record_texts(place: Path) -> Counter[str]:
    """Return the texts of the records of a file; an incomplete line has none."""
    lines = parse_records(place.read_text()).records if place.exists() else ()
    return Counter(record.text for record in lines)


def pending_events(sandbox: Sandbox) -> list[str]:
    places = sorted(sandbox.place(".cuedeck/sessions/pending").glob("*/*.json"))
    return [json.loads(place.read_text())["message"] for place in places]


def start_hook(sandbox: Sandbox, number: int) -> ForkedProcess:
    message = {
        "session_id": f"s{number}",
        "cwd": str(sandbox.root),
        "last_assistant_message": f"This is message {number}.",
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
    process.stdin.write(json.dumps(message).encode())
    process.stdin.close()
    process.stdin = None
    return process


@pytest.mark.parametrize("kills", [0, KILLS])
def test_no_acknowledged_message_is_lost_by_concurrent_hooks(
    shop: Sandbox, kills: int
) -> None:
    """Under load, the last messages of turns used to be lost: they were stored after
    the deadline, which took too long.
    """
    chance = random.Random(kills)
    running = {number: start_hook(shop, number) for number in range(HOOKS)}
    acknowledged = set()
    for number in list(running):
        if (
            kills and number % (HOOKS // kills) == 0
        ):  # a moment after another hook has ended
            victim = chance.choice(list(running))
            running[victim].kill()
        process = running.pop(number)
        out, _ = process.communicate(timeout=60)
        if process.returncode == 0:
            assert json.loads(out) == {"continue": True, "suppressOutput": True}
            acknowledged.add(f"This is message {number}.")
    assert acknowledged <= {*memory_texts(shop), *pending_events(shop)}
    assert len(acknowledged) >= HOOKS - 2 * kills

    def is_drained() -> bool:
        shop.ok("session", "status")
        return not pending_events(shop)

    until(is_drained)
    found = memory_texts(shop)
    assert acknowledged <= set(found) and set(found.values()) == {1}


def test_message_is_recorded_once_wherever_the_queue_process_is_killed(
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
                "stop",
                "claude",
                session="s",
                message="These are the last words.",
                turn="1",
            ),
        )

    look = ("session", "status")
    enqueued()
    whole = crash_runner.run(shop.root, look, plan=NO_CRASH)
    assert memory_texts(shop) == Counter(["These are the last words."])
    for plan in crash_points(whole.writes, cuts=("half",)):
        enqueued()
        assert crash_runner.run(shop.root, look, plan=plan).signal == -signal.SIGKILL, (
            plan
        )
        crash_runner.ok(shop.root, look)
        found = record_texts(shop.place(".cuedeck/MEMORY.md"))
        assert (found, pending_events(shop)) == (
            Counter(["These are the last words."]),
            [],
        ), plan


def test_events_that_the_end_of_a_session_leaves_are_processed_in_the_background(
    shop: Sandbox,
) -> None:
    """They used to stay, unmasked, until the next hook or command of the user."""
    with locked(WorkspacePaths(str(shop.root)), "sessions"):
        for event in ("stop", "session-end"):
            message = {
                "session_id": "a",
                "cwd": str(shop.root),
                "last_assistant_message": "These are the last words.",
            }
            process = shop.start("hook", event, stdin=subprocess.PIPE)
            process.communicate(json.dumps(message).encode(), timeout=60)
        assert "These are the last words." in pending_events(shop)
        until(shop.place(".cuedeck/cache/tick.started").exists)
    until(lambda: not pending_events(shop), "the background process")
    assert memory_texts(shop)["These are the last words."] == 1
