"""Scheduler of a memory: decides which maintenance jobs are due, with the reason.

There are no timers: every process that runs checks whether a job is due, and an append
starts a run in the background if MEMORY.md is over a threshold.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.memory_files import PRIMARY, RECALLS, MemoryFiles, Size
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import ConfigurationError, CueDeckError
from cuedeck.model.paths import CONFIG
from cuedeck.model.settings_schema import CompactionSettings, Settings
from cuedeck.parse.cron import check_cron, moments_after
from cuedeck.parse.settings_file import setter_of
from cuedeck.store.cache.job_state import Runs
from cuedeck.store.clock import zoned_now
from cuedeck.store.files.background_process import start

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

EXTRACTION = "extraction"
COMPACTION = "compaction"
DREAM = "dream"
LOCK = "tick"
"""Lock of a maintenance run."""
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
    return found is not None and found.astimezone(UTC) <= now.astimezone(UTC)


def may_begin(begun: datetime | None, failures: int, now: datetime) -> bool:
    """Return whether a new attempt is allowed, given the start of the last one and the
    consecutive failures.

    The first failure is retried at once, because the process may have been killed; then
    the pause doubles from one minute to at most an hour.
    """
    if begun is None or failures <= 1:
        return True
    waited = now.astimezone(UTC) - begun.astimezone(UTC)
    pause = min(_FIRST_PAUSE * (1 << min(failures - 2, 10)), _LONGEST_PAUSE)
    return waited < timedelta(0) or waited >= pause


def is_over(size: Size, settings: CompactionSettings) -> bool:
    """Return whether a file of records reaches a compaction threshold."""
    has_many = size.records >= settings.threshold_records
    return has_many or size.chars >= settings.threshold_chars


def is_worth_it(
    size: Size, tried: tuple[int, int] | None, settings: CompactionSettings
) -> bool:
    """Return whether a file over a threshold changed enough since the last compaction.

    `tried` is its size after that compaction, in records and characters.
    """
    if tried is None:
        return True
    records = abs(size.records - tried[0])
    chars = abs(size.chars - tried[1])
    has_many = records * _STEP >= settings.threshold_records
    return has_many or chars * _STEP >= settings.threshold_chars


def is_on(workspace: Workspace) -> bool:
    """Return whether any job is enabled. Settings that name no job are not parsed.
    Raises: ConfigurationError.
    """
    if not any(map(workspace.may_configure, ("compaction", "experiences", "dream"))):
        return False
    settings = workspace.settings
    jobs = (settings.compaction, settings.experiences, settings.dream)
    return any(job.enabled for job in jobs)


def check_schedule(environ: Mapping[str, str], settings: Settings) -> None:
    """Check the cron schedules in the settings, which are parsed only if a job is
    enabled.

    Raises: ConfigurationError for the first error of `schedule_errors`.
    """
    for error in schedule_errors(settings, environ):
        path = f"{error.path}: " if error.path == CONFIG else ""
        raise ConfigurationError(
            f"{path}{error.message}", hint=error.hint, problem=error.message
        )


def schedule_errors(
    settings: Settings, environ: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Yield an error for each invalid cron schedule. Its message names the variable
    that sets it; then the path is `.`.
    """
    schedules = {
        "compaction.schedule": settings.compaction.schedule,
        "dream.schedule": settings.dream.schedule,
    }
    for key, line in schedules.items():
        if not line:
            continue
        try:
            check_cron(line)
        except ValueError as error:
            setter = setter_of(key, environ)
            path, message = CONFIG, f"{key} {error}"
            if setter != CONFIG:
                path, message = ".", f"{setter}: {message}"
            hint = "for 3 a.m. every day: 0 3 * * *"
            yield Diagnostic(
                path,
                0,
                "error",
                "config",
                message,
                hint,
            )


class JobDecision(NamedTuple):
    """Whether a job is to run, with the reason."""

    run: bool
    reason: str


_NOT_DUE = JobDecision(False, "not due")
_OFF = JobDecision(False, "off")


class MaintenanceState(NamedTuple):
    """State of one memory at one moment."""

    settings: Settings
    memory: MemoryFiles
    runs: Runs
    now: datetime

    def decide_jobs(self) -> dict[str, JobDecision]:
        """Return the decisions in the order of execution: a merged record can no longer
        become an experience, and a promoted record is not merged. Raises: Locked,
        StorageError.
        """
        compaction = self._decide(COMPACTION, self.settings.compaction.enabled)
        if compaction == _NOT_DUE and self._is_too_long():
            compaction = JobDecision(True, "MEMORY.md is over the threshold")
        extraction = self._decide(EXTRACTION, self.settings.experiences.enabled)
        if extraction == _NOT_DUE and compaction.run:
            extraction = JobDecision(True, "compaction follows")
        dream = self._decide(DREAM, self.settings.dream.enabled)
        return {EXTRACTION: extraction, DREAM: dream, COMPACTION: compaction}

    def next(self, job: str) -> str | None:
        """Return the next scheduled time of a job as ISO 8601 in local time; None for
        never. Raises: StorageError.
        """
        last = self.runs.read(job).last
        found = next_run(last, self.now, *self._schedule(job))
        return None if found is None else found.isoformat(timespec="seconds")

    def too_much(self) -> Size | None:
        """Return the size of MEMORY.md if it exceeds a threshold, else None. Raises:
        StorageError.
        """
        size = self.memory.size()
        return size if is_over(size, self.settings.compaction) else None

    def _schedule(self, job: str) -> tuple[str, int]:
        """Return the cron line and the interval of a job. Experiences are extracted as
        often as records are compacted.
        """
        settings = self.settings.dream if job == DREAM else self.settings.compaction
        return settings.schedule, settings.interval_minutes

    def _decide(self, job: str, enabled: bool) -> JobDecision:
        if not enabled:
            return _OFF
        if job == DREAM and self.memory.print(RECALLS) is None:
            return JobDecision(False, "nothing was recalled")
        if job != DREAM and self.memory.print(PRIMARY) is None:
            return JobDecision(False, "there is no MEMORY.md")
        run = self.runs.read(job)
        if not may_begin(run.begun, run.failures, self.now):
            reason = f"{run.failures} attempts in a row failed; the next one is delayed"
            return JobDecision(False, reason)
        if is_due(run.last, self.now, *self._schedule(job)):
            return JobDecision(True, "due")
        return _NOT_DUE

    def _is_too_long(self) -> bool:
        size = self.too_much()
        tried = self.runs.read(COMPACTION).tried
        return size is not None and is_worth_it(size, tried, self.settings.compaction)


def after_append(workspace: Workspace, memory: MemoryFiles) -> bool:
    """Start a maintenance run in the background if MEMORY.md is over a threshold;
    return whether one was started.

    Never blocks or fails the append; errors are left to the next scheduled run.
    """
    with contextlib.suppress(CueDeckError):
        settings = workspace.settings
        if not settings.compaction.enabled or not is_over(
            memory.size(), settings.compaction
        ):
            return False
        check_schedule(workspace.environ, settings)
        runs = Runs(workspace.paths, memory.lock)
        state = MaintenanceState(settings, memory, runs, zoned_now())
        if state.decide_jobs()[COMPACTION].run:
            return start(workspace.paths, LOCK, ("memory", "tick"))
    return False
