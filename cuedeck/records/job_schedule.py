"""When something that is done again and again is due. There are no timers: who comes by asks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from cuedeck.model.settings_schema import CompactionSettings
from cuedeck.parse.cron import moments_after

_AHEAD = timedelta(hours=1)
"""A last run that lies further in the future than this says that the clock was wrong, then or now."""
_FIRST_PAUSE = timedelta(minutes=1)
_LONGEST_PAUSE = timedelta(hours=1)
_STEP = 10
"""A file that is too long is worth another attempt when it changed by the tenth part of the limit."""


def next_run(last_run: datetime | None, now: datetime, schedule: str, interval_minutes: int) -> datetime | None:
    """Return when something is due next, in the zone of `now`: a moment up to `now` says at once, None says never.

    `schedule` is a line of cron (or `daily` …) in that zone; empty: every `interval_minutes`. What never ran is due
    at once, so that it also runs where nobody stays for a whole interval. However many moments went by since the
    last run, it is due once. A last run that is ahead of the clock counts as none; but for up to an hour, so that
    two clocks that differ a little, or one that is set, do not repeat what was just done.
    """
    if last_run is None or last_run.astimezone(UTC) - now.astimezone(UTC) > _AHEAD:
        return now
    last_run = last_run.astimezone(now.tzinfo)
    if schedule:
        return next(moments_after(schedule, last_run), None)
    return (last_run.astimezone(UTC) + timedelta(minutes=interval_minutes)).astimezone(now.tzinfo)


def is_due(last_run: datetime | None, now: datetime, schedule: str, interval_minutes: int) -> bool:
    """Tell whether something that last ran then is due now; see `next_run`."""
    found = next_run(last_run, now, schedule, interval_minutes)
    # In UTC: within one zone, moments compare by what the clock shows, which shows some hours twice.
    return found is not None and found.astimezone(UTC) <= now.astimezone(UTC)


def pause_after(failures: int) -> timedelta:
    """Return how long to wait after so many attempts in a row that did not come to their end.

    The first one is tried again at once: it may have been killed. What fails again waits longer each time.
    """
    return min(_FIRST_PAUSE * 2 ** min(failures - 2, 10), _LONGEST_PAUSE) if failures > 1 else timedelta(0)


def may_begin(begun: datetime | None, failures: int, now: datetime) -> bool:
    """Tell whether an attempt may be made, if the last one began then and failed, as did others before it."""
    if begun is None:
        return True
    waited = now.astimezone(UTC) - begun.astimezone(UTC)
    return waited < timedelta(0) or waited >= pause_after(failures)


def is_over(records: int, chars: int, settings: CompactionSettings) -> bool:
    """Tell whether a file of records is so long that it should be compacted."""
    return records >= settings.threshold_records or chars >= settings.threshold_chars


def is_worth_it(records: int, chars: int, tried: tuple[int, int] | None, settings: CompactionSettings) -> bool:
    """Tell whether a file that is too long changed enough since a compaction left it so.

    `tried` is what it held then, in records and characters.
    """
    if tried is None:
        return True
    by_records = abs(records - tried[0]) * _STEP >= settings.threshold_records
    return by_records or abs(chars - tried[1]) * _STEP >= settings.threshold_chars
