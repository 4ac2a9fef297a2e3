"""Read-only access to a clone."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple

_PLAIN = (
    "-c",
    "core.autocrlf=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.quotePath=false",
)
_FILES = ("100644", "100755")
_PROBE_BYTES = 8_000
"""A file with a zero byte among this many first bytes is binary, as in git."""


class Blob(NamedTuple):
    """A regular file of a commit."""

    path: str
    sha: str
    size: int
    """Bytes."""


def git(folder: str, *arguments: str, text: str = "") -> str:
    """Run git in a folder; return its output. Raises: RuntimeError if it fails."""
    command = ["git", *_PLAIN, *arguments]
    ended = subprocess.run(
        command,
        cwd=folder,
        env=environ(),
        input=text.encode(),
        capture_output=True,
        check=False,
        timeout=900,
    )
    if ended.returncode:
        raise RuntimeError(
            f"{' '.join(command)} in {folder}:\n{ended.stderr.decode(errors='replace')}"
        )
    return ended.stdout.decode(errors="replace")


def environ() -> dict[str, str]:
    """Return the environment without variables that select another repository."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_")
    }


class Repository:
    """Trees, texts and the log of one clone; texts are cached by content."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._reader = subprocess.Popen(
            ["git", "cat-file", "--batch"],
            cwd=folder,
            env=environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._texts: dict[str, str | None] = {}

    def __enter__(self) -> Repository:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._reader.stdin is not None and self._reader.stdout is not None
        self._reader.stdin.close()
        self._reader.stdout.close()
        self._reader.wait()

    def blobs(self, commit: str) -> list[Blob]:
        """Return the regular files of a commit. Order: as git lists them, by path."""
        found = []
        for row in git(self.folder, "ls-tree", "-r", "-l", "-z", commit).split("\0"):
            if row:
                about, path = row.split("\t", 1)
                mode, _, sha, size = about.split()
                if mode in _FILES:
                    found.append(Blob(path, sha, int(size)))
        return found

    def text(self, sha: str) -> str | None:
        """Return the text of a file; None if it is binary."""
        if sha not in self._texts:
            data = self._read(sha)
            self._texts[sha] = (
                None if b"\0" in data[:_PROBE_BYTES] else data.decode(errors="replace")
            )
        return self._texts[sha]

    def touched(self, commit: str) -> list[Sequence[str]]:
        """Return the files changed by each commit up to this one, without merges.
        Order: newest first.
        """
        log = git(
            self.folder,
            "log",
            "--no-merges",
            "--no-renames",
            "--name-only",
            "--format=%x01",
            commit,
        )
        return [
            [path for path in row.split("\n") if path] for row in log.split("\x01")[1:]
        ]

    def _read(self, sha: str) -> bytes:
        requests, answers = self._reader.stdin, self._reader.stdout
        assert requests is not None and answers is not None
        requests.write(f"{sha}\n".encode())
        requests.flush()
        size = int(answers.readline().split()[2])
        return answers.read(size + 1)[:size]
