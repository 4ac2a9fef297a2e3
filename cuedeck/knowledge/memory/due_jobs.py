"""Scheduler of a memory: decides which maintenance jobs are due, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.memory.job_schedule import (
    is_due,
    is_over,
    is_worth_it,
    may_begin,
    next_run,
)
from cuedeck.ledger.records.memory_files import PRIMARY, RECALLS
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import CONFIG
from cuedeck.parse.cron import check_cron

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.cache.job_state import Runs

EXTRACTION = "extraction"
COMPACTION = "compaction"
DREAM = "dream"


class JobDecision(NamedTuple):
    """Whether a job is to run, with the reason."""

    run: bool
    reason: str


class JobDecisions(NamedTuple):
    """Decisions for one memory in the order of execution: a merged record can no longer
    become an experience, and a promoted record is not merged.
    """

    extraction: JobDecision
    dream: JobDecision
    compaction: JobDecision


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
            from cuedeck.parse.settings_file import setter_of

            setter = setter_of(key, environ)
            path, message = CONFIG, f"{key} {error}"
            if setter != CONFIG:
                path, message = ".", f"{setter}: {message}"
            hint = "for 3 a.m. every day: 0 3 * * *"
            yield Diagnostic(path, 0, "error", "config", message, hint)


class MaintenanceState(NamedTuple):
    """State of one memory at one moment."""

    settings: Settings
    memory: MemoryFiles
    runs: Runs
    now: datetime

    @property
    def extracts(self) -> bool:
        """Whether the extraction of experiences is enabled."""
        return self.settings.experiences.enabled

    def decide_jobs(self) -> JobDecisions:
        """Return the decisions for all jobs. Raises: Locked, StorageError."""
        compaction = self._of(COMPACTION, self.settings.compaction.enabled)
        if compaction == _NOT_DUE and self._is_too_long():
            compaction = JobDecision(True, "MEMORY.md is over the threshold")
        extraction = self._of(EXTRACTION, self.extracts)
        if extraction == _NOT_DUE and compaction.run:
            extraction = JobDecision(True, "compaction follows")
        return JobDecisions(extraction, self._dream(), compaction)

    def next(self, job: str) -> str | None:
        """Return the next scheduled time of a job as ISO 8601 in local time; None for
        never. Raises: StorageError.
        """
        last = self.runs.read(job).last
        found = next_run(last, self.now, *self._schedule(job))
        if found is None:
            return None
        return found.isoformat(timespec="seconds")

    def too_much(self) -> tuple[int, int] | None:
        """Return the number of records and characters in MEMORY.md if it exceeds a
        threshold, else None.

        Raises: StorageError.
        """
        records, chars = self.memory.size()
        return (
            (records, chars)
            if is_over(records, chars, self.settings.compaction)
            else None
        )

    def _schedule(self, job: str) -> tuple[str, int]:
        """Return the cron line and the interval of a job. Experiences are extracted as
        often as records are compacted.
        """
        settings = self.settings.dream if job == DREAM else self.settings.compaction
        return settings.schedule, settings.interval_minutes

    def _dream(self) -> JobDecision:
        enabled = self.settings.dream.enabled
        if enabled and self.memory.print(RECALLS) is None:
            return JobDecision(False, "nothing was recalled")
        return self._when_due(DREAM) if enabled else JobDecision(False, "off")

    def _of(self, job: str, enabled: bool) -> JobDecision:
        if not enabled:
            return JobDecision(False, "off")
        if self.memory.print(PRIMARY) is None:
            return JobDecision(False, "there is no MEMORY.md")
        return self._when_due(job)

    def _when_due(self, job: str) -> JobDecision:
        run = self.runs.read(job)
        if not may_begin(run.begun, run.failures, self.now):
            return JobDecision(
                False,
                f"{run.failures} attempts in a row failed; the next one is delayed",
            )
        return (
            JobDecision(True, "due")
            if is_due(run.last, self.now, *self._schedule(job))
            else _NOT_DUE
        )

    def _is_too_long(self) -> bool:
        held = self.too_much()
        return held is not None and is_worth_it(
            *held, self.runs.read(COMPACTION).tried, self.settings.compaction
        )


_NOT_DUE = JobDecision(False, "not due")
