"""Background maintenance that an append starts if MEMORY.md is over a threshold."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from cuedeck.knowledge.memory.due_jobs import COMPACTION, check_schedule
from cuedeck.knowledge.memory.job_schedule import (
    is_due,
    is_over,
    is_worth_it,
    may_begin,
)
from cuedeck.model.errors import CueDeckError
from cuedeck.store.cache.job_state import Runs
from cuedeck.store.clock import zoned_now
from cuedeck.store.files.background_process import start

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

LOCK = "tick"
"""Lock of a maintenance run."""


def after_append(workspace: Workspace, memory: MemoryFiles) -> bool:
    """Start a maintenance run in the background if MEMORY.md is over a threshold;
    return whether one was started.

    Never blocks or fails the append; errors are left to the next scheduled run.
    """
    with contextlib.suppress(CueDeckError):
        if workspace.settings.compaction.enabled and _may_be_too_long(
            workspace, memory
        ):
            return start(workspace.paths, LOCK, ("memory", "tick"))
    return False


def _may_be_too_long(workspace: Workspace, memory: MemoryFiles) -> bool:
    held = memory.size()
    settings = workspace.settings.compaction
    if not is_over(*held, settings):
        return False
    run = Runs(workspace.paths, memory.lock).read(COMPACTION)
    now = zoned_now()
    if not may_begin(run.begun, run.failures, now):
        return False
    if is_worth_it(*held, run.tried, settings):
        return True
    check_schedule(workspace.environ, workspace.settings)
    return is_due(run.last, now, settings.schedule, settings.interval_minutes)
