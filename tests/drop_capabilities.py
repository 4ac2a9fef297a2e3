"""Processes to which file permissions apply even if root runs the tests."""

from __future__ import annotations

import ctypes
import sys

_PR_CAPBSET_DROP = 24
"""Constant of `prctl` on Linux."""
_FILE_CAPABILITIES = (1, 2)
"""`CAP_DAC_OVERRIDE` and `CAP_DAC_READ_SEARCH`, with which root ignores permissions."""
_VERSION = 0x20080522
"""Version of the structures of `capget` and `capset`."""


def drop_capabilities() -> None:
    """Drop the capabilities of root in this process and in programs that it starts. No
    effect for other users and outside Linux.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()
    libc.capget(header, sets)
    for each in _FILE_CAPABILITIES:
        libc.prctl(_PR_CAPBSET_DROP, each, 0, 0, 0)
        sets[0] &= ~(1 << each)
    libc.capset(header, sets)
