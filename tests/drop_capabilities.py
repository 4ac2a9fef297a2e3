"""Processes to which file permissions apply even if root runs the tests."""

from __future__ import annotations

import ctypes
import sys

_PR_CAPBSET_DROP = 24
"""Constant of `prctl` on Linux."""
_FILE_CAPABILITIES = (1, 2)
"""`CAP_DAC_OVERRIDE` and `CAP_DAC_READ_SEARCH`, with which root ignores permissions."""


def drop_capabilities() -> None:
    """Drop the capabilities of root, as a `preexec_fn`. No effect for other users and
    outside Linux.
    """
    if sys.platform == "linux":
        for each in _FILE_CAPABILITIES:
            ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, each, 0, 0, 0)
