"""Inputs that decide which files are visible: settings, ignore files in and above the
workspace, git's index.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.files.ignore_rules import (
    IgnoreRules,
    files_outside,
    look_at_rules,
)
from cuedeck.store.git.head import find_repository, worktrees_below

if TYPE_CHECKING:
    from cuedeck.store.git.head import Repository

_IN_SPITE = ("ls-files", "-z", "--cached", "--stage", "--ignored", "--exclude-standard")
_SUBMODULE = b"160000 "
GitDeadline = Callable[[], float | None]
"""Returns the time of the monotonic clock at which a git process is killed that is
started now.
"""


class TrackedFiles:
    """The files that git tracks although its own ignore rules hide them; to git, rules
    concern untracked files only.

    git is run only if its index changed since the last run. After a change of the
    rules, call `ask`.
    """

    def __init__(self, root: str, git_deadline: GitDeadline = lambda: None) -> None:
        self._root = root
        self._git_deadline = git_deadline
        self.names = ""
        """Their paths: one character per byte, and a NUL after each path."""
        self.fault = ""
        """Code of the `GitFault` that prevented listing them; else empty."""
        self._mark: FileStamp | None = None

    @property
    def paths(self) -> Sequence[str]:
        """Their paths; one in conflict occurs several times, that of a submodule ends
        in a slash.
        """
        return os.fsdecode(self.names.encode("latin-1")).split("\0")[:-1]

    @property
    def kept(self) -> str:
        """Serialised state for `recall` in the next process; empty if that process must
        run git, as after a fault.
        """
        if self._mark is None:
            return ""
        return " ".join(map(str, self._mark[:-1])) + "\n" + self.names

    def recall(self, kept: str) -> None:
        """Restore the state that `kept` returned. Raises: ValueError or TypeError if it
        is damaged.
        """
        mark, _, self.names = kept.partition("\n")
        self._mark, self.fault = None, ""
        if mark:
            self._mark = FileStamp._make((*map(int, mark.split()), ""))

    def look(self, repository: Repository | None) -> None:
        """Run git if its index may have changed or git failed before; else this costs
        one stat call.
        """
        now = _index_of(repository)
        if now is None or self._mark is None or not self._mark.trusts(now):
            self.ask(repository)

    def ask(self, repository: Repository | None) -> None:
        """Run git. Without an index of git, or if git fails, no file is tracked."""
        checked_ns = time.time_ns()
        now = _index_of(repository)
        self._mark, self.names, self.fault = None, "", ""
        if repository is None or now is None:
            return
        from cuedeck.store.git.git_process import run_git
        from cuedeck.store.git.history_diagnostics import GitFault

        deadline = self._git_deadline()
        try:
            output = run_git(self._root, repository, _IN_SPITE, deadline=deadline)
        except GitFault as fault:
            self.fault = fault.code
            return
        paths = []
        for row in output.split(b"\0")[:-1]:
            entry, _, path = row.partition(b"\t")
            paths.append(path + (b"/\0" if entry.startswith(_SUBMODULE) else b"\0"))
        self.names = b"".join(paths).decode("latin-1")
        # The content of git's index is never hashed.
        print_ = (now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino)
        self._mark = FileStamp(*print_, checked_ns, hash="")


class OwnRules(NamedTuple):
    """Ignore patterns of the settings, and the bytes that they are read from."""

    source: Callable[[], bytes]
    """Returns the source of the patterns; if its bytes change, all paths must be
    evaluated again.
    """
    patterns: Callable[[], Sequence[str]]
    git_deadline: GitDeadline = lambda: None


class IgnoreState:
    """The ignore rules of a workspace, read at first use."""

    def __init__(self, root: str, own: OwnRules) -> None:
        self._root = root
        self._own = own
        self.tracked = TrackedFiles(root, own.git_deadline)
        self._read: IgnoreRules | None = None

    def recall(self, tracked: str) -> None:
        """Restore the tracked files of an index, and read the rules again at next use.
        Raises: ValueError or TypeError if they are damaged.
        """
        self.tracked.recall(tracked)
        self._read = None

    def rules(self) -> IgnoreRules:
        """Return the ignore rules."""
        if self._read is None:
            own = self._own.patterns()
            self._read = IgnoreRules(self._root, own, self.tracked.paths)
        return self._read

    def is_still(self, signature: str) -> bool:
        """Return whether a signature is current; ignore files inside the scanned tree
        are not part of it.
        """
        if not signature:
            return False
        repository = find_repository(self._root)
        self.tracked.look(repository)
        return signature == self._signature(repository)

    def renew(self) -> str:
        """Reload the rules and git's tracked files; return the new signature. All paths
        must be evaluated again. Raises: ConfigurationError, even without a file.
        """
        repository = find_repository(self._root)
        self.tracked.ask(repository)
        self._read = None
        self.rules()
        return self._signature(repository)

    def _signature(self, repository: Repository | None) -> str:
        """Return a hash of all inputs of visibility outside the scanned tree."""
        prefix = repository.prefix if repository else ""
        parts: list[str | bytes] = [self._own.source(), self.tracked.names, prefix]
        parts += worktrees_below(repository, self._root)
        outside = files_outside(repository, self._root) if repository else []
        for _, place in outside:
            parts += (os.fsencode(place), look_at_rules(place))
        return sha256(repr(parts).encode()).hexdigest()


def _index_of(repository: Repository | None) -> os.stat_result | None:
    try:
        return (
            os.stat(os.path.join(repository.private, "index")) if repository else None
        )
    except OSError:
        return None
