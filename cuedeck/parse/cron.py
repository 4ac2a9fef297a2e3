"""Cron expressions: five fields or an alias such as `daily`, and the moments at which
they are due.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from cuedeck.model.formatting import abbreviate

_FIELDS = 5
_LONGEST = 100
_SOME_DAY = datetime(2000, 1, 1)
_WORDS = {"hourly": "0 * * * *", "daily": "0 0 * * *", "weekly": "0 0 * * 0"}
"""Aliases of cron expressions, with or without a leading `@`."""


def check_cron(line: str) -> None:
    """Check that a cron expression is valid and is due at some time.

    Raises: ValueError with a message that continues the name of the setting.
    """
    from cronsim import CronSim, CronSimError

    fields = _fields(line)
    if len(fields.split()) != _FIELDS or len(line) > _LONGEST:
        words = ", ".join(_WORDS)
        raise ValueError(
            f"needs five fields (minute, hour, day, month, weekday) or {words}, not {abbreviate(line)!r}"
        )
    try:
        next(CronSim(fields, _SOME_DAY))
    except StopIteration:
        raise ValueError(f"describes a time that never occurs: {line!r}") from None
    except CronSimError as error:
        raise ValueError(
            f"is not a cron line: {str(error).lower()} in {line!r}"
        ) from None


def moments_after(line: str, moment: datetime) -> Iterator[datetime]:
    """Yield the moments after `moment`, in its time zone, at which a checked cron
    expression is due.

    At a daylight-saving change, a skipped time is due at the end of the gap. A repeated
    time is due once, except for expressions that are due every hour or minute. The
    iteration ends if nothing is due for fifty years.
    """
    from cronsim import CronSim

    since = moment.astimezone(UTC)
    for found in CronSim(_fields(line), moment):
        # In the second of two repeated hours, CronSim may return a time of the first
        # one.
        if found.astimezone(UTC) > since:
            yield found


def _fields(line: str) -> str:
    return _WORDS.get(line.strip().removeprefix("@"), line)
