"""What changed on disk since the index was written, and the fingerprints that tell it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.fs.fingerprint import is_settled

if TYPE_CHECKING:
    from cuedeck.model.file import Diagnostic


class FileStamp(NamedTuple):
    """Fingerprint of a file, and the hash its content had at `checked_ns`."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    checked_ns: int
    hash: str

    def trusts(self, now: os.stat_result) -> bool:
        """Tell whether the content must still be what was hashed."""
        if (self.size, self.mtime_ns, self.ctime_ns, self.inode) != (
            now.st_size,
            now.st_mtime_ns,
            now.st_ctime_ns,
            now.st_ino,
        ):
            return False
        return is_settled(self, self.checked_ns)


class Scan:
    """The outcome of a look at the tree, or at some parts of it."""

    __slots__ = ("problems", "seen", "suspects", "verdicts")

    def __init__(self) -> None:
        self.seen: set[str] = set()
        """Every visible file."""
        self.suspects: list[str] = []
        """Those of them that are new, or whose fingerprint is not to be trusted."""
        self.verdicts: dict[str, int] = {}
        self.problems: list[Diagnostic] = []
