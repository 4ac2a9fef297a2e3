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
OFF = "off"
LOCK = "tick"
"""Lock of a maintenance run."""
_AHEAD = timedelta(hours=1)
"""A last run further in the future than this means that the clock is or was wrong."""
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
    # In UTC: within one zone, datetimes compare by wall clock, which shows some hours
    # twice.
    last = last_run.astimezone(UTC)
    if last - now > _AHEAD:
        return now
    if schedule:
        return next(moments_after(schedule, last.astimezone(now.tzinfo)), None)
    return (last + timedelta(minutes=interval_minutes)).astimezone(now.tzinfo)


def is_due(
    last_run: datetime | None, now: datetime, schedule: str, interval_minutes: int
) -> bool:
    """Return whether a job with this last run is due now; see `next_run`."""
    found = next_run(last_run, now, schedule, interval_minutes)
    return found is not None and found.astimezone(UTC) <= now


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
    records, chars = tried or (-_STEP * settings.threshold_records, 0)
    changes = Size(abs(size.records - records) * _STEP, abs(size.chars - chars) * _STEP)
    return is_over(changes, settings)


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
    for section in (COMPACTION, DREAM):
        line = getattr(settings, section).schedule
        try:
            if line:
                check_cron(line)
        except ValueError as error:
            key = f"{section}.schedule"
            setter = setter_of(key, environ)
            path, message = CONFIG, f"{key} {error}"
            if setter != CONFIG:
                path, message = ".", f"{setter}: {message}"
            hint = "for 3 a.m. every day: 0 3 * * *"
            yield Diagnostic(path, 0, "error", "config", message, hint)


class Job(NamedTuple):
    """A maintenance job of a memory."""

    name: str
    section: str
    """Section of the settings that enables it."""
    timing: str
    """Section of the settings with its schedule."""
    file: str
    """File that it reads."""
    missing: str
    """Reason why it does not run without the file."""


_NO_MEMORY = "there is no MEMORY.md"
_ORDER = (
    Job(EXTRACTION, "experiences", COMPACTION, PRIMARY, _NO_MEMORY),
    Job(DREAM, DREAM, DREAM, RECALLS, "nothing was recalled"),
    Job(COMPACTION, COMPACTION, COMPACTION, PRIMARY, _NO_MEMORY),
)
JOBS = {job.name: job for job in _ORDER}
"""The jobs by name, in the order of execution: a promoted record is not merged."""


class MaintenanceState(NamedTuple):
    """State of one memory at one moment."""

    settings: Settings
    memory: MemoryFiles
    runs: Runs
    now: datetime

    def decide(self, job: Job) -> tuple[bool, str]:
        """Return whether a job is to run, with the reason. Raises: Locked,
        StorageError.
        """
        if not getattr(self.settings, job.section).enabled:
            return False, OFF
        if self.memory.print(job.file) is None:
            return False, job.missing
        run = self.runs.read(job.name)
        timing = getattr(self.settings, job.timing)
        if is_due(run.last, self.now, timing.schedule, timing.interval_minutes):
            return True, "due"
        size = self.too_much() if job.name == COMPACTION else None
        if size is not None and is_worth_it(size, run.tried, self.settings.compaction):
            return True, "MEMORY.md is over the threshold"
        return False, "not due"

    def next(self, job: Job) -> str | None:
        """Return the next scheduled time of a job as ISO 8601 in local time; None for
        never. Raises: StorageError.
        """
        if not getattr(self.settings, job.section).enabled:
            return None
        timing = getattr(self.settings, job.timing)
        last = self.runs.read(job.name).last
        found = next_run(last, self.now, timing.schedule, timing.interval_minutes)
        return None if found is None else found.isoformat(timespec="seconds")

    def too_much(self) -> Size | None:
        """Return the size of MEMORY.md if it exceeds a threshold, else None. Raises:
        StorageError.
        """
        size = self.memory.size()
        return size if is_over(size, self.settings.compaction) else None


def after_append(workspace: Workspace, memory: MemoryFiles) -> bool:
    """Start a maintenance run in the background if MEMORY.md is over a threshold;
    return whether one was started.

    Never blocks or fails the append; errors are left to the next scheduled run.
    """
    with contextlib.suppress(CueDeckError):
        settings = workspace.settings
        runs = Runs(workspace.paths, memory.lock)
        state = MaintenanceState(settings, memory, runs, zoned_now())
        if not settings.compaction.enabled or state.too_much() is None:
            return False
        check_schedule(workspace.environ, settings)
        if state.decide(JOBS[COMPACTION])[0]:
            return start(workspace.paths, LOCK, ("memory", "tick"))
    return False
