"""The external commands that run now, and their end together with this process.

A command runs in a session of its own, so that it can be killed with its child
processes. Therefore no signal to this process and no end of the terminal reaches it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

_ENDING = ("SIGTERM", "SIGHUP")
"""Signals that end a process without running its `finally` blocks."""


class RunningCommands:
    """Commands that a signal or another thread can end together.

    There is no lock: a signal may interrupt the thread that would hold it.
    """

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._is_ended = False

    def add(self, process: subprocess.Popen[bytes]) -> None:
        """Add a command that was started; kill it if `end` was called already."""
        self._processes.add(process)
        if self._is_ended:
            kill_group(process)

    def remove(self, process: subprocess.Popen[bytes]) -> None:
        """Remove a command that has ended."""
        self._processes.discard(process)

    def end(self) -> bool:
        """Kill the commands, and each command that is added later; return whether there
        was one.
        """
        self._is_ended = True
        running = list(self._processes)
        for process in running:
            kill_group(process)
        return bool(running)


OF_PROCESS = RunningCommands()
"""All commands of this process."""


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a command with its process group: its child processes may outlive it."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


@contextlib.contextmanager
def ended_with_process() -> Iterator[None]:
    """End the commands of this process if it ends in the meantime.

    Signals are handled in the main thread only, and only those without a handler.
    """
    if threading.current_thread() is not threading.main_thread():
        _end_at_exit()
        yield
        return
    received: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        if OF_PROCESS.end():
            _end_by(number)
        # The command is being started: `add` kills it.
        received.append(number)

    numbers = []
    for name in _ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)
            numbers.append(number)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
    for number in received:
        _end_by(number)


@cache
def _end_at_exit() -> None:
    """End the commands of other threads when the interpreter ends; register that
    once.
    """
    atexit.register(OF_PROCESS.end)


def _end_by(number: int) -> None:
    """End this process by a signal, as if there were no handler."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
