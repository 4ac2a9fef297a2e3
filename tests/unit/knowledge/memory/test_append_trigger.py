"""An append starts maintenance in the background only when it is needed and allowed."""

from __future__ import annotations

import sys

import pytest
from sandbox import Sandbox
from scripted_jobs import CACHE, COMPACTING, configure, run_tick, write_records

from cuedeck.knowledge.memory import run_maintenance as module
from cuedeck.knowledge.memory.due_jobs import after_append
from cuedeck.knowledge.memory.run_maintenance import tick
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.store.files.background_process import FORBIDDEN
from cuedeck.store.files.file_lock import locked

pytestmark = pytest.mark.usefixtures("jobs")


def append_starts_tick(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether an append starts a tick; the started program does nothing."""
    monkeypatch.delenv(FORBIDDEN)
    monkeypatch.setattr(sys, "executable", "/bin/true")
    mark = sandbox.place(f"{CACHE}/tick.started")
    mark.unlink(missing_ok=True)
    workspace = sandbox.workspace()
    found = after_append(workspace, memory_of(workspace))
    assert mark.exists() == found
    monkeypatch.setenv(FORBIDDEN, "1")
    return found


def test_append_starts_a_tick_only_above_the_threshold(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(sandbox, COMPACTING, records=19)
    assert not append_starts_tick(sandbox, monkeypatch)
    write_records(sandbox, 20)
    assert append_starts_tick(sandbox, monkeypatch)


def test_append_starts_no_tick_after_a_failed_attempt_until_the_file_grows(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(sandbox, COMPACTING + "interval_minutes = 5256000\n", records=20)
    tick(sandbox.workspace())
    assert not append_starts_tick(sandbox, monkeypatch)
    write_records(sandbox, 22)
    assert append_starts_tick(sandbox, monkeypatch)


def test_append_starts_no_tick_if_forbidden_or_if_one_runs(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(sandbox, COMPACTING, records=20)
    workspace = sandbox.workspace()
    assert not after_append(workspace, memory_of(workspace))
    with locked(workspace.paths, module.LOCK, 0):
        assert not append_starts_tick(sandbox, monkeypatch)


def test_append_succeeds_with_an_invalid_cron_expression(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(sandbox, COMPACTING, records=20)
    run_tick(sandbox)
    configure(sandbox, COMPACTING + 'schedule = "never"\n', records=20)
    assert not append_starts_tick(sandbox, monkeypatch)


def test_append_succeeds_if_no_tick_can_start(sandbox: Sandbox) -> None:
    configure(sandbox, COMPACTING, records=20)
    workspace = sandbox.workspace()
    memory = memory_of(workspace)
    sandbox.place(".cuedeck/MEMORY.md").unlink()
    sandbox.place(".cuedeck/MEMORY.md").mkdir()
    assert not after_append(workspace, memory)
