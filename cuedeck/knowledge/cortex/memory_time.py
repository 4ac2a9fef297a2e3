"""Times of memories: RFC 3339 in UTC, to the second, so that they sort as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.text.timestamps import format_moment, moment_of

if TYPE_CHECKING:
    from datetime import datetime

UNKNOWN_TIME = "1970-01-01T00:00:00Z"
"""Time of a memory that states none; every later statement replaces it."""


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
