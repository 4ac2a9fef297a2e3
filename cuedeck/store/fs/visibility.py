"""Inputs that decide which files are visible: settings, ignore files in and above the workspace, git's index."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.fs.ignore_rules import IgnoreRules, look_at_rules, outside_rules_of
from cuedeck.store.git.head import find_repository, worktrees_below
from cuedeck.store.git.tracked import TrackedFiles

if TYPE_CHECKING:
    from cuedeck.store.git.head import Repository


class OwnRules(NamedTuple):
    """Ignore patterns of the settings, and the bytes that they are read from."""

    source: Callable[[], bytes]
    """Returns the source of the patterns; if its bytes change, all paths must be evaluated again."""
    patterns: Callable[[], Sequence[str]]


class Visibility:
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
        """Code of the git failure that prevented listing tracked files; see `TrackedFiles.fault`."""
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
            self._read = IgnoreRules(self._root, self._own.patterns(), self._tracked.paths)
        return self._read

    def is_still(self, signature: str) -> bool:
        """Return whether a signature is current; ignore files inside the scanned tree are not part of it."""
        if not signature:
            return False
        repository = find_repository(self._root)
        self._tracked.look(repository)
        return signature == self._signature(repository)

    def renew(self) -> str:
        """Reload the rules and git's tracked files; return the new signature. All paths must be evaluated again."""
        repository = find_repository(self._root)
        self._tracked.ask(repository)
        self._read = None
        return self._signature(repository)

    def _signature(self, repository: Repository | None) -> str:
        """Return a hash of all inputs of visibility outside the scanned tree."""
        parts: list[str | bytes] = [self._own.source(), self._tracked.names, repository.prefix if repository else ""]
        parts += worktrees_below(repository, self._root)
        for place in outside_rules_of(repository, self._root) if repository else ():
            parts.append(os.path.relpath(place, self._root).encode("utf-8", "surrogateescape"))
            parts.append(look_at_rules(place))
        return sha256(repr(parts).encode()).hexdigest()
