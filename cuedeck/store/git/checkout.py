"""The checkout that contains the workspace: its branch, its commit, and uncommitted
changes.

To compare a file with its index, git runs the filter programs that the settings of the
repository name. Therefore the changed files are read without these settings.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cuedeck.model.paths import HOME
from cuedeck.store.files.ignore_rules import in_home, look_at_rules
from cuedeck.store.git.git_process import (
    GitDied,
    borrowed_objects,
    head_commit,
    run_git,
)
from cuedeck.store.git.head import UNKNOWN, Repository, find_repository, follow_head
from cuedeck.store.git.history_diagnostics import NO_GIT, GitFault

_HEADS = "refs/heads/"
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"),
    *("--ignore-submodules=all", "--", "."),
)
_MODES = ("config", "--type=bool", "--default=true", "--get", "core.fileMode")
_LOG = (
    *("log", "--no-merges", "--reverse", "-z", "--name-only", "--no-ext-diff"),
    *("--no-textconv", "--encoding=UTF-8", "--format=%x01%s", "-200"),
)


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

    def __init__(self, root: str, deadline: float | None = None) -> None:
        """`deadline` is a time of the monotonic clock at which git is killed."""
        self._root = root
        self._deadline = deadline
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

        Unix and Windows line ends count as equal, and a file under a filter program
        counts as changed once its times differ.
        """
        repository = self._repository
        if repository is None:
            return ()
        try:
            commit = follow_head(repository).commit
            if commit == UNKNOWN:
                commit = head_commit(self._root, repository, self._deadline)
            data = self._status(repository, commit)
        except GitFault as fault:
            self.fault = fault.code
            return ()
        except OSError:
            self.fault = NO_GIT
            return ()
        start = len("XY ") + len(os.fsencode(repository.prefix))
        rows = data.decode("utf-8", "surrogateescape").split("\0")[:-1]
        paths = {os.fsdecode(os.fsencode(row)[start:]) for row in rows}
        return sorted(filter(_is_included, paths))

    def _status(self, repository: Repository, commit: str) -> bytes:
        modes = self._run(repository, _MODES).strip()
        settings = (
            "core.autocrlf=input",
            "core.safecrlf=false",
            f"core.fileMode={'false' if modes == b'false' else 'true'}",
        )
        arguments = [part for each in settings for part in ("-c", each)]
        index = {"GIT_INDEX_FILE": os.path.join(repository.private, "index")}
        exclude = look_at_rules(os.path.join(repository.common, "info", "exclude"))
        links = [
            os.path.join(repository.private, name)
            for name in os.listdir(repository.private)
            if name.startswith("sharedindex.")  # of a split index
        ]
        with borrowed_objects(repository, commit, commit, exclude, links) as variables:
            arguments += _STATUS
            return self._run(repository, arguments, variables | index)

    def _run(
        self,
        repository: Repository,
        arguments: Sequence[str],
        variables: Mapping[str, str] | None = None,
    ) -> bytes:
        return run_git(self._root, repository, arguments, variables, self._deadline)

    def since(self, commit: str) -> Sequence[Committed]:
        """Return the commits after `commit` up to HEAD, oldest first; none if git does
        not know `commit`.
        """
        repository = self._repository
        if not repository or not commit or commit == self.commit:
            return ()
        arguments = (*_LOG, f"{commit}..HEAD", "--")
        try:
            data = self._run(repository, arguments)
        except GitDied:
            # The commit no longer exists, because the history was rewritten.
            return ()
        except GitFault as fault:
            self.fault = fault.code
            return ()
        prefix = repository.prefix
        found = []
        for row in data.decode("utf-8", "surrogateescape").split("\x01")[1:]:
            subject, *names = row.split("\0")
            paths = []
            for name in names:
                path = name.strip("\n")
                inside = path.removeprefix(prefix)
                if path.startswith(prefix) and inside and _is_included(inside):
                    paths.append(inside)
            found.append(Committed(subject, tuple(paths)))
        return found

    @cached_property
    def _repository(self) -> Repository | None:
        return find_repository(self._root)


def _is_included(path: str) -> bool:
    if not path.startswith(f"{HOME}/"):
        return True
    return in_home(path, False)
