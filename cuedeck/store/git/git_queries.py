"""Queries to git about a checkout: commits, index entries and untracked files.

No command here compares file contents, because for that git runs the filter programs of
the repository.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from cuedeck.store.git.git_process import GitProcess
from cuedeck.store.git.head import Repository, shallow_ends
from cuedeck.store.git.history_diagnostics import MOST_COMMITS
from cuedeck.store.git.irregular_files import check_files, search_folders
from cuedeck.store.git.user_excludes import user_excludes

_HEAD = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
_FIRST = ("rev-list", "--max-parents=0", "--first-parent", "--max-count=1", "HEAD")
_LIST = ("rev-list", "--no-merges", f"--max-count={MOST_COMMITS}", "--topo-order")
_FILES = (
    "ls-files",
    "-v",
    "-z",
    "--stage",
    "--debug",
    "--cached",
    "--others",
    "--exclude-standard",
)
_STAGED = (
    *("diff-index", "--cached", "--name-only", "-z", "--relative"),
    *(
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=all",
        "HEAD",
        "--",
    ),
)
_MODES = ("config", "--type=bool", "--default=true", "--get", "core.fileMode")
_NO_EXCLUDES = ("-c", f"core.excludesFile={os.devnull}")
_IN_SPITE = (
    *("ls-files", "-z", "--cached", "--stage", "--ignored", "--exclude-standard"),
)
_SUBMODULE = b"160000 "
_LOG = (
    *(
        "log",
        "--no-merges",
        "--reverse",
        "-z",
        "--name-only",
        "--no-ext-diff",
        "--no-textconv",
    ),
    *("--encoding=UTF-8", "--format=%x01%s", "-200"),
)
_ROW = re.compile(rb"(\w) (\d+) ([0-9a-f]+) (\d)\t(.*)", re.DOTALL)
_OTHER = b"? "
_LOOKED_AT = (b"H", b"M")
"""Tags of entries that git compares. Others are outside a sparse checkout, or marked as
unchanged by the user.
"""
_DEBUG = re.compile(rb"(?:  [^\n]*\n)*")
_STAT = re.compile(
    rb"  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: (\d+)\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: ([0-9a-f]+)\n"
)
_INTENT_TO_ADD = 1 << 29


class EntryStat(NamedTuple):
    """Status of a file when git last found it equal to its entry."""

    ctime: tuple[int, int]
    """Seconds and nanoseconds; some programs write 0 as nanoseconds."""
    mtime: tuple[int, int]
    inode: int
    """The lower 32 bits."""
    size: int
    """The lower 32 bits; 0 also if git needs a comparison of the content."""


class Entry(NamedTuple):
    """A file in git's index."""

    path: str
    """Workspace-relative path."""
    mode: str
    """Mode as in git, such as `100644`."""
    hash: str
    """Hash of the blob in hexadecimal digits."""
    is_settled: bool
    """False for a file in conflict, and after `git add --intent-to-add`."""
    is_looked_at: bool
    """False if git does not compare the file; see `_LOOKED_AT`."""
    stat: EntryStat | None
    """None if this version of git does not print it."""


class Files(NamedTuple):
    """The files that git lists in a folder."""

    entries: Sequence[Entry]
    others: Sequence[str]
    """Paths that are new to git and not ignored."""


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

    def files(self) -> Files:
        """Return the files of the folder in the index, and the untracked files."""
        entries: list[Entry] = []
        others: list[str] = []
        row = b""
        for part in self._start(_FILES).read().split(b"\0"):
            # The output of `--debug` follows the NUL that ends a row.
            debug = _DEBUG.match(part)
            start = debug.end() if debug else 0
            entry = _entry(row, part[:start])
            if entry is not None:
                entries.append(entry)
            elif row.startswith(_OTHER):
                others.append(_path(row[len(_OTHER) :]))
            row = part[start:]
        return Files(entries, others)

    def staged(self) -> list[str]:
        """Return the paths of the folder that differ between HEAD and the index; HEAD
        must be a commit.
        """
        return [_path(each) for each in self._start(_STAGED).read().split(b"\0")[:-1]]

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

    def start_list(self, head: str) -> GitProcess:
        """Start to list the ancestors of a commit, for `finish_list`."""
        return self._start((*_LIST, head))

    def finish_list(self, listing: GitProcess) -> list[str]:
        """Return the listed commits, newest first, without the boundary commits of a
        shallow clone.

        The changes of a boundary commit are unknown.
        """
        ends = set(shallow_ends(self._repository).split())
        return [
            each.decode("ascii", "replace")
            for each in listing.read().split()
            if each not in ends
        ]

    def _start(self, arguments: Sequence[str]) -> GitProcess:
        """Start git in the folder. git finds the repository itself, and refuses one
        that belongs to another user.

        An excludes file that the settings of the repository name is not read; that of
        the user is read.
        """
        settings = check_files(self._root, self._repository)
        if b"excludesfile" in settings.lower():
            arguments = (*_NO_EXCLUDES, *arguments)
        search = partial(search_folders, self._root, self._repository)
        return GitProcess(
            arguments,
            self._root,
            self._variables,
            deadline=self._deadline,
            search=search,
        )


def _entry(row: bytes, debug: bytes) -> Entry | None:
    found = _ROW.fullmatch(row)
    if found is None:
        return None
    tag, mode, hash_, stage, path = found.groups()
    stat, flags = _stat(debug)
    return Entry(
        _path(path),
        mode.decode(),
        hash_.decode(),
        is_settled=stage == b"0" and not flags & _INTENT_TO_ADD,
        is_looked_at=tag in _LOOKED_AT,
        stat=stat,
    )


def _stat(debug: bytes) -> tuple[EntryStat | None, int]:
    """Return the status and the flags from the `--debug` output of an entry."""
    found = _STAT.fullmatch(debug)
    if found is None:
        return None, 0
    *numbers, flags = found.groups()
    ctime, ctime_ns, mtime, mtime_ns, inode, size = map(int, numbers)
    return EntryStat((ctime, ctime_ns), (mtime, mtime_ns), inode, size), int(flags, 16)


def _path(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
