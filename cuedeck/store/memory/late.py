"""What somebody who knows no lock writes to a file that is replaced while they have it open."""

from __future__ import annotations

import errno
import os
import signal
import time
from contextlib import suppress

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be replaced at all
    fcntl = None  # type: ignore[assignment]

_PAUSE_SECONDS = 0.015
_PATIENCE_SECONDS = 2.0
"""How long one waits for somebody who does have it open; who appends opens, writes and closes at once."""
_LOOKS = 20
"""Where the system does not say who has a file open."""


def written_late(handle: int, length: int, is_shared: bool) -> bytes:
    """Return what an old file, opened for reading only, holds behind `length` when nobody writes to it any more.

    `is_shared` says that others are known to write, which is all there is to go by on some systems. Raises: OSError.
    """
    end = time.monotonic() + _PATIENCE_SECONDS
    looks = _LOOKS if is_shared else 1
    while (is_open := _is_open_for_writing(handle)) is not False:
        if is_open is None:
            looks -= 1
        if looks <= 0 or time.monotonic() > end:
            break
        time.sleep(_PAUSE_SECONDS)
    return os.pread(handle, os.fstat(handle).st_size - length, length)


def _is_open_for_writing(handle: int) -> bool | None:
    """Tell whether anybody has a file open for writing; None where the system does not say.

    A read lease (fcntl(2)) is given only when nobody has.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        # Who breaks a lease makes its holder get a signal: one that does nothing.
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    with suppress(OSError):
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False
