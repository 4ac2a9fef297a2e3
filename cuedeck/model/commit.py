"""Commits of the repository and the files they changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

_MOVES = 9
"""Maximum renames of one file that are followed."""


class Touched(NamedTuple):
    """One file as changed by one commit."""

    path: str
    """Workspace-relative path after the commit; for a deleted file the path before it.
    """
    before: str
    """Path before a rename, else empty."""
    added: Sequence[int]
    """`line_sum` of the lines that the commit added, in order, without lines too short
    to identify.

    Also empty if the lines are unknown: for binary files, files over 1 MB, and objects
    missing from the repository.
    """


class Commit(NamedTuple):
    """A commit that is neither a merge nor a bulk change."""

    id: str
    """Full hash, hexadecimal."""
    seconds: int
    """Committer time in seconds since the epoch."""
    subject: str
    body: str
    """The message without its subject, cut at 2,000 characters."""
    files: tuple[Touched, ...]


_FEW_FILES = 4
"""Number of files from which on a commit can touch most files of a repository."""


def without_imports(
    commits: Sequence[Commit], known: Collection[str]
) -> tuple[Commit, ...]:
    """Return the commits, without the files of those that touch most of the `known`
    files, such as an initial import; these say nothing about a task.
    """
    found: list[Commit] = []
    for commit in commits:
        touched = sum(each.path in known for each in commit.files)
        if touched >= _FEW_FILES and 2 * touched > len(known):
            commit = commit._replace(files=())
        found.append(commit)
    return tuple(found)


def named_now(
    commits: Sequence[Commit], known: Collection[str]
) -> Iterator[Mapping[str, Touched]]:
    """Yield the files of each commit, newest first, by current path; `known` are the
    existing files.

    Order: as in the commit. A deleted file keeps the last path that its renames lead
    to.
    """
    renamed: dict[str, str] = {}
    for commit in commits:
        files: dict[str, Touched] = {}
        for touched in commit.files:
            path = touched.path
            for _ in range(_MOVES):
                if path in known or path not in renamed:
                    break
                path = renamed[path]
            files[path] = touched
        for touched in commit.files:
            if touched.before:
                renamed.setdefault(touched.before, touched.path)
        yield files
