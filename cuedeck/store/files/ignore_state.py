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
    look_at_rules,
    outside_rules_of,
    user_excludes,
)
from cuedeck.store.git.head import find_repository, worktrees_below

if TYPE_CHECKING:
    from cuedeck.store.git.head import Repository


class TrackedFiles:
    """The files that git tracks although its own ignore rules hide them; to git, rules
    concern untracked files only.

    git is run only if its index changed since the last run. After a change of the
    rules, call `ask`.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self.names = ""
        """Their paths as `Git` returns them: one character per byte, and a NUL after
        each path.
        """
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
        from cuedeck.store.git.git_queries import Git
        from cuedeck.store.git.history_diagnostics import GitFault

        try:
            self.names = (
                Git(self._root, repository)
                .tracked_in_spite_of_rules()
                .decode("latin-1")
            )
        except GitFault as fault:
            self.fault = fault.code
            return
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


class IgnoreState:
    """The ignore rules of a workspace, read at first use."""

    def __init__(self, root: str, own: OwnRules) -> None:
        self._root = root
        self._own = own
        self._tracked = TrackedFiles(root)
        self._read: IgnoreRules | None = None

    @property
    def tracked(self) -> str:
        """Serialised state of git's tracked files, stored in the index for `recall`."""
        return self._tracked.kept

    @property
    def tracked_fault(self) -> str:
        """Code of the git failure that prevented listing tracked files; see
        `TrackedFiles.fault`.
        """
        return self._tracked.fault

    def recall(self, tracked: str) -> None:
        """Restore the state stored in an index, and read the rules again at next use.

        Raises: ValueError or TypeError if the state is damaged.
        """
        self._tracked.recall(tracked)
        self._read = None

    def rules(self) -> IgnoreRules:
        """Return the ignore rules."""
        if self._read is None:
            self._read = IgnoreRules(
                self._root, self._own.patterns(), self._tracked.paths
            )
        return self._read

    def is_still(self, signature: str) -> bool:
        """Return whether a signature is current; ignore files inside the scanned tree
        are not part of it.
        """
        if not signature:
            return False
        repository = find_repository(self._root)
        self._tracked.look(repository)
        return signature == self._signature(repository)

    def renew(self) -> str:
        """Reload the rules and git's tracked files; return the new signature. All paths
        must be evaluated again.
        """
        repository = find_repository(self._root)
        self._tracked.ask(repository)
        self._read = None
        return self._signature(repository)

    def _signature(self, repository: Repository | None) -> str:
        """Return a hash of all inputs of visibility outside the scanned tree."""
        parts: list[str | bytes] = [
            self._own.source(),
            self._tracked.names,
            repository.prefix if repository else "",
        ]
        parts += worktrees_below(repository, self._root)
        places = outside_rules_of(repository, self._root) if repository else []
        if repository:
            places.append(user_excludes())
        for place in places:
            parts.append(
                os.path.relpath(place, self._root).encode("utf-8", "surrogateescape")
            )
            parts.append(look_at_rules(place))
        return sha256(repr(parts).encode()).hexdigest()


def _index_of(repository: Repository | None) -> os.stat_result | None:
    try:
        return (
            os.stat(os.path.join(repository.private, "index")) if repository else None
        )
    except OSError:
        return None
