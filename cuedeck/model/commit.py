"""What the history of the repository says: commits and the files they touched."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

_MOVES = 9
"""Renames of one file that are followed."""


class Touched(NamedTuple):
    """A file as one commit changed it."""

    path: str
    """Workspace-relative path after the commit; a deleted file's path before it."""
    before: str
    """Path before a rename, else empty."""
    added: Sequence[int]
    """`line_sum` of the lines the commit added, in order, without those that say nothing.

    Empty also when they are unknown: of binary files, of files over 1 MB, of what the repository lacks.
    """


class Commit(NamedTuple):
    """A commit that is no merge and no bulk change."""

    id: str
    """Full hash, hexadecimal."""
    seconds: int
    """Committer time, since the epoch."""
    subject: str
    body: str
    """The rest of the message, cut at 2,000 characters."""
    files: tuple[Touched, ...]


def named_now(commits: Sequence[Commit], known: Collection[str]) -> Iterator[Mapping[str, Touched]]:
    """Yield the files of each commit, newest first, under the names they have now; `known` are the files there are.

    Order: as the commit has them. A file that is gone has the last name that leads on to it.
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
