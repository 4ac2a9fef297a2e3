"""Maintenance of the memories of a workspace: runs the due jobs, experiences and
dreaming before compaction, one run at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.agents.hooks.process_pending import process_hook_events
from cuedeck.engine.mask_answers import log_error
from cuedeck.knowledge.compaction.run_compaction import compact
from cuedeck.knowledge.cortex.commit_session import commit_statements
from cuedeck.knowledge.dreaming.run_dream import run_dream
from cuedeck.knowledge.experiences.extract_experiences import extract
from cuedeck.knowledge.memory.due_jobs import (
    COMPACTION,
    DREAM,
    EXTRACTION,
    LOCK,
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
from cuedeck.model.paths import OWN
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
        steps = [step for _, *steps in self.profiles for step in steps]
        return self.unfinished or any(step.error for step in steps)

    @property
    def answer(self) -> dict[str, Any]:
        """The report as JSON."""
        rows = []
        for profile, extraction, dream, compaction in self.profiles:
            row = {"profile": profile, EXTRACTION: extraction._asdict()}
            row |= {DREAM: dream._asdict(), COMPACTION: compaction._asdict()}
            rows.append(row)
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
    cards = 0
    if statement_paths(workspace.paths):
        with suppress(Locked):  # a commit that runs already does it
            cards = _logged(workspace, "commit", lambda: commit_statements(workspace))
    done = _tick(workspace, profile, now)
    if os.path.exists(workspace.paths.recall_index):  # hooks read little of it
        _logged(workspace, "recall", lambda: _read_for_recall(workspace))
    process_hook_events(workspace)  # those that waited for a lock of this run
    committed = f"{counted(cards, 'memory card')} written" if cards else ""
    reason = "; ".join(filter(None, (*forgotten.messages, committed, done.reason)))
    has_run = done.ran or forgotten.total > 0 or cards > 0
    return done._replace(ran=has_run, reason=reason, unfinished=forgotten.failed)


def _logged(workspace: Workspace, job: str, run: Callable[[], int]) -> int:
    """Return the result of a job; 0 after an error, which is logged. Raises: Locked."""
    try:
        return run()
    except Locked:
        raise
    except CueDeckError as error:
        log_error(workspace, OWN.id, job, error)
        return 0


def _read_for_recall(workspace: Workspace) -> int:
    workspace.refresh_for_recall()
    with_index(workspace, lambda index, notes: None)
    return 0


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
    ran = any(step.ran for _, *steps in rows for step in steps)
    return MaintenanceReport(ran, "", rows)


def _row(workspace: Workspace, profile: str, now: datetime) -> Row:
    """Run the due jobs of one profile."""
    try:
        memory = memory_of(workspace, profile)
        runs = Runs(workspace.paths, memory.lock)
        look = MaintenanceState(workspace.settings, memory, runs, now)
        steps = []
        for job, decision in look.decide_jobs().items():
            failures = runs.read(EXTRACTION).failures
            is_held_back = job == COMPACTION and 0 < failures < _HELD_BACK
            if decision.run and is_held_back and look.settings.experiences.enabled:
                reason = "the extraction of experiences failed, and compaction needs it first"
                decision = JobDecision(False, reason)
            steps.append(_step(workspace, look, job, decision))
        return Row(profile, *steps)
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
        next_time = None if decision.reason == "off" else look.next(job)
        return Step(False, decision.reason, {}, next_time)
    known = look.runs.read(job)
    profile = look.memory.profile.id
    try:
        begun = known._replace(begun=look.now, failures=known.failures + 1)
        look.runs.write(job, begun)
        ran, job_reason, counts = MAINTENANCE_JOBS[job](
            workspace, look.memory, look.now
        )
        tried = look.too_much() if job == COMPACTION else None
        look.runs.write(job, Run(look.now, tried=tried))
    except (CueDeckError, OSError) as error:
        return _failed(workspace, profile, job, error)._replace(next=look.next(job))
    reason = decision.reason if ran else job_reason
    if ran and job != COMPACTION:  # compaction logs its own statistics
        row = {"event": job, "profile": profile, "reason": reason, **counts}
        log(workspace.paths, row)
    return Step(ran, reason, counts, look.next(job))


def _failed(
    workspace: Workspace, profile: str, job: str, error: CueDeckError | OSError
) -> Step:
    logged = log_error(workspace, profile, job, error)
    return Step(
        False,
        "failed",
        {},
        None,
        logged,
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
    counts = extract(workspace, memory)._asdict()
    del counts["outcomes"]
    return True, "", counts


def _dream(
    workspace: Workspace, memory: MemoryFiles, now: datetime
) -> tuple[bool, str, dict[str, Any]]:
    report = run_dream(workspace, memory, now=now)
    return True, "", {**report.counts, "promoted": len(report.promotions)}


def _compact(
    workspace: Workspace, memory: MemoryFiles, now: datetime
) -> tuple[bool, str, dict[str, Any]]:
    counts = compact(workspace, memory)._asdict()
    return counts.pop("ran"), counts.pop("reason"), counts


MAINTENANCE_JOBS: dict[str, Job] = {
    EXTRACTION: _extract,
    DREAM: _dream,
    COMPACTION: _compact,
}
