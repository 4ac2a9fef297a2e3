"""The clock and the time zone of the person at the keyboard."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo


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


class LocalZone(tzinfo):
    """The zone in which the system tells the time; each moment has the offset that holds then."""

    def utcoffset(self, dt: datetime | None, /) -> timedelta | None:
        """Return the offset at a moment; `fold` tells the second of two equal hours from the first."""
        return None if dt is None else _fixed(dt).utcoffset()

    def dst(self, dt: datetime | None, /) -> timedelta | None:
        """Return None: the system does not tell."""
        return None

    def tzname(self, dt: datetime | None, /) -> str | None:
        """Return the name of the zone at a moment."""
        return None if dt is None else _fixed(dt).tzname()

    def fromutc(self, dt: datetime, /) -> datetime:
        """Return the local time of a moment in UTC."""
        there = dt.replace(tzinfo=UTC).astimezone()
        local = there.replace(tzinfo=self)
        return local if local.utcoffset() == there.utcoffset() else local.replace(fold=1)


def zoned_now() -> datetime:
    """Return now, in a zone that knows its changes; `local_now` knows today's offset alone."""
    return datetime.now(LocalZone())


def _fixed(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None).astimezone()
