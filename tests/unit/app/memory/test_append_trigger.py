"""An append starts maintenance in the background only when it is needed and allowed."""

from __future__ import annotations

import sys

import pytest
from sandbox import Sandbox
from scripted_jobs import CACHE, COMPACTING, Jobs, configured, fail, remember, ticked

from cuedeck.app.memory import run_maintenance as module
from cuedeck.app.memory.append_trigger import after_append
from cuedeck.app.memory.due_jobs import COMPACTION
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.memory.run_maintenance import tick
from cuedeck.model.errors import Invalid
from cuedeck.store.fs.background_process import FORBIDDEN
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.memory.memory_writer import writing

pytestmark = pytest.mark.usefixtures("jobs")


def begun(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> bool:
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


def test_an_append_starts_a_tick_only_over_the_threshold(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(sandbox, COMPACTING, records=19)
    assert not begun(sandbox, monkeypatch)
    remember(sandbox, 20)
    assert begun(sandbox, monkeypatch)


def test_an_append_starts_none_for_what_was_tried_until_it_grew(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(sandbox, COMPACTING + "interval_minutes = 5256000\n", records=20)
    tick(sandbox.workspace())
    assert not begun(sandbox, monkeypatch)
    remember(sandbox, 22)
    assert begun(sandbox, monkeypatch)


def test_an_append_starts_none_where_it_is_forbidden_or_one_runs(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(sandbox, COMPACTING, records=20)
    workspace = sandbox.workspace()
    assert not after_append(workspace, memory_of(workspace))
    with locked(workspace.paths, module.LOCK, 0):
        assert not begun(sandbox, monkeypatch)


def test_an_append_to_a_long_file_that_was_not_counted_leaves_that_to_the_tick(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(sandbox, COMPACTING, records=2)
    with open(sandbox.place(".cuedeck/MEMORY.md"), "a", encoding="utf-8") as file:
        file.write("by hand\n" * 10_000)
    assert begun(sandbox, monkeypatch)
    ticked(sandbox)
    assert not begun(sandbox, monkeypatch)


def test_an_append_starts_none_while_failures_are_waited_out(
    sandbox: Sandbox, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(sandbox, COMPACTING, records=20)
    jobs.acts["default", COMPACTION] = fail(Invalid("broken"))
    tick(sandbox.workspace())
    assert begun(sandbox, monkeypatch)
    tick(sandbox.workspace())
    assert not begun(sandbox, monkeypatch)


def test_an_append_does_not_wait_for_a_writer(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(sandbox, COMPACTING, records=20)
    with writing(memory_of(sandbox.workspace())):
        assert not begun(sandbox, monkeypatch)


def test_an_append_fails_for_no_line_of_cron(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(sandbox, COMPACTING, records=20)
    ticked(sandbox)
    configured(sandbox, COMPACTING + 'schedule = "never"\n', records=20)
    assert not begun(sandbox, monkeypatch)


def test_an_append_fails_for_no_tick(sandbox: Sandbox) -> None:
    configured(sandbox, COMPACTING, records=20)
    workspace = sandbox.workspace()
    memory = memory_of(workspace)
    sandbox.place(".cuedeck/MEMORY.md").unlink()
    sandbox.place(".cuedeck/MEMORY.md").mkdir()
    assert not after_append(workspace, memory)
