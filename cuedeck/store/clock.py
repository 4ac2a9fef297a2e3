"""The clock and the time zone of the person at the keyboard."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta


def local_now() -> datetime:
    """Return now, in the zone of this machine."""
    return datetime.now().astimezone()


def timestamp() -> str:
    """Return now as RFC 3339 in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_after(moments: Iterable[datetime]) -> datetime:
    """Return now in UTC, or the microsecond after the last of `moments` when the clock is not beyond it."""
    last = max(moments, default=None)
    now = datetime.now(UTC)
    return now if last is None or last < now else last + timedelta(microseconds=1)
