"""The system clock and the local time zone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo


def local_now() -> datetime:
    """Return the current local time with today's UTC offset."""
    return datetime.now().astimezone()


def timestamp() -> str:
    """Return the current time in UTC as RFC 3339, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_after(moments: Iterable[datetime]) -> datetime:
    """Return a UTC time later than all of `moments`: now, or one microsecond after the
    latest of them.
    """
    last = max(moments, default=None)
    now = datetime.now(UTC)
    if last is None or last < now:
        return now
    return last + timedelta(microseconds=1)


class LocalZone(tzinfo):
    """The local time zone of the system, with the UTC offset in effect at each moment
    (daylight saving time).
    """

    def utcoffset(self, dt: datetime | None, /) -> timedelta | None:
        """Return the UTC offset at a moment; `fold` selects the second of two ambiguous
        local times.
        """
        if dt is None:
            return None
        return _fixed(dt).utcoffset()

    def dst(self, dt: datetime | None, /) -> timedelta | None:
        """Return None: the system does not provide the daylight saving part of the
        offset.
        """
        return None

    def tzname(self, dt: datetime | None, /) -> str | None:
        """Return the name of the zone at a moment."""
        if dt is None:
            return None
        return _fixed(dt).tzname()

    def fromutc(self, dt: datetime, /) -> datetime:
        """Return the local time of a moment in UTC."""
        there = dt.replace(tzinfo=UTC).astimezone()
        local = there.replace(tzinfo=self)
        return (
            local if local.utcoffset() == there.utcoffset() else local.replace(fold=1)
        )


def zoned_now() -> datetime:
    """Return the current time in `LocalZone`, so that date arithmetic follows daylight
    saving changes.

    `local_now` has a fixed offset.
    """
    return datetime.now(LocalZone())


def _fixed(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None).astimezone()
