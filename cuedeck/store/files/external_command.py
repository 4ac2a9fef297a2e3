"""Runs a command of the user: bytes in, bytes out, limited in time and output size.

A command runs in a session of its own, so that it can be killed with its child
processes. A signal that ends this process does not reach it: it ends by itself then.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.model.errors import StorageError, UsageError

LONGEST_SUMMARY = 10_000_000
"""Largest output of a summariser in bytes."""


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
    command: Sequence[str], data: bytes, limits: Limits, folder: str
) -> bytes:
    """Send bytes to a command on stdin and return the bytes that it prints. No shell is
    involved.

    The command and its child processes have ended when this returns; after the time
    limit they are killed. Raises: StorageError if the command cannot be run, fails,
    takes too long, is killed, or prints too much.
    """
    # Modules that are loaded by every search import this one.
    import subprocess

    name = command[0] if command else "the command"
    hint = limits.command_hint
    try:
        process = subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError, IndexError) as error:
        raise StorageError(f"{name} cannot be run: {error}", hint=hint) from error
    try:
        answer = _exchange(process, data, limits)
    except subprocess.TimeoutExpired:
        answer = None
    finally:
        kill_group(process)
        process.wait()
    if answer is None:
        problem = f"{name} did not answer within {limits.seconds:g} s"
        raise StorageError(problem, hint=limits.seconds_hint)
    if len(answer) > limits.output:
        problem = f"{name} answered more than {limits.output:,} bytes"
        raise StorageError(problem, hint=hint)
    if process.returncode:
        raise StorageError(f"{name} ended with {process.returncode}", hint=hint)
    return answer


def _exchange(
    process: subprocess.Popen[bytes], data: bytes, limits: Limits
) -> bytes | None:
    """Write and read concurrently to avoid a deadlock on full pipes; return None, or
    raise TimeoutExpired, after the time limit.
    """
    end = time.monotonic() + limits.seconds
    received: list[bytes] = []
    streams: tuple[Any, Any] = (process.stdin, process.stdout)

    def write() -> None:
        # A command that does not read to the end may still answer.
        with contextlib.suppress(OSError), streams[0] as stream:
            stream.write(data)

    def read() -> None:
        # Closing the stream from another thread would wait for the reader's lock.
        with contextlib.suppress(OSError), streams[1] as stream:
            received.append(stream.read(limits.output + 1))

    threading.Thread(target=write, daemon=True).start()
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(limits.seconds)
    answer = received[0] if received else None
    if answer is not None and len(answer) <= limits.output:
        process.wait(max(end - time.monotonic(), 0.0))
    return answer


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a command with its process group: its child processes may outlive it."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


_HINT = "set EDITOR, for example EDITOR='code --wait'"
_TAKE_LINES = frozenset({"vi", "vim", "nvim", "nano", "emacs"})
"""Editors that accept `+LINE` before the file name."""


def run_editor(place: str, line: int, environ: Mapping[str, str]) -> None:
    """Open a file in the editor and wait. Raises: UsageError if there is no terminal or
    no editor.
    """
    if not sys.stdin.isatty():
        raise UsageError(
            "there is no terminal to run an editor in", hint=f"the file is {place}"
        )
    text = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise UsageError(
            f"the editor `{text}` cannot be read: {error}", hint=_HINT
        ) from None
    if not command or shutil.which(command[0]) is None:
        raise UsageError(f"the editor `{text}` was not found", hint=_HINT)
    position = (
        [f"+{line}"] if line and os.path.basename(command[0]) in _TAKE_LINES else []
    )
    try:
        subprocess.run([*command, *position, place], check=False)
    except OSError as error:
        raise UsageError(
            f"the editor `{text}` cannot be run: {error.strerror}", hint=_HINT
        ) from error
