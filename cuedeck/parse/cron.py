"""Lines of cron: five fields, or a word for them, and at which moments they hold."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

_FIELDS = 5
_LONGEST = 100
_SOME_DAY = datetime(2000, 1, 1)
_WORDS = {"hourly": "0 * * * *", "daily": "0 0 * * *", "weekly": "0 0 * * 0"}
"""Words that stand for a line, as they are or behind an `@`."""


def check_cron(line: str) -> None:
    """Check that a line of cron can be read and names a time that comes.

    Raises: ValueError with what is wrong, to be said after the name of the line.
    """
    from cronsim import CronSim, CronSimError

    fields = _fields(line)
    if len(fields.split()) != _FIELDS or len(line) > _LONGEST:
        words = ", ".join(_WORDS)
        raise ValueError(f"needs five fields (minute, hour, day, month, weekday) or {words}, not {line[:_LONGEST]!r}")
    try:
        next(CronSim(fields, _SOME_DAY))
    except StopIteration:
        raise ValueError(f"names a time that never comes: {line!r}") from None
    except CronSimError as error:
        raise ValueError(f"is no line of cron: {str(error).lower()} in {line!r}") from None


def moments_after(line: str, moment: datetime) -> Iterator[datetime]:
    """Yield when a line that was checked holds, after `moment` and in its time zone.

    A time that the clock skips comes where the gap ends; one that it shows twice comes once, except in lines
    that hold in every hour or minute. No moment for fifty years ends it.
    """
    from cronsim import CronSim

    since = moment.astimezone(UTC)
    for found in CronSim(_fields(line), moment):
        # Counted from the second of two equal hours, what is next on the clock may lie in the first.
        if found.astimezone(UTC) > since:
            yield found


def _fields(line: str) -> str:
    return _WORDS.get(line.strip().removeprefix("@"), line)
