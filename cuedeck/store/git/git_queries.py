"""Queries to git about a checkout: its commits and its tracked files.

No command here compares file contents, because for that git runs the filter programs of
the repository.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from cuedeck.store.git.git_process import GitProcess
from cuedeck.store.git.head import Repository, find_repository, shallow_ends
from cuedeck.store.git.history_diagnostics import MOST_COMMITS, GitFault
from cuedeck.store.git.irregular_files import check_files
from cuedeck.store.git.user_excludes import user_excludes

_HEAD = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
_FIRST = ("rev-list", "--max-parents=0", "--first-parent", "--max-count=1", "HEAD")
_LIST = ("rev-list", "--no-merges", f"--max-count={MOST_COMMITS}", "--topo-order")
_MODES = ("config", "--type=bool", "--default=true", "--get", "core.fileMode")
_NO_EXCLUDES = ("-c", f"core.excludesFile={os.devnull}")
_IN_SPITE = ("ls-files", "-z", "--cached", "--stage", "--ignored", "--exclude-standard")
_SUBMODULE = b"160000 "
_LOG = [
    "log",
    "--no-merges",
    "--reverse",
    "-z",
    "--name-only",
    "--no-ext-diff",
    "--no-textconv",
    "--encoding=UTF-8",
    "--format=%x01%s",
    "-200",
]


class Git:
    """Queries to the repository of a folder, by commands that start no other program.
    Every method raises GitFault.
    """

    def __init__(
        self, root: str, repository: Repository, deadline: float | None = None
    ) -> None:
        self._root = root
        self._repository = repository
        self._deadline = deadline
        # Settings may name another folder as the checkout, whose files are not part of
        # the workspace.
        self._variables = {"GIT_WORK_TREE": repository.top(root)}

    def head(self) -> str:
        """Return the id of the commit of HEAD."""
        return self._start(_HEAD).read().decode("ascii", "replace").strip()

    def first_commit(self) -> str:
        """Return the id of the oldest first parent of HEAD."""
        return self._start(_FIRST).read().decode("ascii", "replace").strip()

    def has(self, commit: str) -> bool:
        """Return whether there is a commit with this id."""
        found = self._start((*_HEAD[:-1], f"{commit}^{{commit}}")).read()
        return found.decode("ascii", "replace").strip() == commit

    def has_modes(self) -> bool:
        """Return whether the file system of the checkout stores executable bits."""
        return self._start(_MODES).read().strip() != b"false"

    def tracked_in_spite_of_rules(self) -> bytes:
        """Return the paths of the folder that git tracks although its rules hide them.

        A NUL ends each path; the path of a submodule ends with a slash.
        """
        excludes = ("-c", f"core.excludesFile={user_excludes()}")
        paths = []
        for row in self._start((*excludes, *_IN_SPITE)).read().split(b"\0")[:-1]:
            entry, _, path = row.partition(b"\t")
            end = b"/\0" if entry.startswith(_SUBMODULE) else b"\0"
            paths.append(path + end)
        return b"".join(paths)

    def log(self, since: str) -> list[tuple[str, list[str]]]:
        """Return (subject, paths) of each commit after `since`, oldest first."""
        data = self._start((*_LOG, f"{since}..HEAD", "--")).read()
        found = []
        for commit in data.decode("utf-8", "surrogateescape").split("\x01")[1:]:
            subject, *rows = commit.split("\0")
            paths = [row.strip("\n") for row in rows]
            found.append((subject, [path for path in paths if path]))
        return found

    def ancestors(self, head: str) -> list[str]:
        """Return the ids of a commit and its ancestors, newest first, without the
        boundary commits of a shallow clone, whose changes are unknown.
        """
        ends = set(shallow_ends(self._repository).split())
        listed = self._start((*_LIST, head)).read().split()
        return [each.decode("ascii", "replace") for each in listed if each not in ends]

    def _start(self, arguments: Sequence[str]) -> GitProcess:
        """Start git in the folder. git finds the repository itself, and refuses one
        that belongs to another user.

        An excludes file that the settings of the repository name is not read; that of
        the user is read.
        """
        settings = check_files(self._root, self._repository)
        if b"excludesfile" in settings.lower():
            arguments = (*_NO_EXCLUDES, *arguments)
        return GitProcess(
            arguments, self._root, self._variables, deadline=self._deadline
        )


def first_commit(root: str) -> str:
    """Return the id of the first commit of the repository of a folder, along first
    parents, which identifies it; empty without one, and if git cannot find it.
    """
    repository = find_repository(root)
    try:
        return Git(root, repository).first_commit() if repository else ""
    except GitFault:
        return ""


def has_commit(root: str, commit: str) -> bool:
    """Return whether the repository of a folder contains a commit."""
    repository = find_repository(root)
    try:
        return repository is not None and Git(root, repository).has(commit)
    except GitFault:
        return False
