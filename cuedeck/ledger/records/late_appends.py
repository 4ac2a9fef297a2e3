"""Bytes that another program, which does not take the lock, appends to a file while it
is replaced.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from contextlib import suppress

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be replaced
    fcntl = None  # type: ignore[assignment]

_LATE_PAUSE_SECONDS = 0.015
_PATIENCE_SECONDS = 2.0
"""Maximum wait for another writer of the old file; a writer that appends closes the
file at once.
"""


def written_late(handle: int, length: int) -> bytes:
    """Return the bytes that another program appended after `length` to a file that has
    been replaced.

    Waits until no process has the old file open for writing, at most two seconds.
    `handle` must be read-only. On systems that cannot report open files, the function
    waits once. Raises: OSError.
    """
    end = time.monotonic() + _PATIENCE_SECONDS
    while (is_open := _is_open_for_writing(handle)) is not False:
        time.sleep(_LATE_PAUSE_SECONDS)
        if is_open is None or time.monotonic() > end:
            break
    return os.pread(handle, os.fstat(handle).st_size - length, length)


def _is_open_for_writing(handle: int) -> bool | None:
    """Return whether a process has a file open for writing; None if the system cannot
    report it.

    Linux grants a read lease (fcntl(2)) only if no process has.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        # The kernel signals the holder when its lease is broken: choose a signal that
        # is ignored by default.
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        if error.errno == errno.EAGAIN:
            return True
        return None
    with suppress(OSError):
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False
