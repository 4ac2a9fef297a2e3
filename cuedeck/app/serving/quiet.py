"""When what changed is dealt with: once it is quiet, and not much later than the first change."""

from __future__ import annotations

import time

_QUIET_SECONDS = 0.03
"""Time without events: editors that truncate and then write take so long."""
_LONGEST_SECONDS = 0.2


class Quiet:
    """A moment that is put off as long as changes come, but not for long."""

    def __init__(self) -> None:
        self._due = 0.0
        self._first = 0.0

    @property
    def is_awaited(self) -> bool:
        """True from a change until it is dealt with."""
        return bool(self._due)

    @property
    def is_over(self) -> bool:
        """True when the moment has come."""
        return self.is_awaited and time.monotonic() >= self._due

    @property
    def seconds_left(self) -> float:
        """Seconds until the moment comes."""
        return max(0.0, self._due - time.monotonic())

    def put_off(self) -> None:
        """Note a change."""
        now = time.monotonic()
        self._first = self._first or now
        self._due = min(now + _QUIET_SECONDS, self._first + _LONGEST_SECONDS)

    def begin_anew(self) -> None:
        """Note that what changed is dealt with."""
        self._due = self._first = 0.0
