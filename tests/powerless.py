"""Processes that may read and write what the permissions say, whoever runs the tests."""

from __future__ import annotations

import ctypes
import sys

_DROP = 24
"""`PR_CAPBSET_DROP` of Linux."""
_OVERRIDES = (1, 2)
"""`CAP_DAC_OVERRIDE` and `CAP_DAC_READ_SEARCH`, by which permissions mean nothing to root."""


def powerless() -> None:
    """Let go of what root has; for `preexec_fn`. Who is not root has nothing to let go of."""
    if sys.platform == "linux":
        for each in _OVERRIDES:
            ctypes.CDLL(None).prctl(_DROP, each, 0, 0, 0)
