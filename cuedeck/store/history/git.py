"""The processes of git: started without the variables of a hook, without the network, against one deadline."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from typing import IO, NamedTuple

from cuedeck.store.history.head import Repository, shallow_ends
from cuedeck.store.history.packing import MOST_COMMITS

MOST_FAILURES = 50
"""Commits that git fails on, until the rest is given up: each failure costs a process."""
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
    *("-c", "core.fsmonitor=false", "-c", "log.showSignature=false"),  # both would start programs the settings name
)
_HEAD = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
_LIST = ("rev-list", "--no-merges", f"--max-count={MOST_COMMITS}", "--topo-order")
_STATUS = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
_IN_SPITE = (
    *("-c", f"core.excludesFile={os.devnull}"),
    *("ls-files", "-z", "--cached", "--stage", "--ignored", "--exclude-standard"),
)
_SUBMODULE = b"160000 "
_LOG = ("log", "--no-merges", "--reverse", "-z", "--name-only", "--encoding=UTF-8", "--format=%x01%s", "-200")
_DIFF = (
    *("-c", "core.quotePath=false", "-c", f"core.attributesFile={os.devnull}", "-c", "core.bigFileThreshold=1m"),
    *("diff-tree", "--stdin", "--root", "-r"),
    *("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"),
)
_OUTLINE = ("--name-status", "-z", "-M100%", "--always", "--encoding=UTF-8", "--format=%x00%ct%x00%s%x00%b%x00")
# A commit with more candidates for a rename touches too many files in any case.
_PATCH = (
    "-p",
    "-U0",
    "-M50%",
    "-l60",
    "--no-commit-id",
    "--full-index",
    "--diff-algorithm=myers",
    "--indent-heuristic",
)
_SIDES = ("--src-prefix=a/", "--dst-prefix=b/")


class Listed(NamedTuple):
    """Commits, newest first; or why there are none."""

    ids: list[str]
    fault: str
    """Empty, `no-git`, `git-failed`, `git-refuses` or `git-slow`."""


class Git:
    """The repository of a folder, asked within one stretch of time."""

    def __init__(self, root: str, repository: Repository, seconds: float) -> None:
        self._root = root
        self._repository = repository
        self._deadline = time.monotonic() + seconds
        self._environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environ |= _ENVIRONMENT

    @property
    def left_seconds(self) -> float:
        """The time that is left."""
        return max(self._deadline - time.monotonic(), 0.0)

    def head(self) -> tuple[str, str]:
        """Return the commit HEAD is, and what went wrong."""
        data, fault = self._finish(self._start_here(_HEAD))
        return data.decode("ascii", "replace").strip(), fault

    def status(self) -> list[str]:
        """Return the paths of the repository that differ from HEAD or are new to git; none when git fails."""
        data, _ = self._finish(self._start_here(_STATUS))
        rows = data.decode("utf-8", "surrogateescape").split("\0")
        return [row[3:] for row in rows if row[3:]]

    def tracked_in_spite_of_rules(self) -> tuple[bytes, str]:
        """Return the paths of the folder that git tracks although its rules hide them, and what went wrong.

        A NUL stands behind each, and a slash before that where it is a submodule. Rules of the person's own git do
        not count.
        """
        data, fault = self._finish(self._start_here(_IN_SPITE))
        rows = [row.partition(b"\t") for row in data.split(b"\0")[:-1]]
        return b"".join(path + (b"/\0" if about.startswith(_SUBMODULE) else b"\0") for about, _, path in rows), fault

    def log(self, since: str) -> list[tuple[str, list[str]]]:
        """Return subject and paths of each commit behind `since`, oldest first; none when git fails."""
        data, _ = self._finish(self._start_here((*_LOG, f"{since}..HEAD", "--")))
        commits = data.decode("utf-8", "surrogateescape").split("\x01")[1:]
        parts = [commit.split("\0") for commit in commits]
        return [(rows[0], [path for row in rows[1:] if (path := row.strip("\n"))]) for rows in parts]

    def start_list(self, head: str) -> subprocess.Popen[bytes] | None:
        """Have the ancestry of a commit listed, for `finish_list`."""
        return self._start_here((*_LIST, head))

    def finish_list(self, listing: subprocess.Popen[bytes] | None) -> Listed:
        """Return what is listed, without the commits at which a shallow clone ends: what they did is unknown."""
        data, fault = self._finish(listing)
        ends = set(shallow_ends(self._repository).split())
        return Listed([each.decode("ascii", "replace") for each in data.split() if each not in ends], fault)

    def outlines(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Yield time, message and names of the files of each commit; None where git fails."""
        return self._each(_OUTLINE, ids)

    def patches(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Yield the patch of each commit; None where git fails. It ends early after many failures."""
        return self._each((*_PATCH, *_SIDES), ids)

    def _start_here(self, arguments: Sequence[str]) -> subprocess.Popen[bytes] | None:
        """Start git in the folder: it finds the repository itself, and refuses one that is somebody else's."""
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                [*_GIT, *arguments],
                cwd=self._root,
                env=self._environ,
                stdin=subprocess.DEVNULL,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
            )
        except OSError:
            return None

    def _finish(self, process: subprocess.Popen[bytes] | None) -> tuple[bytes, str]:
        """Return what git says, and what went wrong."""
        if process is None:
            return b"", "no-git"
        try:
            said, wrong = process.communicate(timeout=self.left_seconds)
        except subprocess.TimeoutExpired:
            return b"", "git-slow"
        finally:
            _end(process)
        if process.returncode == 0:
            return said, ""
        return b"", "git-refuses" if b"dubious ownership" in wrong else "git-failed"

    def _each(self, arguments: Sequence[str], ids: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        at = failures = 0
        while at < len(ids) and failures < MOST_FAILURES:
            for answer in self._stream(arguments, ids[at:]):
                yield ids[at], answer
                at += 1
            if at < len(ids):
                if not self.left_seconds:
                    return
                yield ids[at], None
                at += 1
                failures += 1

    def _stream(self, arguments: Sequence[str], ids: Sequence[str]) -> Iterator[bytes]:
        """Yield what git says of each commit, up to the one at which it dies."""
        # A line that is no id is echoed: it tells where an answer ends. No message can hold this one.
        mark = f"={ids[0]}"
        try:
            process = self._start_apart(arguments, "".join(f"{each}\n\n{mark}\n" for each in ids))
        except OSError:
            return
        watchdog = threading.Timer(self.left_seconds, _kill, (process,))
        watchdog.daemon = True
        watchdog.start()
        try:
            assert process.stdout is not None
            yield from _cut(process.stdout, f"\n{mark}\n".encode())
        finally:
            watchdog.cancel()
            _end(process)

    def _start_apart(self, arguments: Sequence[str], asked: str) -> subprocess.Popen[bytes]:
        """Start git apart from checkout and index: what their attributes say must not change what a commit did."""
        private, _, prefix = self._repository
        nothing = os.path.join(private, "cuedeck-no-index")
        relative = [f"--relative={prefix}"] if prefix else []
        with tempfile.TemporaryFile() as feed:  # a pipe would fill up while its other end waits for us to read
            feed.write(asked.encode())
            feed.seek(0)
            return subprocess.Popen(
                [*_GIT, *_DIFF, *arguments, *relative],
                cwd=private,
                env=self._environ | {"GIT_DIR": private, "GIT_WORK_TREE": private, "GIT_INDEX_FILE": nothing},
                stdin=feed,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process)
    process.communicate()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End git with all that it started: what is found by that name may be a script, whose child holds the pipes."""
    if process.returncode is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()


def _cut(stream: IO[bytes], mark: bytes) -> Iterator[bytes]:
    """Yield what stands before each mark; what follows the last one is half an answer."""
    held = bytearray()
    while data := os.read(stream.fileno(), 1 << 18):
        start = max(len(held) - len(mark), 0)
        held += data
        while (end := held.find(mark, start)) >= 0:
            yield bytes(held[:end])
            del held[: end + len(mark)]
            start = 0
