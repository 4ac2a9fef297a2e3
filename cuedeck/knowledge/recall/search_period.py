"""The period of a search: from the options of the user, or from words of the query."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from cuedeck.model.errors import UsageError
from cuedeck.store.cache.unit_filters import ANY_TIME, Period

_INSTANT = timedelta(microseconds=1)


def search_period(since: str, until: str, now: datetime) -> Period:
    """Return the period that two options limit; an empty option does not limit it.

    Options are written as in `card list`: `2026-05`, `2026-05-03`, `yesterday`, `2w`.
    They name whole days, except ages in hours.
    `now` is in the user's zone. Raises: UsageError, also if the period ends before it
    begins.
    """
    if not since and not until:
        return ANY_TIME
    # Most searches are not limited.
    from cuedeck.text.date_filters import parse_date_filter

    period = ANY_TIME
    if since:
        start = parse_date_filter(since, now).start
        if start is None:
            hint = "give a day such as 2026-11-23, or an age such as 2w"
            raise UsageError(f"--since {since} has no first day", hint=hint)
        day = start.astimezone(now.tzinfo).date()
        if not _is_hours(since):
            start = datetime.combine(day, time())
        period = period._replace(first=day.isoformat(), begin=_utc(start))
    if until:
        found = parse_date_filter(until, now)
        stop = found.end or found.start or now
        day = (stop - _INSTANT).astimezone(now.tzinfo).date()
        if not _is_hours(until):
            stop = _after(day)
        period = period._replace(last=day.isoformat(), end=_utc(stop))
    if until and period.last < period.first:
        raise UsageError(
            f"--until {until} is before --since {since}",
            hint="give the earlier day to --since",
        )
    return period


def period_of_days(first: str, last: str) -> Period:
    """Return the period of local days, given as ISO dates."""
    begin = datetime.combine(date.fromisoformat(first), time())
    end = _after(date.fromisoformat(last))
    return Period(
        first,
        last,
        _utc(begin),
        _utc(end),
    )


def _is_hours(option: str) -> bool:
    return option.strip().lower().endswith("h")


def _after(day: date) -> datetime:
    try:
        return datetime.combine(day, time()) + timedelta(days=1)
    except OverflowError:
        return datetime.max


def local_time(moment: str) -> str:
    """Return the date of a unit as a local time without a zone,
    `2026-11-23T10:00:00.000`; a day stays as it is.
    """
    if len(moment) <= len("2026-11-23"):
        return moment
    try:
        local = datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError, OSError):
        return moment
    return local.replace(tzinfo=None).isoformat(timespec="milliseconds")


def _utc(moment: datetime) -> str:
    """Return a moment in UTC, in the format of the dates of units; a naive one is local
    time.
    """
    try:
        utc = moment.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        utc = moment.replace(tzinfo=UTC)
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")
