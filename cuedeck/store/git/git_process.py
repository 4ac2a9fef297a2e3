"""A git process without network and without programs that a repository configures; it
is killed if it hangs.

The variables that a git hook sets are removed from the environment. The total time of
git is not limited, because a result that depends on the speed of a machine is not
reproducible. The time without output is limited.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import IO

from cuedeck.store.files.running_commands import kill_group
from cuedeck.store.git.history_diagnostics import (
    FAILED,
    NO_GIT,
    REFUSED,
    SILENT,
    UNFINISHED,
    GitFault,
)

SILENT_SECONDS = 60.0
"""A git process without output for this time hangs."""
LOOK_SECONDS = 1.0
"""Time without output after which the cause is searched."""
_ENVIRONMENT = {
    # stops fetches of missing objects in versions of git without GIT_NO_LAZY_FETCH
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_GIT = (
    *(
        "git",
        "--no-pager",
        "--no-replace-objects",
        "-c",
        "safe.bareRepository=explicit",
    ),
    # Both settings name programs that git would start.
    *("-c", "core.fsmonitor=false", "-c", "log.showSignature=false"),
    # These name files that git would read, such as a device.
    *(
        "-c",
        "log.mailmap=false",
        "-c",
        f"mailmap.file={os.devnull}",
        "-c",
        "mailmap.blob=",
    ),
    *("-c", f"diff.orderFile={os.devnull}", "-c", f"core.attributesFile={os.devnull}"),
)
_DIED = 128
"""Exit status of git after a fatal error."""
_CRASHES = frozenset({"SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV"})
_CHUNK_BYTES = 1 << 18
_DONE = object()


class GitDied(GitFault):
    """git died of a fatal error; the same request would fail again."""


class GitProcess:
    """A running git process. Its output is read once, by `read` or `chunks`."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: str,
        variables: dict[str, str],
        *,
        deadline: float | None = None,
        stdin: IO[bytes] | None = None,
        search: Callable[[], Iterator[None]] = lambda: iter(()),
    ) -> None:
        """Start git in a folder. `deadline` is a time of the monotonic clock. Raises:
        GitFault.

        `search` runs step by step while git prints nothing; it raises a GitFault for a
        file that blocks git forever.
        """
        environ = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_")
        }
        self._deadline = deadline
        self._search = search
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            self._process = subprocess.Popen(
                [*_GIT, *arguments],
                cwd=folder,
                env=environ | _ENVIRONMENT | variables,
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            raise GitFault(NO_GIT) from error

    def read(self) -> bytes:
        """Return everything that git prints. Raises: GitFault."""
        return b"".join(self.chunks())

    def chunks(self) -> Generator[bytes, None, None]:
        """Yield the output as it arrives; the process ends with the iterator. Raises:
        GitFault; GitDied.
        """
        assert self._process.stdout is not None
        watchdog = _Watchdog(self._process, self._deadline, self._search())
        try:
            with self._process.stdout as stream:
                while data := watchdog.watch_read(stream):
                    yield data
            watchdog.watch_end()
        finally:
            watchdog.stop()
            _end(self._process)
            wrong = self._take_errors()
        if watchdog.fault:
            raise GitFault(watchdog.fault)
        self._check(wrong)

    def _take_errors(self) -> bytes:
        with self._errors:
            self._errors.seek(0)
            return self._errors.read(_CHUNK_BYTES)

    def _check(self, wrong: bytes) -> None:
        status = self._process.returncode
        if status == 0:
            return
        if b"dubious ownership" in wrong:
            raise GitFault(REFUSED)
        if status == _DIED or _signal_name(-status) in _CRASHES:
            raise GitDied(FAILED)
        raise GitFault(FAILED)


class _Watchdog:
    """Kills a process without output for too long, after its deadline, or for which
    `search` finds a fault.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        deadline: float | None,
        search: Iterator[None],
    ) -> None:
        self.fault = ""
        """SILENT, UNFINISHED or the code that `search` raised if the process was
        killed; else empty.
        """
        self._search = search
        self._is_searched = False
        self._process = process
        self._deadline = deadline
        self._asked = time.monotonic()
        """Time of the last read; git cannot print while its output is not read."""
        self._is_waiting = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="git", daemon=True)
        self._thread.start()

    def watch_read(self, stream: IO[bytes]) -> bytes:
        """Return the next bytes; empty at the end of the output."""
        self._asked = time.monotonic()
        self._is_waiting = True
        data = os.read(stream.fileno(), _CHUNK_BYTES)
        self._is_waiting = False
        return data

    def watch_end(self) -> None:
        """Wait for the end of the process."""
        self._asked = time.monotonic()
        self._is_waiting = True
        self._process.wait()

    def stop(self) -> None:
        """End the thread, so that this process may be forked again."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(max(min(self._left(), self._until_search()), 0.0)):
            if self._left() <= 0:
                self._end(UNFINISHED if self._is_over() else SILENT)
                return
            if self._until_search() > 0:
                continue
            try:
                self._is_searched = next(self._search, _DONE) is _DONE
            except GitFault as fault:
                self._end(fault.code)
                return

    def _until_search(self) -> float:
        """Return the seconds until the next step of the search; there is none while git
        prints.
        """
        if self._is_searched:
            return SILENT_SECONDS
        if not self._is_waiting:
            return LOOK_SECONDS
        return self._asked + LOOK_SECONDS - time.monotonic()

    def _end(self, fault: str) -> None:
        self.fault = fault
        _kill(self._process)

    def _is_over(self) -> bool:
        if self._deadline is None:
            return False
        return time.monotonic() >= self._deadline

    def _left(self) -> float:
        """Return the seconds until the process is killed."""
        now = time.monotonic()
        left = SILENT_SECONDS
        if self._is_waiting:
            left += self._asked - now
        if self._deadline is not None:
            left = min(left, self._deadline - now)
        return left


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process)
    process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill git and its child processes: `git` may be a wrapper script whose child keeps
    the pipes open.
    """
    if process.returncode is None:
        kill_group(process)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""
