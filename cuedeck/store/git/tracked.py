"""What git tracks although its own ignore rules hide it: to git, rules concern untracked files alone."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.store.fs.scan_result import FileStamp

if TYPE_CHECKING:
    from cuedeck.store.git.head import Repository


class TrackedFiles:
    """The files of a workspace that git's index names in spite of git's rules.

    git itself is asked, and only when its index is not the file it was asked about last. Whoever knows that the
    rules are other ones has it asked again.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self.names = ""
        """Their paths as `Git` gives them: each byte a character, a NUL behind each path."""
        self.fault = ""
        """Why git could not list them, a code of `GitFault`; else empty."""
        self._mark: FileStamp | None = None

    @property
    def paths(self) -> Sequence[str]:
        """Their paths; one that is in conflict stands there several times, a submodule's ends in a slash."""
        return os.fsdecode(self.names.encode("latin-1")).split("\0")[:-1]

    @property
    def kept(self) -> str:
        """What the next process needs to know, for `recall`; empty when it has to ask by itself, as after a fault."""
        if self._mark is None:
            return ""
        return " ".join(map(str, self._mark[:-1])) + "\n" + self.names

    def recall(self, kept: str) -> None:
        """Take over what was kept. Raises: ValueError, TypeError when it is damaged."""
        mark, _, self.names = kept.partition("\n")
        self._mark, self.fault = None, ""
        if mark:
            self._mark = _mark(*map(int, mark.split()))

    def look(self, repository: Repository | None) -> None:
        """Ask git when its index may be another one, or it failed; else this costs one look at that file."""
        now = _index_of(repository)
        if now is None or self._mark is None or not self._mark.trusts(now):
            self.ask(repository)

    def ask(self, repository: Repository | None) -> None:
        """Ask git. Without an index there is nothing to ask, and without a git that answers nothing is tracked."""
        checked_ns = time.time_ns()
        now = _index_of(repository)
        self._mark, self.names, self.fault = None, "", ""
        if repository is None or now is None:
            return
        from cuedeck.store.git.git_queries import Git
        from cuedeck.store.git.problems import GitFault

        try:
            self.names = Git(self._root, repository).tracked_in_spite_of_rules().decode("latin-1")
        except GitFault as fault:
            self.fault = fault.code
            return
        self._mark = _mark(now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino, checked_ns)


def _mark(size: int, mtime_ns: int, ctime_ns: int, inode: int, checked_ns: int) -> FileStamp:
    """Return the fingerprint of an index; what is in it is never hashed."""
    return FileStamp(size, mtime_ns, ctime_ns, inode, checked_ns, "")


def _index_of(repository: Repository | None) -> os.stat_result | None:
    try:
        return os.stat(os.path.join(repository.private, "index")) if repository else None
    except OSError:
        return None
