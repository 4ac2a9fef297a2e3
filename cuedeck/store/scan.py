"""What changed on disk since the index was written, and the fingerprints that tell it.

A fingerprint is a hint, the content hash is the truth. A file whose times are as young as the moment it was
last hashed may have changed again unseen within one tick of the clock, so it is hashed once more
(git's rule for its own index).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cuedeck.model.node import Diagnostic

_TICK_NS = 20_000_000
"""Longest tick of a file system that keeps parts of a second."""
_WHOLE_SECONDS_NS = 2_000_000_000
"""Tick assumed when a time has no parts of a second."""


class Print(NamedTuple):
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
        tick = _TICK_NS if self.mtime_ns % 1_000_000_000 else _WHOLE_SECONDS_NS
        return max(self.mtime_ns, self.ctime_ns) + tick < self.checked_ns


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
