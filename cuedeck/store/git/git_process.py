"""A git process without network and without programs that a repository configures; it
is killed if it hangs.

The variables that a git hook sets are removed from the environment. The total time of
git is not limited, because a result that depends on the speed of a machine is not
reproducible. The time without output is limited.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from typing import IO

from cuedeck.store.files.external_command import kill_group
from cuedeck.store.git.head import Repository
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
_SHA256_DIGITS = 64
_CONFIG = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = {}\n"


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
    ) -> None:
        """Start git in a folder. `deadline` is a time of the monotonic clock. Raises:
        GitFault.
        """
        environ = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_")
        }
        self._deadline = deadline
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
        watchdog = _Watchdog(self._process, self._deadline)
        try:
            with self._process.stdout as stream:
                while data := watchdog.watch_read(stream):
                    yield data
            watchdog.watch_end()
        finally:
            watchdog.stop()
            _kill(self._process)
            self._process.wait()
            with self._errors:
                self._errors.seek(0)
                wrong = self._errors.read(_CHUNK_BYTES)
        status = self._process.returncode
        if watchdog.fault:
            raise GitFault(watchdog.fault)
        if status == 0:
            return
        if b"dubious ownership" in wrong:
            raise GitFault(REFUSED)
        if status == _DIED or _signal_name(-status) in _CRASHES:
            raise GitDied(FAILED)
        raise GitFault(FAILED)


class _Watchdog:
    """Kills a process without output for too long, or after its deadline."""

    def __init__(
        self, process: subprocess.Popen[bytes], deadline: float | None
    ) -> None:
        self.fault = ""
        """SILENT or UNFINISHED if the process was killed; else empty."""
        self._process = process
        self._deadline = deadline
        self._asked: float | None = None
        """Time of the read that waits for git; None while git waits for a read."""
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="git", daemon=True)
        self._thread.start()

    def watch_read(self, stream: IO[bytes]) -> bytes:
        """Return the next bytes; empty at the end of the output."""
        self._asked = time.monotonic()
        data = os.read(stream.fileno(), _CHUNK_BYTES)
        self._asked = None
        return data

    def watch_end(self) -> None:
        """Wait for the end of the process."""
        self._asked = time.monotonic()
        self._process.wait()

    def stop(self) -> None:
        """End the thread, so that this process may be forked again."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._left()):
            if self._left() <= 0:
                is_over = (
                    self._deadline is not None and time.monotonic() >= self._deadline
                )
                self.fault = UNFINISHED if is_over else SILENT
                _kill(self._process)
                return

    def _left(self) -> float:
        """Return the seconds until the process is killed."""
        now = time.monotonic()
        ends = [(now if self._asked is None else self._asked) + SILENT_SECONDS]
        if self._deadline is not None:
            ends.append(self._deadline)
        return max(min(ends) - now, 0.0)


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


@contextlib.contextmanager
def borrowed_objects(
    repository: Repository, commit: str, head: str = ""
) -> Iterator[dict[str, str]]:
    """Provide the environment in which git uses an empty temporary repository with the
    objects of another one. Raises: OSError.

    Settings, attributes, the index and the files of a checkout change what git prints,
    and name programs that git starts. git reads none of these in a repository without
    them. `commit` is any commit of the repository, `head` the one of HEAD.
    """
    algorithm = "sha256" if len(commit) == _SHA256_DIGITS else "sha1"
    files = {
        "HEAD": f"{head or 'ref: refs/heads/none'}\n",
        "config": _CONFIG.format(algorithm),
    }
    with tempfile.TemporaryDirectory(
        prefix="cuedeck-git-", ignore_cleanup_errors=True
    ) as folder:
        for name in ("objects", "refs", "info"):
            os.mkdir(os.path.join(folder, name))
        for name, text in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text.encode("ascii"))
        yield {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_DIR": folder,
            "GIT_INDEX_FILE": os.path.join(folder, "index"),
            "GIT_OBJECT_DIRECTORY": os.path.join(repository.common, "objects"),
            "GIT_WORK_TREE": folder,
            "HOME": folder,  # older versions of git ignore GIT_CONFIG_GLOBAL
            "XDG_CONFIG_HOME": folder,
        }
