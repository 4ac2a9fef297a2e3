"""Maintenance of the memories of a workspace: runs the due jobs, experiences and
dreaming before compaction, one run at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.agents.hooks.process_pending import process_hook_events
from cuedeck.engine.error_report import log_error
from cuedeck.knowledge.dreaming.run_dream import run_dream
from cuedeck.knowledge.memory.append_trigger import LOCK
from cuedeck.knowledge.memory.due_jobs import (
    COMPACTION,
    DREAM,
    EXTRACTION,
    JobDecision,
    MaintenanceState,
    check_schedule,
    is_on,
)
from cuedeck.knowledge.memory.forget_record import finish_forgettings
from cuedeck.knowledge.recall.sync_index import with_index
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.statements.statement_files import statement_paths
from cuedeck.model.errors import CueDeckError, Locked
from cuedeck.model.formatting import counted
from cuedeck.model.profile import OWN
from cuedeck.store.cache.job_state import Run, Runs
from cuedeck.store.clock import zoned_now
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

_HELD_BACK = 3
"""Number of failed extractions in a row that end the postponement of compaction.

Compaction waits for the extraction because merged records cannot become experiences.
"""


class Step(NamedTuple):
    """Result of one job."""

    ran: bool
    reason: str
    """Reason why the job ran or did not run."""
    counts: Mapping[str, Any]
    """Statistics of the job."""
    next: str | None
    """Next scheduled time; None if the job is off."""
    error: Mapping[str, Any] | None = None
    """`code`, `message` and `hint` of the error."""


class Row(NamedTuple):
    """Results of the jobs of one profile."""

    profile: str
    extraction: Step
    dream: Step
    compaction: Step

    @property
    def steps(self) -> tuple[Step, Step, Step]:
        return self.extraction, self.dream, self.compaction

    @property
    def ran(self) -> bool:
        """Whether any job ran."""
        return any(step.ran for step in self.steps)

    @property
    def failed(self) -> bool:
        """Whether any job failed."""
        return any(step.error for step in self.steps)

    @property
    def answer(self) -> dict[str, Any]:
        """The row as JSON."""
        return {
            "profile": self.profile,
            "extraction": self.extraction._asdict(),
            "dream": self.dream._asdict(),
            "compaction": self.compaction._asdict(),
        }


class MaintenanceReport(NamedTuple):
    """Result of a maintenance run."""

    ran: bool
    """Whether any job ran."""
    reason: str
    """Reason why no job was considered, and a summary of resumed deletions; empty
    otherwise.
    """
    profiles: tuple[Row, ...] = ()
    unfinished: bool = False
    """Whether a deletion remains unfinished."""

    @property
    def failed(self) -> bool:
        """Whether any job or deletion failed."""
        if self.unfinished:
            return True
        return any(row.failed for row in self.profiles)

    @property
    def answer(self) -> dict[str, Any]:
        """The report as JSON."""
        rows = [row.answer for row in self.profiles]
        return {"ran": self.ran, "reason": self.reason, "profiles": rows}


def tick(
    workspace: Workspace, *, profile: str = "", now: datetime | None = None
) -> MaintenanceReport:
    """Run the due jobs of every memory, or of one profile.

    An error in one memory is reported in its row and in the log; the other memories are
    still processed. Queued hook events and interrupted deletions are processed, and new
    statements become memories of the cortex tree, even if no job is enabled. Raises:
    ConfigurationError for invalid settings, NotFound for an unknown profile,
    StorageError if the lock cannot be created.
    """
    process_hook_events(workspace)
    forgotten = finish_forgettings(workspace)
    cards = _commit_statements(workspace)
    done = _tick(workspace, profile, now)
    _read_for_recall(workspace)
    process_hook_events(workspace)  # those that waited for a lock of this run
    committed = f"{counted(cards, 'memory card')} written" if cards else ""
    reason = "; ".join(filter(None, (*forgotten.messages, committed, done.reason)))
    has_run = done.ran or forgotten.total > 0 or cards > 0
    return done._replace(ran=has_run, reason=reason, unfinished=forgotten.failed)


def _commit_statements(workspace: Workspace) -> int:
    """Write the memories in new statements to the cortex tree; return the number of
    changed cards. A commit that runs already does it.
    """
    if not statement_paths(workspace.paths):
        return 0
    from cuedeck.knowledge.cortex.commit_session import commit_statements

    try:
        return commit_statements(workspace)
    except Locked:
        return 0
    except CueDeckError as error:
        log_error(workspace, OWN.id, "commit", error)
        return 0


def _read_for_recall(workspace: Workspace) -> None:
    """Bring the index of recall up to date, if there is one: hooks read little."""
    if not os.path.exists(workspace.paths.recall_index):
        return
    try:
        workspace.refresh_for_recall()
        with_index(workspace, lambda index, notes: None)
    except CueDeckError as error:
        log_error(workspace, OWN.id, "recall", error)


def _tick(
    workspace: Workspace, profile: str, now: datetime | None
) -> MaintenanceReport:
    """Run the due jobs if any job is enabled."""
    if not is_on(workspace):
        reason = "compaction, experiences and dreaming are disabled"
        return MaintenanceReport(False, reason)
    check_schedule(workspace.environ, workspace.settings)
    ids = tuple(each.id for each in (OWN, *workspace.settings.profile))
    if profile:
        ids = (memory_of(workspace, profile).profile.id,)
    try:
        with locked(workspace.paths, LOCK, patience_seconds=0):
            rows = tuple(_row(workspace, each, now or zoned_now()) for each in ids)
    except Locked:
        return MaintenanceReport(False, "another maintenance run is active")
    return MaintenanceReport(any(row.ran for row in rows), "", rows)


def _row(workspace: Workspace, profile: str, now: datetime) -> Row:
    """Run the due jobs of one profile."""
    try:
        memory = memory_of(workspace, profile)
        look = MaintenanceState(
            workspace.settings, memory, Runs(workspace.paths, memory.lock), now
        )
        decisions = look.decide_jobs()
        extraction = _step(workspace, look, EXTRACTION, decisions.extraction)
        dream = _step(workspace, look, DREAM, decisions.dream)
        compaction = decisions.compaction
        if (
            look.extracts
            and compaction.run
            and 0 < look.runs.read(EXTRACTION).failures < _HELD_BACK
        ):
            compaction = JobDecision(
                False,
                "the extraction of experiences failed, and compaction needs it first",
            )
        compacted = _step(workspace, look, COMPACTION, compaction)
        return Row(profile, extraction, dream, compacted)
    except (CueDeckError, OSError) as error:
        failed = _failed(workspace, profile, "", error)
        return Row(profile, failed, failed, failed)


def _step(
    workspace: Workspace, look: MaintenanceState, job: str, decision: JobDecision
) -> Step:
    """Run one job if it is due. The start is recorded first, so that a killed run
    counts as a failure.
    """
    if not decision.run:
        next_time = None
        if decision.reason != "off":
            next_time = look.next(job)
        return Step(ran=False, reason=decision.reason, counts={}, next=next_time)
    known = look.runs.read(job)
    profile = look.memory.profile.id
    try:
        look.runs.write(
            job, known._replace(begun=look.now, failures=known.failures + 1)
        )
        job_run = MAINTENANCE_JOBS[job]
        ran, job_reason, counts = job_run(workspace, look.memory, look.now)
        tried = None
        if job == COMPACTION:
            tried = look.too_much()
        look.runs.write(job, Run(look.now, tried=tried))
    except (CueDeckError, OSError) as error:
        return _failed(workspace, profile, job, error)._replace(next=look.next(job))
    reason = decision.reason if ran else job_reason
    if ran and job != COMPACTION:  # compaction logs its own statistics
        log(
            workspace.paths,
            {"event": job, "profile": profile, "reason": reason, **counts},
        )
    return Step(ran, reason, counts, look.next(job))


def _failed(
    workspace: Workspace, profile: str, job: str, error: CueDeckError | OSError
) -> Step:
    """Log an error; return the failed step."""
    return Step(
        ran=False,
        reason="failed",
        counts={},
        next=None,
        error=log_error(workspace, profile, job, error),
    )


Job = Callable[
    ["Workspace", "MemoryFiles", "datetime"], tuple[bool, str, dict[str, Any]]
]
"""Runs one job for one memory at a time; returns whether it ran, the reason if it did
not, and its statistics.
"""


def _extract(
    workspace: Workspace, memory: MemoryFiles, now: datetime
) -> tuple[bool, str, dict[str, Any]]:
    from cuedeck.knowledge.experiences.extract_experiences import extract

    counts = _table(extract(workspace, memory))
    del counts["outcomes"]
    return True, "", counts


def _dream(
    workspace: Workspace, memory: MemoryFiles, now: datetime
) -> tuple[bool, str, dict[str, Any]]:
    report = run_dream(workspace, memory, now=now)
    counts = {**report.counts, "promoted": len(report.promotions)}
    return True, "", counts


def _compact(
    workspace: Workspace, memory: MemoryFiles, now: datetime
) -> tuple[bool, str, dict[str, Any]]:
    from cuedeck.knowledge.compaction.run_compaction import compact

    counts = _table(compact(workspace, memory))
    return counts.pop("ran"), counts.pop("reason"), counts


def _table(value: Any) -> Any:
    """Return a dataclass or named tuple as a JSON value, recursively."""
    if is_dataclass(value):
        names = [field.name for field in fields(value)]
    elif hasattr(value, "_fields"):
        names = value._fields
    else:
        return value
    return {name: _table(getattr(value, name)) for name in names}


MAINTENANCE_JOBS: dict[str, Job] = {
    EXTRACTION: _extract,
    DREAM: _dream,
    COMPACTION: _compact,
}
