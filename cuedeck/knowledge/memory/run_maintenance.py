"""Maintenance of the memories of a workspace: runs the due jobs, experiences and
dreaming before compaction, one run at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
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
    JOBS,
    LOCK,
    Job,
    MaintenanceState,
    check_schedule,
    is_on,
)
from cuedeck.knowledge.memory.forget_record import finish_forgettings
from cuedeck.knowledge.recall.sync_index import with_index
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.ledger.statement_files import statement_paths
from cuedeck.model.errors import CueDeckError, Locked
from cuedeck.model.formatting import counted
from cuedeck.model.paths import OWN
from cuedeck.model.ports import Json, JsonView
from cuedeck.store.cache.job_state import Run, Runs
from cuedeck.store.clock import zoned_now
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles


class MaintenanceReport(NamedTuple):
    """Result of a maintenance run."""

    ran: bool
    """Whether any job ran."""
    reason: str
    """Reason why no job was considered, and a summary of resumed deletions; empty
    otherwise.
    """
    profiles: tuple[Json, ...] = ()
    """For each profile, the result of each job: whether it `ran`, the `reason`, its
    `counts`, its `next` scheduled time, and its `error`.
    """
    unfinished: bool = False
    """Whether a deletion remains unfinished."""

    @property
    def failed(self) -> bool:
        """Whether any job or deletion failed."""
        return self.unfinished or any(_values(self.profiles, "error"))

    @property
    def answer(self) -> Json:
        """The report as JSON."""
        return {"ran": self.ran, "reason": self.reason, "profiles": list(self.profiles)}


def _values(profiles: Iterable[JsonView], key: str) -> list[Any]:
    return [row[job][key] for row in profiles for job in JOBS]


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
    return MaintenanceReport(any(_values(rows, "ran")), "", rows)


def _row(workspace: Workspace, profile: str, now: datetime) -> Json:
    try:
        memory = memory_of(workspace, profile)
        runs = Runs(workspace.paths, memory.lock)
        state = MaintenanceState(workspace.settings, memory, runs, now)
        steps = {name: _step(workspace, state, job) for name, job in JOBS.items()}
    except (CueDeckError, OSError) as error:
        row = log_error(workspace, profile, "", error)
        steps = {name: _result(False, "failed", error=row) for name in JOBS}
    return {"profile": profile, **steps}


def _result(ran: bool, reason: str, **more: Any) -> Json:
    result = {"ran": ran, "reason": reason, "counts": {}, "next": None, "error": None}
    return result | more


def _step(workspace: Workspace, state: MaintenanceState, job: Job) -> Json:
    """Run one job if it is due. One that fails is run again at its next scheduled time,
    one that was killed at once.
    """
    is_due, reason = state.decide(job)
    if not is_due:
        return _result(False, reason, next=state.next(job))
    profile = state.memory.profile.id
    failed = None
    run = MAINTENANCE_JOBS[job.name]
    try:
        ran, why, counts = run(workspace, state.memory, state.now)
    except (CueDeckError, OSError) as error:
        failed = log_error(workspace, profile, job.name, error)
        ran, why, counts = False, "failed", {}
    with suppress(CueDeckError):  # without its state, the job runs again
        tried = state.too_much() if job.name == COMPACTION else None
        state.runs.write(job.name, Run(state.now, tried))
    if ran and job.name != COMPACTION:  # compaction logs its own statistics
        row = {"event": job.name, "profile": profile, "reason": reason, **counts}
        log(workspace.paths, row)
    reason = reason if ran else why
    return _result(ran, reason, counts=counts, next=state.next(job), error=failed)


Outcome = tuple[bool, str, Json]
"""Whether a job ran, the reason if it did not, and its statistics."""


def _extract(workspace: Workspace, memory: MemoryFiles, now: datetime) -> Outcome:
    counts = extract(workspace, memory)._asdict()
    del counts["outcomes"]
    return True, "", counts


def _dream(workspace: Workspace, memory: MemoryFiles, now: datetime) -> Outcome:
    report = run_dream(workspace, memory, now=now)
    return True, "", {**report.counts, "promoted": len(report.promotions)}


def _compact(workspace: Workspace, memory: MemoryFiles, now: datetime) -> Outcome:
    counts = compact(workspace, memory)._asdict()
    return counts.pop("ran"), counts.pop("reason"), counts


MAINTENANCE_JOBS = {EXTRACTION: _extract, DREAM: _dream, COMPACTION: _compact}
"""Runs each job for one memory."""
