"""The one answer of a hook: exactly one JSON object on standard output, in time, whatever happens."""

from __future__ import annotations

import _thread
import os
import sys
import time

_PAUSE_SECONDS = 5.0


class Answering:
    """Gives one answer. When the time is over it gives the empty one and ends the process."""

    def __init__(self, text: str, seconds: float) -> None:
        self.text = text
        """What is said when the time is over."""
        self._seconds = seconds
        self._claim = _thread.allocate_lock()
        _thread.start_new_thread(self._watch, ())

    def give(self, text: str) -> None:
        """Write the answer, unless it is written already."""
        if not self._claim.acquire(False):
            time.sleep(_PAUSE_SECONDS)  # the process is being ended
        _write(text)

    def _watch(self) -> None:
        time.sleep(self._seconds)
        if self._claim.acquire(False):
            _write(self.text)
            say("cuedeck hook: no answer in time; the agent goes on without it")
            os._exit(0)


def say(text: str) -> None:
    """Say something to whoever reads the diagnostics of hooks."""
    if sys.stderr is not None:
        try:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
        except (OSError, ValueError):  # nobody does
            return


def _write(text: str) -> None:
    data = f"{text}\n".encode("ascii", "backslashreplace")
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:  # the reader went away: there is nobody to tell
        return
