"""Moments of entries and sessions: RFC 3339, compared in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def moment_of(text: str) -> datetime | None:
    """Read the time of an entry; one without a zone is in UTC. None when it is none."""
    try:
        found = datetime.fromisoformat(text.strip().upper())
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):  # no moment, or one of the first and the last days there are
        return None


def format_moment(moment: datetime) -> str:
    """Return a moment as RFC 3339 in UTC, to the microsecond."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
