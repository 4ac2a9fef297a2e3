"""Signals that end a command of the tests."""

from __future__ import annotations

import signal

ENDING_SIGNALS = [
    number
    for number in (signal.SIGTERM, signal.SIGHUP)
    if signal.getsignal(number) is not signal.SIG_IGN
]
"""Without SIGHUP in a run of `nohup`, whose commands ignore it."""
