"""Runs a command of the user: bytes in, bytes out, limited in time and output size.

A command runs in a session of its own, so that it can be killed with its child
processes. Therefore no signal to this process and no end of the terminal reaches it,
and all running commands are ended together with this process.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.errors import StorageError

if TYPE_CHECKING:
    import subprocess

LONGEST_SUMMARY = 10_000_000
"""Largest output of a summariser in bytes."""
_ENDING = ("SIGTERM", "SIGHUP")
"""Signals that end a process without running its `finally` blocks."""
_TIDY_SECONDS = 0.2
"""Longest wait for a thread whose pipe is closed by the end of the command."""


class Limits(NamedTuple):
    """The limits of one run, and the settings that an error names."""

    seconds: float
    output: int
    """Largest output in bytes; a command that prints more is killed."""
    command_hint: str
    """Hint of every error except a timeout."""
    seconds_hint: str
    """Hint of a timeout."""


def ask_summariser(
    command: Sequence[str], request: Mapping[str, Any], seconds: float, folder: str
) -> Any:
    """Send a JSON request to the summariser of compaction and return the JSON that it
    prints.

    Raises: StorageError as `run_command` does, or if it prints something else.
    """
    data = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
    hint = "compaction.summariser names the command and its arguments"
    seconds_hint = "compaction.summariser_seconds"
    limits = Limits(seconds, LONGEST_SUMMARY, hint, seconds_hint)
    answer = run_command(command, data, limits, folder)
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{command[0]} did not print JSON", hint=hint) from error


def run_command(
    command: Sequence[str],
    data: bytes,
    limits: Limits,
    folder: str,
    commands: RunningCommands | None = None,
) -> bytes:
    """Send bytes to a command on stdin and return the bytes that it prints. No shell is
    involved.

    The command and its child processes have ended when this returns; after the time
    limit they are killed, and if a signal ends this process. With `commands`, another
    thread can end them, too. Raises: StorageError if the command cannot be run, fails,
    takes too long, is killed, or prints too much.
    """
    name = command[0] if command else "the command"
    groups = [OF_PROCESS] if commands is None else [OF_PROCESS, commands]
    with ended_with_process():
        process = _start(command, folder, limits)
        for group in groups:
            group.add(process)
        try:
            answer = _exchange(process, data, limits)
        finally:
            for group in groups:
                group.remove(process)
    if answer is None:
        raise StorageError(
            f"{name} did not answer within {limits.seconds:g} s",
            hint=limits.seconds_hint,
        )
    if len(answer) > limits.output:
        raise StorageError(
            f"{name} answered more than {limits.output:,} bytes",
            hint=limits.command_hint,
        )
    if process.returncode:
        raise StorageError(
            f"{name} ended with {process.returncode}", hint=limits.command_hint
        )
    return answer


def _start(
    command: Sequence[str], folder: str, limits: Limits
) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own. Raises: StorageError."""
    # Modules that are loaded by every search import this one.
    import subprocess

    try:
        return subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError, IndexError) as error:
        name = command[0] if command else "the command"
        raise StorageError(
            f"{name} cannot be run: {error}", hint=limits.command_hint
        ) from error


def _exchange(
    process: subprocess.Popen[bytes], data: bytes, limits: Limits
) -> bytes | None:
    """Write and read concurrently to avoid a deadlock on full pipes; return None after
    a timeout.
    """
    assert process.stdin is not None and process.stdout is not None
    end = time.monotonic() + limits.seconds
    received: list[bytes] = []
    reader = threading.Thread(
        target=_read, args=(process.stdout, received, limits.output), daemon=True
    )
    writer = threading.Thread(target=_write, args=(process.stdin, data), daemon=True)
    try:
        reader.start()
        writer.start()
        reader.join(limits.seconds)
        is_late = reader.is_alive()
        if not is_late and received and len(received[0]) <= limits.output:
            is_late = not _has_ended(process, end)
    finally:
        kill_group(process)
        process.wait()
    reader.join(_TIDY_SECONDS)
    writer.join(_TIDY_SECONDS)
    return None if is_late or not received else received[0]


def _read(stream: IO[bytes], received: list[bytes], most: int) -> None:
    # The reading thread closes the stream: closing it from another thread would wait
    # for the reader's lock.
    with contextlib.suppress(OSError), stream:
        received.append(stream.read(most + 1))


def _write(stream: IO[bytes], data: bytes) -> None:
    # A command that does not read to the end may still answer.
    with contextlib.suppress(OSError):
        stream.write(data)
    with contextlib.suppress(OSError):
        stream.close()


def _has_ended(process: subprocess.Popen[bytes], end: float) -> bool:
    """Wait for the end of a command until a time of the monotonic clock; return whether
    it has ended.
    """
    import subprocess

    try:
        process.wait(max(end - time.monotonic(), 0.0))
    except subprocess.TimeoutExpired:
        return False
    return True


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
