"""Several concurrent writers lose nothing and never wait for ever."""

from __future__ import annotations

import subprocess
import sys

from sandbox import Sandbox

PATIENCE_SECONDS = 120

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
