"""Stat fingerprints of files and git's racy rule.

An unchanged fingerprint is a hint that the content is unchanged. It is reliable only if
the file's times are older than the read by more than one tick of the file system's
clock: a later write within the same tick leaves the same fingerprint (git applies this
rule to its index).
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Protocol

    class Times(Protocol):
        """Modification and status change times of a file."""

        @property
        def mtime_ns(self) -> int: ...
        @property
        def ctime_ns(self) -> int: ...


_TICK_NS = 20_000_000
"""Longest timestamp resolution of a file system that stores fractions of a second."""
_WHOLE_SECONDS_NS = 2_000_000_000
"""Resolution assumed when a timestamp has no fraction of a second."""


class Print(NamedTuple):
    """Stat values of a file that differ after a change."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class FileStamp(NamedTuple):
    """Fingerprint of a file, and the hash of its content at time `checked_ns`."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    checked_ns: int
    hash: str

    def trusts(self, now: os.stat_result) -> bool:
        """Return whether the content is certainly unchanged: same fingerprint, and safe
        by git's racy rule.
        """
        size, mtime_ns, ctime_ns, inode, checked_ns, _ = self
        if (
            size != now.st_size
            or mtime_ns != now.st_mtime_ns
            or ctime_ns != now.st_ctime_ns
            or inode != now.st_ino
        ):
            return False
        return is_settled(self, checked_ns)


def stamp_now(found: Print) -> FileStamp:
    """Return the stamp of a file that is read now, without a hash."""
    return FileStamp(*found, time.time_ns(), "")


def print_of(place: str) -> Print | None:
    """Return the fingerprint of a file, or None if it is missing."""
    try:
        found = os.stat(place)
    except OSError:
        return None
    return Print(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def settle(place: str, found: Print) -> Print | None:
    """Return the fingerprint of a file after waiting at most one tick (20 ms) for it to
    become reliable.

    On a file system with whole seconds `found` is returned without waiting.
    """
    if not is_settled(found) and found.mtime_ns % 1_000_000_000:
        time.sleep(_TICK_NS / 1_000_000_000)
        return print_of(place)
    return found


def is_settled(found: Times, at_ns: int | None = None) -> bool:
    """Return whether any change of the file after `at_ns` (default: now) must change
    its fingerprint.
    """
    if at_ns is None:
        at_ns = time.time_ns()
    tick = _TICK_NS if found.mtime_ns % 1_000_000_000 else _WHOLE_SECONDS_NS
    changed_ns = max(found.mtime_ns, found.ctime_ns)
    return changed_ns + tick < at_ns
