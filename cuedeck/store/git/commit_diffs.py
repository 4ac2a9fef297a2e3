"""Differences between commits and their parents, read by a git process that uses only
the objects of a repository (`BorrowedObjects`).
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from types import TracebackType

from cuedeck.store.git.borrowed_objects import BorrowedObjects
from cuedeck.store.git.git_process import GitDied, GitProcess
from cuedeck.store.git.head import Repository
from cuedeck.store.git.history_diagnostics import FAILED, NO_GIT, GitFault
from cuedeck.store.git.irregular_files import search_objects

MOST_FAILURES = 50
"""Number of failed commits after which the others are skipped, because each failure
costs a process.
"""
MOST_BYTES = 32_000_000
"""Maximum size of the output for one commit; the rest is dropped."""
_DIFF = (
    *(
        "-c",
        "core.quotePath=false",
        "-c",
        f"core.attributesFile={os.devnull}",
        "-c",
        "core.bigFileThreshold=1m",
    ),
    *("diff-tree", "--stdin", "--root", "-r"),
    *("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"),
)
_OUTLINE = (
    "--name-status",
    "-z",
    "-M100%",
    "--always",
    "--encoding=UTF-8",
    "--format=%x00%ct%x00%s%x00%b%x00",
)
_PATCH = (
    *(
        "-p",
        "-U0",
        "-M50%",
        "-l60",
    ),  # a commit with more than 60 rename candidates touches too many files anyway
    *("--no-commit-id", "--full-index", "--diff-algorithm=myers", "--indent-heuristic"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
Answers = Iterator[tuple[str, bytes | None]]


class Diffs:
    """Reader of differences; as a context manager it removes the temporary repository
    at its end.
    """

    def __init__(self, repository: Repository, deadline: float | None = None) -> None:
        self._repository = repository
        self._deadline = deadline
        self._objects = BorrowedObjects(repository)
        self._failures = {_OUTLINE: 0, _PATCH: 0}

    def __enter__(self) -> Diffs:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._objects.__exit__(kind, error, trace)

    def outlines(self, ids: Sequence[str]) -> Answers:
        """Yield time, message and file names of each commit; None for a commit on which
        git fails. Raises: GitFault.

        The iteration ends early after `MOST_FAILURES`, counted over all calls.
        """
        return self._each(_OUTLINE, ids)

    def patches(self, ids: Sequence[str]) -> Answers:
        """Yield the patch of each commit, as `outlines` does."""
        return self._each(_PATCH, ids)

    def _each(self, arguments: tuple[str, ...], ids: Sequence[str]) -> Answers:
        at = 0
        while at < len(ids) and self._failures[arguments] < MOST_FAILURES:
            begun = at
            for answer in self._stream(arguments, ids[at:]):
                yield ids[at], answer
                at += 1
            # A commit on which a new process fails at once is unreadable; a running one
            # may fail for another reason.
            if at == begun:
                yield ids[at], None
                at += 1
                self._failures[arguments] += 1

    def _stream(self, arguments: Sequence[str], ids: Sequence[str]) -> Iterator[bytes]:
        """Yield the output for each commit, up to the one on which git dies. Raises:
        GitFault.
        """
        # git echoes a line that is not an id, which marks the end of an answer. No
        # commit message can contain this one.
        mark = f"={ids[0]}"
        prefix = self._repository.prefix
        relative = [f"--relative={prefix}"] if prefix else []
        answered = 0
        try:
            folder = self._objects.make(ids[0])
            with tempfile.TemporaryFile() as feed:
                # A pipe could fill up while git waits for its output to be read.
                feed.write("".join(f"{each}\n\n{mark}\n" for each in ids).encode())
                feed.seek(0)
                process = GitProcess(
                    [*_DIFF, *arguments, *relative],
                    folder,
                    self._objects.variables(),
                    deadline=self._deadline,
                    stdin=feed,
                    search=partial(search_objects, self._repository),
                )
        except OSError as error:
            raise GitFault(NO_GIT) from error
        try:
            with contextlib.closing(process.chunks()) as chunks:
                for answer in _cut(chunks, f"\n{mark}\n".encode()):
                    yield answer
                    answered += 1
        except GitDied:
            return
        if answered < len(ids):
            raise GitFault(FAILED)


def _cut(chunks: Iterable[bytes], mark: bytes) -> Iterator[bytes]:
    """Yield the text before each mark, cut to MOST_BYTES; text after the last mark is
    incomplete and dropped.
    """
    buffer = bytearray()
    answer = b""
    for data in chunks:
        start = max(len(buffer) - len(mark), 0)
        buffer += data
        while (end := buffer.find(mark, start)) >= 0:
            yield (answer + bytes(buffer[:end]))[:MOST_BYTES]
            del buffer[: end + len(mark)]
            start = 0
            answer = b""
        if len(buffer) > MOST_BYTES:
            # The end of the buffer may be the beginning of a mark.
            answer = (answer + bytes(buffer[: -len(mark)]))[:MOST_BYTES]
            del buffer[: -len(mark)]
