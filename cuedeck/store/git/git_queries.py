"""Queries to git about a checkout: its commits, its tracked and its changed files.

To compare a file with its index, git runs the filter programs that the settings of the
repository name. Therefore `changed_paths` runs git without these settings.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from cuedeck.store.files.ignore_rules import look_at_rules, user_excludes
from cuedeck.store.git.git_process import GitProcess, borrowed_objects
from cuedeck.store.git.head import Repository, find_repository, shallow_ends
from cuedeck.store.git.history_diagnostics import MOST_COMMITS, NO_GIT, GitFault
from cuedeck.store.git.irregular_files import check_files

_HEAD = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
_FIRST = ("rev-list", "--max-parents=0", "--first-parent", "--max-count=1", "HEAD")
_LIST = ("rev-list", "--no-merges", f"--max-count={MOST_COMMITS}", "--topo-order")
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"),
    *("--ignore-submodules=all", "--", "."),
)
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

    def changed_paths(self, commit: str) -> list[str]:
        """Return the paths of the workspace that differ from HEAD, which is a commit or
        empty, or are new to git, in no order.

        Unix and Windows line ends count as equal, and a file under a filter program
        counts as changed once its times differ.
        """
        modes = self._start(_MODES).read().strip()
        repository = self._repository
        settings = (
            f"core.excludesFile={user_excludes()}",
            "core.autocrlf=input",
            "core.safecrlf=false",
            f"core.fileMode={'false' if modes == b'false' else 'true'}",
        )
        arguments = [part for each in settings for part in ("-c", each)]
        index = {"GIT_INDEX_FILE": os.path.join(repository.private, "index")}
        exclude = look_at_rules(os.path.join(repository.common, "info", "exclude"))
        try:
            with borrowed_objects(repository, commit, commit) as variables:
                folder = variables["GIT_DIR"]
                with open(os.path.join(folder, "info", "exclude"), "wb") as file:
                    file.write(exclude)
                for name in os.listdir(repository.private):
                    if name.startswith("sharedindex."):  # of a split index
                        place = os.path.join(repository.private, name)
                        os.symlink(place, os.path.join(folder, name))
                variables = variables | index | self._variables
                process = GitProcess([*arguments, *_STATUS], self._root, variables)
                rows = process.read().split(b"\0")[:-1]
        except OSError as error:
            raise GitFault(NO_GIT) from error
        start = len("XY ") + len(os.fsencode(repository.prefix))
        paths = [row[start:].decode("utf-8", "surrogateescape") for row in rows]
        return list(dict.fromkeys(paths))

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
