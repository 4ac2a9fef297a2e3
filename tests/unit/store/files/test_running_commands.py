"""The end of external commands together with the process that runs them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ending_signals import ENDING_SIGNALS

from cuedeck.store.files.external_command import RunningCommands, kill_group

pytestmark = pytest.mark.skipif(
    not shutil.which("sh") or not hasattr(os, "killpg"),
    reason="needs a shell and process groups",
)

PATIENCE_SECONDS = 60
WAITING = ["sh", "-c", "echo started; sleep 600"]
RUN = """
import signal, sys, threading
from cuedeck.store.files.external_command import Limits, run_command

def run():
    run_command(["sh", "-c", sys.argv[1]], b"go\\n", Limits(600, 9, "", ""), ".")

"""
"""A script that runs a command."""


@pytest.fixture
def waiting() -> Iterator[subprocess.Popen[bytes]]:
    """A command that waits, with a child process."""
    process = subprocess.Popen(WAITING, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"
    yield process
    kill_group(process)
    process.communicate(timeout=PATIENCE_SECONDS)


def test_end_kills_a_command_with_its_child_processes(
    waiting: subprocess.Popen[bytes],
) -> None:
    commands = RunningCommands()
    commands.add(waiting)
    assert commands.end()
    out, _ = waiting.communicate(timeout=PATIENCE_SECONDS)
    assert out == b"", "no process holds the pipe"
    assert waiting.returncode == -signal.SIGKILL


def test_a_command_added_after_the_end_is_killed(
    waiting: subprocess.Popen[bytes],
) -> None:
    commands = RunningCommands()
    assert not commands.end()
    commands.add(waiting)
    waiting.communicate(timeout=PATIENCE_SECONDS)
    assert waiting.returncode == -signal.SIGKILL


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_a_command_ends_with_a_process_that_a_signal_ends(
    tmp_path: Path, number: signal.Signals
) -> None:
    with running(tmp_path, "run()") as process:
        process.send_signal(number)
        assert process.wait(PATIENCE_SECONDS) == -number


def test_a_handler_of_the_caller_is_kept(tmp_path: Path) -> None:
    handler = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))"
    with running(tmp_path, f"{handler}\nrun()") as process:
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) == 5


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    """`nohup` ignores SIGHUP."""
    ignore = "signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with running(tmp_path, f"{ignore}\nrun()") as process:
        process.send_signal(signal.SIGHUP)
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) == -signal.SIGTERM


def test_a_command_of_another_thread_ends_with_the_interpreter(tmp_path: Path) -> None:
    thread = "threading.Thread(target=run, daemon=True).start()\nsys.stdin.read()"
    with running(tmp_path, thread) as process:
        process.stdin.close()
        assert process.wait(PATIENCE_SECONDS) == 0


@contextmanager
def running(folder: Path, code: str) -> Iterator[Any]:
    """Yield a process that runs a command; at the end, the command must have ended
    before it could write.
    """
    place = folder / "pipe"
    os.mkfifo(place)
    command = f"read go; exec 3>'{place}'; echo started >&3; sleep 60; echo late >&3"
    script = [sys.executable, "-c", f"{RUN}{code}", command]
    with (
        subprocess.Popen(script, stdin=subprocess.PIPE) as process,
        place.open("rb") as pipe,
    ):
        assert pipe.readline() == b"started\n"
        yield process
        assert pipe.read() == b""
