"""The checkout the workspace lies in: its branch, its commit, and what is not committed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.paths import HOME
from cuedeck.store.fs.ignore_rules import in_home
from cuedeck.store.git.head import UNKNOWN, find_repository, follow_head

if TYPE_CHECKING:
    from cuedeck.store.git.git_queries import Git
    from cuedeck.store.git.head import Repository

_HEADS = "refs/heads/"


class Committed(NamedTuple):
    """A commit, as far as a session tells of it."""

    subject: str
    paths: tuple[str, ...]
    """Of the workspace."""


class Checkout:
    """What git knows of the files as they are now; everything is empty without a repository.

    Of `.cuedeck/` it tells cards and docs alone: the rest is what this program writes.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self.fault = ""
        """Why git gave no answer, a code of `GitFault`; empty when it gave one, or does not know the commit."""

    @property
    def is_there(self) -> bool:
        """True in a repository."""
        return self._repository is not None

    @property
    def commit(self) -> str:
        """The commit HEAD is, told without a process."""
        found = follow_head(self._repository).commit if self._repository else ""
        return "" if found == UNKNOWN else found

    @property
    def branch(self) -> str:
        """The branch HEAD is on, told without a process; empty when it is on none."""
        refs = follow_head(self._repository).refs if self._repository else ()
        return refs[0].removeprefix(_HEADS) if refs and refs[0].startswith(_HEADS) else ""

    def dirty(self) -> Sequence[str]:
        """Return the paths of the workspace that differ from HEAD or are new to git, sorted; none when git fails."""
        if self._repository is None:
            return ()
        from cuedeck.store.git.changed_files import changed_paths
        from cuedeck.store.git.problems import GitFault

        index = os.path.join(self._repository.private, "index")
        has_commit = bool(follow_head(self._repository).commit)
        try:
            found = changed_paths(self._root, self._git(), index, has_commit=has_commit)
        except GitFault as fault:
            self.fault = fault.code
            return ()
        return sorted(path for path in found if _is_told(path))

    def since(self, commit: str) -> Sequence[Committed]:
        """Return the commits between one and HEAD, oldest first; none when it is no ancestor git knows."""
        if not self._repository or not commit or commit == self.commit:
            return ()
        from cuedeck.store.git.git_process import GitDied
        from cuedeck.store.git.problems import GitFault

        try:
            found = self._git().log(commit)
        except GitDied:  # the commit is gone: its history was rewritten
            return ()
        except GitFault as fault:
            self.fault = fault.code
            return ()
        return [Committed(subject, tuple(self._inside(paths))) for subject, paths in found]

    @cached_property
    def _repository(self) -> Repository | None:
        return find_repository(self._root)

    def _git(self) -> Git:
        from cuedeck.store.git.git_queries import Git

        assert self._repository is not None
        return Git(self._root, self._repository)

    def _inside(self, paths: Iterable[str]) -> Iterable[str]:
        assert self._repository is not None
        prefix = self._repository.prefix
        inside = (path[len(prefix) :] for path in paths if path.startswith(prefix))
        return (path for path in inside if _is_told(path))


def _is_told(path: str) -> bool:
    return not path.startswith(f"{HOME}/") or in_home(path, False)
