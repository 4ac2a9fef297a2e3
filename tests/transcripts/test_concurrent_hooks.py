"""Concurrent hooks, some of them killed: every acknowledged message is stored once."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from command_server import ForkedProcess
from sandbox import Sandbox, until

from cuedeck.ledger.records.record_file import parse_records
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
    logs = Counter[str]()
    for place in sandbox.place(".cuedeck/memory").glob("*.md"):
        logs += record_texts(place)
    assert found == logs
    return found


def record_texts(place: Path) -> Counter[str]:
    """Return the texts of the records of a file; an incomplete line has none."""
    lines = parse_records(place.read_text()).records if place.exists() else ()
    return Counter(record.text for record in lines)


def pending_events(sandbox: Sandbox) -> list[str]:
    places = sorted(sandbox.place(".cuedeck/sessions/pending").glob("*/*.json"))
    found = []
    for place in places:
        with contextlib.suppress(FileNotFoundError):  # processed in the meantime
            found.append(json.loads(place.read_text())["message"])
    return found


def start_hook(sandbox: Sandbox, number: int) -> ForkedProcess:
    message = {"session_id": f"s{number}", "cwd": str(sandbox.root)}
    message["last_assistant_message"] = f"This is message {number}."
    arguments = ("hook", "stop", "--host", "claude")
    alone = {"CUEDECK_NO_BACKGROUND": "1"}
    process = sandbox.start(*arguments, stdin=subprocess.PIPE, environ=alone)
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode())
    process.stdin.close()
    process.stdin = None
    return process


def test_no_acknowledged_message_is_lost_by_concurrent_hooks(shop: Sandbox) -> None:
    """They used to be stored after the deadline, which took too long under load."""
    chance = random.Random(KILLS)
    running = {number: start_hook(shop, number) for number in range(HOOKS)}
    acknowledged = set()
    for number in list(running):
        if number % (HOOKS // KILLS) == 0:  # a moment after another hook has ended
            victim = chance.choice(list(running))
            running[victim].kill()
        process = running.pop(number)
        out, _ = process.communicate(timeout=60)
        if process.returncode == 0:
            assert json.loads(out) == {"continue": True, "suppressOutput": True}
            acknowledged.add(f"This is message {number}.")
    assert acknowledged <= {*memory_texts(shop), *pending_events(shop)}
    assert len(acknowledged) >= HOOKS - 2 * KILLS

    def is_drained() -> bool:
        shop.ok("session", "status")
        return not pending_events(shop)

    until(is_drained)
    found = memory_texts(shop)
    assert acknowledged <= set(found) and set(found.values()) == {1}


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
