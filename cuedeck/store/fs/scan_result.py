"""Result of a scan: visible files, possibly changed files, and their fingerprints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.fs.fingerprint import is_settled

if TYPE_CHECKING:
    from cuedeck.model.file import Diagnostic


class FileStamp(NamedTuple):
    """Fingerprint of a file, and the hash of its content at time `checked_ns`."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    checked_ns: int
    hash: str

    def trusts(self, now: os.stat_result) -> bool:
        """Return whether the content is certainly unchanged: same fingerprint, and safe by git's racy rule."""
        if (self.size, self.mtime_ns, self.ctime_ns, self.inode) != (
            now.st_size,
            now.st_mtime_ns,
            now.st_ctime_ns,
            now.st_ino,
        ):
            return False
        return is_settled(self, self.checked_ns)


class Scan:
    """Result of scanning the tree or parts of it."""

    __slots__ = ("problems", "seen", "suspects", "verdicts")

    def __init__(self) -> None:
        self.seen: set[str] = set()
        """All visible files."""
        self.suspects: list[str] = []
        """Visible files that are new or whose fingerprint does not prove them unchanged."""
        self.verdicts: dict[str, int] = {}
        self.problems: list[Diagnostic] = []
