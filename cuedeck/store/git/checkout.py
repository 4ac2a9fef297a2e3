"""The checkout that contains the workspace: its branch, its commit, and uncommitted
changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.paths import HOME
from cuedeck.store.files.ignore_rules import in_home
from cuedeck.store.git.head import UNKNOWN, find_repository, follow_head
from cuedeck.store.git.history_diagnostics import GitFault

if TYPE_CHECKING:
    from cuedeck.store.git.git_queries import Git
    from cuedeck.store.git.head import Repository

_HEADS = "refs/heads/"


class Committed(NamedTuple):
    """Subject and files of a commit, as a session shows them."""

    subject: str
    paths: tuple[str, ...]
    """Workspace-relative paths."""


class Checkout:
    """State of the checkout; everything is empty without a repository.

    Of `.cuedeck/` only cards and docs are included, because CueDeck itself writes the
    other files.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self.fault = ""
        """Code of the last `GitFault`; empty if git answered, or if the commit is
        unknown to it.
        """

    @property
    def is_there(self) -> bool:
        """Whether the workspace is in a repository."""
        return self._repository is not None

    @property
    def commit(self) -> str:
        """The id of the commit of HEAD, read without a git process; empty if there is
        none.
        """
        if self._repository is None:
            return ""
        commit = follow_head(self._repository).commit
        return "" if commit == UNKNOWN else commit

    @property
    def branch(self) -> str:
        """The current branch, read without a git process; empty for a detached HEAD."""
        if self._repository is None:
            return ""
        refs = follow_head(self._repository).refs
        if not refs or not refs[0].startswith(_HEADS):
            return ""
        return refs[0].removeprefix(_HEADS)

    def dirty(self) -> Sequence[str]:
        """Return the paths of the workspace that differ from HEAD or are new to git,
        sorted; none if git fails.
        """
        if self._repository is None:
            return ()
        git = self._git()
        commit = follow_head(self._repository).commit
        try:
            if commit == UNKNOWN:
                commit = git.head()
            found = git.changed_paths(commit)
        except GitFault as fault:
            self.fault = fault.code
            return ()
        return sorted(path for path in found if _is_included(path))

    def since(self, commit: str) -> Sequence[Committed]:
        """Return the commits after `commit` up to HEAD, oldest first; none if git does
        not know `commit`.
        """
        if not self._repository or not commit or commit == self.commit:
            return ()
        from cuedeck.store.git.git_process import GitDied

        try:
            found = self._git().log(commit)
        except GitDied:
            # The commit no longer exists, because the history was rewritten.
            return ()
        except GitFault as fault:
            self.fault = fault.code
            return ()
        return [
            Committed(subject, tuple(self._inside(paths))) for subject, paths in found
        ]

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
        return (path for path in inside if _is_included(path))


def _is_included(path: str) -> bool:
    if not path.startswith(f"{HOME}/"):
        return True
    return in_home(path, False)
