"""Human-written dates: date filters of `card list` and timestamps in card fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from cuedeck.model.errors import UsageError

_HINT = (
    "write 2026, 2026-05, 2026-05-03, today, yesterday, this-week or last-week; "
    "2w for the last two weeks, older:7d for older than 7 days (units h d w m y)"
)
_CALENDAR = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_AGE = re.compile(r"(>|<|newer:|older:)?\s*([0-9]+)([hdwmy])")
_UNITS: Mapping[str, timedelta] = {
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "m": timedelta(days=30),
    "y": timedelta(days=365),
}
_DAY = timedelta(days=1)
_WEEK = timedelta(weeks=1)
_PERIODS: Mapping[str, Callable[[date], tuple[date, date]]] = {
    "today": lambda day: (day, day + _DAY),
    "yesterday": lambda day: (day - _DAY, day),
    "this-week": lambda day: (_monday(day), _monday(day) + _WEEK),
    "last-week": lambda day: (_monday(day) - _WEEK, _monday(day)),
}
# Fewer digits mean a moment before 1973 or a date without hyphens, more digits mean
# milliseconds.
_UNIX_SECONDS = re.compile(r"[0-9]{9,11}(?:\.[0-9]+)?")
_BLANK_BEFORE_ZONE = re.compile(r"\s+(?=[-+Z][0-9:]*$)")


class DateFilter(NamedTuple):
    """A half-open time span: `start` is included, `end` is excluded; None means
    unbounded.
    """

    start: datetime | None
    end: datetime | None
    zone: tzinfo
    """The time zone of moments without one."""

    def matches(self, moment: datetime) -> bool:
        """Return whether `moment` lies in the span."""
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self.zone)
        if self.start is not None and moment < self.start:
            return False
        return self.end is None or moment < self.end


def parse_date_filter(text: str, now: datetime) -> DateFilter:
    """Parse a date filter relative to `now`, which must be in the user's time zone.

    Calendar periods are those of the user's zone; weeks begin on Monday. An age (`7d`,
    `>2w`) has no upper bound, so that a timestamp slightly in the future, from a clock
    that is ahead, still matches.

    Units: h, d, w, m (30 days), y (365 days). Raises: UsageError if the text is not a
    date filter. Example: `parse_date_filter("2026-05", now)` spans May; `"<7d"` matches
    everything older than seven days.
    """
    zone = now.tzinfo
    if zone is None:
        raise ValueError("now needs a zone")
    word = re.sub(r"[\s_]+", "-", text.strip().lower())
    try:
        if word in _PERIODS:
            first, end = _PERIODS[word](now.date())
            return _calendar(first, end, zone)
        calendar = _CALENDAR.fullmatch(word)
        if calendar:
            first, end = _period(*calendar.groups())
            return _calendar(first, end, zone)
        age = _AGE.fullmatch(text.strip().lower())
        if age:
            side, count, unit = age.groups()
            edge = now.astimezone(UTC) - int(count) * _UNITS[unit]
            if side in ("<", "older:"):
                return DateFilter(None, edge, zone)
            return DateFilter(edge, None, zone)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"invalid date {text!r}", hint=_HINT) from error
    raise UsageError(f"{text!r} is not a valid date filter", hint=_HINT)


def parse_moment(text: str) -> datetime | None:
    """Parse the timestamp of a card field, or return None if it is invalid.

    Accepts RFC 3339, `2026-05-03` (midnight), `2026-05-03 10:00`, and Unix seconds. A
    text without a time zone gives a naive datetime; `DateFilter.matches` interprets it
    in the user's zone.
    """
    text = text.strip()
    try:
        if _UNIX_SECONDS.fullmatch(text):
            return datetime.fromtimestamp(float(text), UTC)
        return datetime.fromisoformat(_BLANK_BEFORE_ZONE.sub("", text.upper()))
    except (ValueError, OverflowError):
        return None


def _period(year: str, month: str | None, day: str | None) -> tuple[date, date]:
    first = date(int(year), int(month or 1), int(day or 1))
    if day:
        return first, first + _DAY
    if month:
        # Day 28 plus four days is always in the next month.
        in_next_month = first.replace(day=28) + timedelta(days=4)
        return first, in_next_month.replace(day=1)
    return first, first.replace(year=first.year + 1)


def _calendar(first: date, end: date, zone: tzinfo) -> DateFilter:
    # Datetimes in the same zone compare by wall clock, which is wrong in the repeated
    # hour at the end of daylight-saving time. In UTC the comparison is correct.
    start = datetime.combine(first, time(), zone)
    stop = datetime.combine(end, time(), zone)
    return DateFilter(start.astimezone(UTC), stop.astimezone(UTC), zone)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
