"""What decides which files are visible: the settings, ignore files in and above the workspace, and git's index."""

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
    """What the settings say about files, and the bytes that say it."""

    source: Callable[[], bytes]
    """Returns what the patterns are read from; other bytes mean that all rules are to be asked again."""
    patterns: Callable[[], Sequence[str]]


class Visibility:
    """The rules of a workspace, read when they are first asked for."""

    def __init__(self, root: str, own: OwnRules) -> None:
        self._root = root
        self._own = own
        self._tracked = TrackedFiles(root)
        self._read: IgnoreRules | None = None

    @property
    def tracked(self) -> str:
        """What an index keeps of what git tracks, for `recall`."""
        return self._tracked.kept

    @property
    def tracked_fault(self) -> str:
        """Why git could not say what it tracks; see `TrackedFiles.fault`."""
        return self._tracked.fault

    def recall(self, tracked: str) -> None:
        """Take over what an index kept, and read the rules again when they are next asked for.

        Raises: ValueError, TypeError when it is damaged.
        """
        self._tracked.recall(tracked)
        self._read = None

    def rules(self) -> IgnoreRules:
        """Return the ignore rules."""
        if self._read is None:
            self._read = IgnoreRules(self._root, self._own.patterns(), self._tracked.paths)
        return self._read

    def is_still(self, signature: str) -> bool:
        """Tell whether a signature holds, as far as what lies outside the tree that is scanned can tell."""
        if not signature:
            return False
        repository = find_repository(self._root)
        self._tracked.look(repository)
        return signature == self._signature(repository)

    def renew(self) -> str:
        """Begin anew with all rules and with git, before every path is put to them; return their signature."""
        repository = find_repository(self._root)
        self._tracked.ask(repository)
        self._read = None
        return self._signature(repository)

    def _signature(self, repository: Repository | None) -> str:
        """Return a hash of what decides about visibility and lies outside the tree that is scanned."""
        parts: list[str | bytes] = [self._own.source(), self._tracked.names, repository.prefix if repository else ""]
        parts += worktrees_below(repository, self._root)
        for place in outside_rules_of(repository, self._root) if repository else ():
            parts.append(os.path.relpath(place, self._root).encode("utf-8", "surrogateescape"))
            parts.append(look_at_rules(place))
        return sha256(repr(parts).encode()).hexdigest()
