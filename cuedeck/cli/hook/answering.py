"""The one answer of a hook: exactly one JSON object on standard output, in time, whatever happens."""

from __future__ import annotations

import _thread
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PAUSE_SECONDS = 5.0
_GRACE_SECONDS = 1.5
"""For what is done when the time is over; within the limits that are registered with the hosts."""


class Answering:
    """Gives one answer. When the time is over it gives the empty one and ends the process."""

    def __init__(self, text: str, seconds: float) -> None:
        self.text = text
        """What is said when the time is over."""
        self.late: Callable[[], None] = _nothing
        """What is still done when the time is over."""
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
            _thread.start_new_thread(_end, (_GRACE_SECONDS,))
            try:
                self.late()
            except BaseException as error:  # noqa: BLE001 - the answer is given; there is nobody else to tell
                say(f"cuedeck hook: {type(error).__name__}: {error}")
            _end(0)


def _end(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(0)


def _nothing() -> None:
    """Do nothing."""


def say(text: str) -> None:
    """Say something to whoever reads the diagnostics of hooks."""
    if sys.stderr is not None:
        try:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
        except (OSError, ValueError):  # nobody does
            return


def _write(text: str) -> None:
    data = f"{text}\n".encode("utf-8", "backslashreplace") if text else b""
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:  # the reader went away: there is nobody to tell
        return
