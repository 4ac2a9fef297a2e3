"""Due dates of recurring jobs. There are no timers: every process that runs checks
whether a job is due.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from cuedeck.model.settings_schema import CompactionSettings
from cuedeck.parse.cron import moments_after

_AHEAD = timedelta(hours=1)
"""A last run further in the future than this means that the clock is or was wrong."""
_FIRST_PAUSE = timedelta(minutes=1)
_LONGEST_PAUSE = timedelta(hours=1)
_STEP = 10
"""A file that is too long is compacted again only after it changed by 1/10 of a limit.
"""


def next_run(
    last_run: datetime | None, now: datetime, schedule: str, interval_minutes: int
) -> datetime | None:
    """Return the next due time in the zone of `now`: a time up to `now` means due now,
    None means never.

    `schedule` is a cron line (or `daily` …) in that zone; if empty, the job runs every
    `interval_minutes`. A job that never ran is due at once, so that it also runs where
    no process lives for a whole interval. Missed runs are made up for once. A last run
    more than an hour ahead of the clock is ignored; a smaller difference is accepted,
    so that two clocks that differ slightly, or a corrected clock, do not repeat a job.
    """
    if last_run is None:
        return now
    last_run_utc = last_run.astimezone(UTC)
    if last_run_utc - now.astimezone(UTC) > _AHEAD:
        return now
    if schedule:
        return next(moments_after(schedule, last_run.astimezone(now.tzinfo)), None)
    due = last_run_utc + timedelta(minutes=interval_minutes)
    return due.astimezone(now.tzinfo)


def is_due(
    last_run: datetime | None, now: datetime, schedule: str, interval_minutes: int
) -> bool:
    """Return whether a job with this last run is due now; see `next_run`."""
    found = next_run(last_run, now, schedule, interval_minutes)
    # Compare in UTC: within one zone, datetimes compare by wall clock, which shows some
    # hours twice.
    if found is None:
        return False
    return found.astimezone(UTC) <= now.astimezone(UTC)


def pause_after(failures: int) -> timedelta:
    """Return the waiting time after a number of consecutive failed attempts.

    The first failure is retried at once, because the process may have been killed; then
    the pause doubles from one minute to at most an hour.
    """
    if failures <= 1:
        return timedelta(0)
    factor = 1 << min(failures - 2, 10)
    return min(_FIRST_PAUSE * factor, _LONGEST_PAUSE)


def may_begin(begun: datetime | None, failures: int, now: datetime) -> bool:
    """Return whether a new attempt is allowed, given the start of the last one and the
    consecutive failures.
    """
    if begun is None:
        return True
    waited = now.astimezone(UTC) - begun.astimezone(UTC)
    if waited < timedelta(0):
        return True
    return waited >= pause_after(failures)


def is_over(records: int, chars: int, settings: CompactionSettings) -> bool:
    """Return whether a file of records reaches a compaction threshold."""
    return records >= settings.threshold_records or chars >= settings.threshold_chars


def is_worth_it(
    records: int,
    chars: int,
    tried: tuple[int, int] | None,
    settings: CompactionSettings,
) -> bool:
    """Return whether a file over a threshold changed enough since the last compaction.

    `tried` is its size after that compaction, in records and characters.
    """
    if tried is None:
        return True
    changed_records = abs(records - tried[0])
    changed_chars = abs(chars - tried[1])
    if changed_records * _STEP >= settings.threshold_records:
        return True
    return changed_chars * _STEP >= settings.threshold_chars
