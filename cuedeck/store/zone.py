"""The time zone of this machine, with the changes it makes over the year."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo


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
