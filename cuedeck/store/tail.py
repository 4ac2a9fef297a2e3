"""The end of a file that may be very long."""

from __future__ import annotations

import os
import stat

from cuedeck.store.disk import unblocked


def read_tail(place: str, most: int) -> bytes:
    """Return at most the last `most` bytes of a plain file; empty when it cannot be read."""
    try:
        with open(place, "rb", buffering=0, opener=unblocked) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return b""
            file.seek(max(0, found.st_size - most))
            return file.read(most) or b""
    except (OSError, ValueError):
        return b""
