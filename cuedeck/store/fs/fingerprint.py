"""Fingerprints of files, and from when on one of them tells of every change.

A fingerprint is a hint, the content is the truth. A file whose times are as young as the moment at which it was read
may have changed again unseen within one tick of the clock (git's rule for its own index).
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Protocol

    class Times(Protocol):
        """When a file was written, and when anything of it changed."""

        @property
        def mtime_ns(self) -> int: ...
        @property
        def ctime_ns(self) -> int: ...


_TICK_NS = 20_000_000
"""Longest tick of a file system that keeps parts of a second."""
_WHOLE_SECONDS_NS = 2_000_000_000
"""Tick assumed when a time has no parts of a second."""


class Print(NamedTuple):
    """What tells that a file may have changed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def print_of(place: str) -> Print | None:
    """Return the fingerprint of a file; None when it is not there."""
    try:
        found = os.stat(place)
    except OSError:
        return None
    return Print(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def settle(place: str, found: Print) -> Print | None:
    """Wait until a file that was just written is settled, for a few milliseconds; return its fingerprint then.

    One that keeps changing, or whose file system has whole seconds alone, is returned as it is.
    """
    if not is_settled(found) and found.mtime_ns % 1_000_000_000:
        time.sleep(_TICK_NS / 1_000_000_000)
        return print_of(place)
    return found


def is_settled(found: Times, at_ns: int | None = None) -> bool:
    """Tell whether a file cannot have changed after `at_ns`, by default now, without another fingerprint."""
    tick = _TICK_NS if found.mtime_ns % 1_000_000_000 else _WHOLE_SECONDS_NS
    return max(found.mtime_ns, found.ctime_ns) + tick < (time.time_ns() if at_ns is None else at_ns)
