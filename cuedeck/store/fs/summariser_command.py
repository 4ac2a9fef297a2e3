"""Runs the external summariser command of compaction: JSON in, JSON out, limited in
time and output size.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import IO, Any

from cuedeck.model.errors import StorageError

LONGEST_ANSWER = 10_000_000
"""Largest output in bytes; a command that prints more is killed."""
_HINT = "compaction.summariser names the command and its arguments"


def ask(
    command: Sequence[str], request: Mapping[str, Any], seconds: float, folder: str
) -> Any:
    """Send a JSON request to a command on stdin and return the JSON it prints. No shell
    is involved.

    The command and its child processes are killed after `seconds`. Raises: StorageError
    if the command cannot be run, fails, takes too long, or prints something else.
    """
    try:
        process = subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise StorageError(
            f"{command[0]} cannot be run: {error}", hint=_HINT
        ) from error
    data = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
    answer = _exchange(process, data, seconds)
    if answer is None:
        raise StorageError(
            f"{command[0]} did not answer within {seconds:g} s",
            hint="compaction.summariser_seconds",
        )
    if len(answer) > LONGEST_ANSWER:
        raise StorageError(
            f"{command[0]} answered more than {LONGEST_ANSWER:,} bytes", hint=_HINT
        )
    if process.returncode:
        raise StorageError(f"{command[0]} ended with {process.returncode}", hint=_HINT)
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{command[0]} did not print JSON", hint=_HINT) from error


def _exchange(
    process: subprocess.Popen[bytes], data: bytes, seconds: float
) -> bytes | None:
    """Write and read concurrently to avoid a deadlock on full pipes; return None after
    a timeout.
    """
    assert process.stdin is not None and process.stdout is not None
    outputs: list[bytes] = []
    reader = threading.Thread(target=_read, args=(process.stdout, outputs), daemon=True)
    writer = threading.Thread(target=_write, args=(process.stdin, data), daemon=True)
    reader.start()
    writer.start()
    try:
        reader.join(seconds)
        is_late = reader.is_alive()
        if not is_late and outputs and len(outputs[0]) <= LONGEST_ANSWER:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
    finally:
        _end(process)
    reader.join(1)
    writer.join(1)
    if is_late or not outputs:
        return None
    return outputs[0]


def _read(stream: IO[bytes], outputs: list[bytes]) -> None:
    # The reading thread closes the stream: closing it from another thread would wait
    # for the reader's lock.
    with contextlib.suppress(OSError), stream:
        outputs.append(stream.read(LONGEST_ANSWER + 1))


def _write(stream: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(OSError):
        # A command that does not read to the end may still answer.
        stream.write(data)
    with contextlib.suppress(OSError):
        stream.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group of a command: its child processes may outlive the command
    itself.
    """
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
