"""The clock and the time zone of the person at the keyboard."""

from __future__ import annotations

from datetime import UTC, datetime


def local_now() -> datetime:
    """Return now, in the zone of this machine."""
    return datetime.now().astimezone()


def timestamp() -> str:
    """Return now as RFC 3339 in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
