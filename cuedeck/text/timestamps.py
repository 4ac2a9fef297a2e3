"""RFC 3339 timestamps of ledger entries and sessions, compared in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo

_DAY = r"(?<!\d)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)"


def moment_of(text: str) -> datetime | None:
    """Parse a timestamp to UTC, or return None if it is invalid. A timestamp without a
    zone is taken as UTC.
    """
    try:
        found = datetime.fromisoformat(text.strip().upper())
        return (
            found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        )
    except (ValueError, OverflowError):
        # Overflow: the conversion to UTC left the range of datetime.
        return None


def format_record_moment(moment: datetime) -> str:
    """Return a moment in the format of memory records: RFC 3339 in UTC with
    milliseconds and `Z`.
    """
    return (
        moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


def format_record_day(day: str, zone: tzinfo | None) -> str:
    """Return the beginning of a local day such as `2026-11-23` in the format of memory
    records; that of the day in UTC if the local one is out of the range of datetime.
    """
    try:
        begin = datetime.fromisoformat(day).replace(tzinfo=zone)
        return format_record_moment(begin)
    except (ValueError, OverflowError):
        return f"{day}T00:00:00.000Z"


def format_moment(moment: datetime) -> str:
    """Return a moment as RFC 3339 in UTC with microseconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def day_of(text: str) -> str:
    """Return the last day that a text names, `2026-11-23`; empty if it names none."""
    days = re.findall(_DAY, text)
    return str(days[-1]) if days else ""


def utc_second(text: str) -> str:
    """Return a time as RFC 3339 in UTC, to the second; empty if it is not a time.

    Example: `2026-04-01 10:00:00 UTC` becomes `2026-04-01T10:00:00Z`.
    """
    moment = moment_of(text.strip().removesuffix(" UTC"))
    if moment is None:
        return ""
    return format_second(moment)


def format_second(moment: datetime) -> str:
    """Return a time as RFC 3339 in UTC, to the second."""
    return f"{format_moment(moment)[:19]}Z"
