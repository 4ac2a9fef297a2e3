"""Dates of card fields that are clear to a person, and how RFC 3339 writes them. What is not clear stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from cuedeck.parse.dates import parse_moment

_MOMENT = re.compile(
    r"([0-9]{4})([/.])([0-9]{1,2})\2([0-9]{1,2})"
    r"(?:[ Tt]+([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?\s*([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_SECONDS = re.compile(r"([0-9]{9,10})(?:\.[0-9]+)?")
_MILLISECONDS = re.compile(r"(1[0-9]{9})[0-9]{3}")


def rewritten(text: str) -> str:
    """Return what a date in another form reads in RFC 3339; empty when it needs no change or is not clear.

    Known forms: the year first with `/` or `.` between the numbers, Unix seconds and milliseconds. A time
    without a zone stays without one, because nobody wrote which it is.
    Example: `rewritten("2026/05/03 10:00")` is `"2026-05-03T10:00:00"`.
    """
    for pattern, write in _FORMS:
        if match := pattern.fullmatch(text.strip()):
            return write(match)
    return ""


def _from_numbers(match: re.Match[str]) -> str:
    year, _, month, day, time, zone = match.groups()
    date = f"{year}-{int(month):02}-{int(day):02}"
    if time is None:
        return date if parse_moment(date) else ""
    hour, *rest = time.split(":")
    zone = (zone or "").upper()
    if len(zone) == len("+0200"):
        zone = f"{zone[:3]}:{zone[3:]}"
    moment = f"{date}T{int(hour):02}:{':'.join(rest) if len(rest) > 1 else rest[0] + ':00'}{zone}"
    return moment if parse_moment(moment) else ""


def _from_seconds(match: re.Match[str]) -> str:
    return datetime.fromtimestamp(int(match[1]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_MOMENT, _from_numbers),
    (_SECONDS, _from_seconds),
    (_MILLISECONDS, _from_seconds),
)
