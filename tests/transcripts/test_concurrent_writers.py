"""Several concurrent writers lose nothing and never wait for ever."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sandbox import Sandbox

PATIENCE_SECONDS = 120

NOTE = """
import sys
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.work.sessions.session_notes import add_note
from cuedeck.work.sessions.session_working_set import add_to_working_set
project = open_workspace(sys.argv[1], {})
for number in range(20):
    add_note(project, f"{sys.argv[2]} {number}")
    add_to_working_set(project, sys.argv[1], [f"{sys.argv[2]}-{number}.md"], "write")
project.close()
"""
BEGIN = """
import sys
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.work.sessions.session_notes import add_note
project = open_workspace(sys.argv[1], {})
for line in sys.stdin:
    made = add_note(project, f"{sys.argv[2]} {line.strip()}")
    print(made["session"], flush=True)
project.close()
"""
WRITERS = ("one", "other")


def run_twice(sandbox: Sandbox, code: str) -> None:
    """Run the same code in two concurrent processes."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(sandbox.root), name],
            env=sandbox.environ,
            stderr=subprocess.PIPE,
        )
        for name in WRITERS
    ]
    ended = [process.communicate(timeout=PATIENCE_SECONDS)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], ended


def test_concurrent_first_notes_start_one_session(sandbox: Sandbox) -> None:
    """The second process used to be refused: it had seen no session, and then one was
    already open.
    """
    running = [
        subprocess.Popen(
            [sys.executable, "-c", BEGIN, str(sandbox.root), name],
            env=sandbox.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in WRITERS
    ]
    for number in range(5):
        for process in running:
            assert process.stdin is not None
            process.stdin.write(f"{number}\n")
            process.stdin.flush()
        message = [
            process.stdout.readline().strip() if process.stdout else ""
            for process in running
        ]
        assert all(message), [
            process.communicate(timeout=PATIENCE_SECONDS) for process in running
        ]
        (session,) = set(message)
        found = sandbox.answer("session", "show", session)
        assert sorted(each["text"] for each in found["notes"]) == [
            f"{name} {number}" for name in WRITERS
        ]
        sandbox.ok("session", "close")
    assert [
        process.communicate(timeout=PATIENCE_SECONDS)[1] for process in running
    ] == ["", ""]


@pytest.mark.parametrize("largest_kib", [64, 1])
def test_concurrent_notes_are_all_stored(sandbox: Sandbox, largest_kib: int) -> None:
    sandbox.write(".cuedeck/config.toml", f"[session]\ncompress_kib = {largest_kib}\n")
    session = sandbox.answer("session", "start")["session"]
    run_twice(sandbox, NOTE)
    found = sandbox.answer("session", "show", session)
    wanted = [(name, number) for name in WRITERS for number in range(20)]
    assert sorted(each["text"] for each in found["notes"]) == sorted(
        f"{name} {number}" for name, number in wanted
    )
    assert set(found["workingSet"]) == {
        f"{name}-{number}.md" for name, number in wanted
    }
    assert sandbox.answer("session", "list")["faults"] == []
