"""A process of git: without the network, without programs that a repository configures, ended when it hangs.

The environment is cleared of the variables that a hook of git sets. There is no limit on the whole time that git may
take, because a result that depends on the speed of a machine is not reproducible. There is one on its silence.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import IO

from cuedeck.store.git.problems import FAILED, NO_GIT, REFUSED, SILENT, UNFINISHED, GitFault

SILENT_SECONDS = 60.0
"""A git that prints nothing for so long hangs."""
LOOK_SECONDS = 1.0
"""After so long a silence the cause is searched."""
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # git fetches what a partial clone lacks; older ones know no other way to forbid it
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_GIT = (
    *("git", "--no-pager", "--no-replace-objects", "-c", "safe.bareRepository=explicit"),
    # Both settings name programs that git would start.
    *("-c", "core.fsmonitor=false", "-c", "log.showSignature=false"),
    # These name files that git would read, such as a device.
    *("-c", "log.mailmap=false", "-c", f"mailmap.file={os.devnull}", "-c", "mailmap.blob="),
    *("-c", f"diff.orderFile={os.devnull}", "-c", f"core.attributesFile={os.devnull}"),
)
_DIED = 128
"""The exit status with which git says that it cannot go on."""
_CRASHES = frozenset({"SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV"})
_CHUNK_BYTES = 1 << 18
_DONE = object()


class GitDied(GitFault):
    """git itself gave up on what it was asked; asked again, it would do so again."""


class GitProcess:
    """A running git. What it prints is read once, by `read` or `chunks`."""

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
        """Start git in a folder. `deadline` is a time of the monotonic clock. Raises: GitFault.

        `search` is run when git is silent, step by step; it raises a GitFault for what git would wait at for ever.
        """
        environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
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
        """Yield what git prints as it comes; end the process with the last chunk, or when nobody asks for more.

        Raises: GitFault; GitDied when git itself gave up.
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

    def close(self) -> None:
        """End a process whose answer nobody wants."""
        _end(self._process)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()

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
    """Ends a process that prints nothing for too long, whose deadline is over, or for which `search` finds a fault."""

    def __init__(self, process: subprocess.Popen[bytes], deadline: float | None, search: Iterator[None]) -> None:
        self.fault = ""
        """SILENT, UNFINISHED or the code that `search` raised when the process was ended, else empty."""
        self._search = search
        self._is_searched = False
        self._process = process
        self._deadline = deadline
        self._asked = time.monotonic()
        """When the process was last asked for more; time in which nobody reads is no silence of git."""
        self._is_waiting = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="git", daemon=True)
        self._thread.start()

    def watch_read(self, stream: IO[bytes]) -> bytes:
        """Return the next bytes that come, empty at the end."""
        self._asked, self._is_waiting = time.monotonic(), True
        data = os.read(stream.fileno(), _CHUNK_BYTES)
        self._is_waiting = False
        return data

    def watch_end(self) -> None:
        """Wait for the end of the process."""
        self._asked, self._is_waiting = time.monotonic(), True
        self._process.wait()

    def stop(self) -> None:
        """End the thread, so that this process may be copied again."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(max(min(self._left(), self._until_search()), 0.0)):
            if self._left() <= 0:
                self._end(UNFINISHED if self._is_over() else SILENT)
                return
            if self._until_search() <= 0:
                try:
                    self._is_searched = next(self._search, _DONE) is _DONE
                except GitFault as fault:
                    self._end(fault.code)
                    return

    def _until_search(self) -> float:
        """Return the seconds until the next step of the search; a git that prints again is not searched for."""
        if self._is_searched:
            return SILENT_SECONDS
        return self._asked + LOOK_SECONDS - time.monotonic() if self._is_waiting else LOOK_SECONDS

    def _end(self, fault: str) -> None:
        self.fault = fault
        _kill(self._process)

    def _is_over(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _left(self) -> float:
        now = time.monotonic()
        patience = self._asked + SILENT_SECONDS - now if self._is_waiting else SILENT_SECONDS
        return patience if self._deadline is None else min(patience, self._deadline - now)


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process)
    process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End git with all that it started: what is found by that name may be a script, whose child holds the pipes."""
    if process.returncode is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""
