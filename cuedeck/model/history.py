"""What the history of the repository says: commits and the files they touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


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
