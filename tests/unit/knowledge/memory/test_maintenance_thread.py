"""A watcher runs maintenance while it is idle."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
from sandbox import Sandbox, fields, until
from scripted_jobs import (
    COMPACTING,
    STATE,
    ScriptedJobs,
    configure,
    fail,
    run_tick,
)
from stepped_engine import SteppedEngine

from cuedeck.knowledge.memory.due_jobs import COMPACTION
from cuedeck.knowledge.memory.maintenance_thread import EVERY, BackgroundMaintenance

pytestmark = pytest.mark.usefixtures("jobs")


def test_watcher_runs_due_jobs_at_its_first_idle_step_and_then_periodically(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING)
    tending = BackgroundMaintenance(sandbox.workspace())
    answer = until(tending.step)
    assert answer["profiles"][0]["compaction"]["reason"] == "due"
    os.unlink(sandbox.private(STATE))
    for _ in range(EVERY - 1):
        assert tending.step() is None
    assert jobs.take_names() == [COMPACTION]
    assert until(tending.step)["ran"]


def test_watcher_reports_no_jobs_that_are_not_due(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING)
    run_tick(sandbox, datetime.now(UTC))
    jobs.take_names()
    tending = BackgroundMaintenance(sandbox.workspace())
    assert not any(tending.step() for _ in range(3))
    until(lambda: (tending.step(), not tending.busy)[1])
    assert jobs.ran == []


def test_error_in_the_thread_is_raised_in_the_watcher(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING)
    jobs.acts["default", COMPACTION] = fail(ZeroDivisionError("x"))
    tending = BackgroundMaintenance(sandbox.workspace())
    with pytest.raises(ZeroDivisionError):
        until(tending.step)
    assert not tending.busy


def test_watcher_sends_one_event_for_finished_jobs(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING)
    engine = SteppedEngine(sandbox)
    (event,) = until(engine.idle)
    for _ in range(EVERY):
        assert engine.idle() == []
    fields(event, ["event", "ran", "reason", "profiles"])
    assert (event["event"], event["ran"]) == ("memory", True)
