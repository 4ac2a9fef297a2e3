"""Maintenance of the memories of a workspace: which jobs run, in which order, how
often, and after a failure.

The jobs are scripted here; the real ones have tests of their own.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from sandbox import Sandbox, fields, until
from scripted_jobs import (
    BOTH,
    CACHE,
    COMPACTING,
    DAY,
    EXTRACTING,
    HOLD,
    HOUR,
    NOON,
    OFF,
    OTHERS,
    STATE,
    Jobs,
    configured,
    fail,
    remember,
    ticked,
)

from cuedeck.app.memory import run_maintenance as module
from cuedeck.app.memory.append_trigger import after_append
from cuedeck.app.memory.due_jobs import COMPACTION, EXTRACTION
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.memory.run_maintenance import MaintenanceReport
from cuedeck.model.errors import ConfigurationError, Invalid, NotFound
from cuedeck.store.fs.file_lock import locked

pytestmark = pytest.mark.usefixtures("jobs")


def test_where_both_are_off_nothing_is_done_and_no_file_appears(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    for config in ("", OFF):
        configured(sandbox, config, 500)
        before = sorted(sandbox.root.rglob("*"))
        found = ticked(sandbox)
        assert found == MaintenanceReport(
            False, "compaction and experiences are disabled"
        )
        workspace = sandbox.workspace()
        assert not after_append(workspace, memory_of(workspace))
        assert sorted(sandbox.root.rglob("*")) == before
    assert jobs.ran == []


def test_where_both_are_off_nothing_heavy_is_imported(sandbox: Sandbox) -> None:
    configured(sandbox, OFF)
    code = (
        "import sys; from cuedeck.app.memory.run_maintenance import tick; "
        "from cuedeck.app.open_workspace import open_workspace; "
        "tick(open_workspace('.', {})); print(sorted({'cronsim', 'networkx', 'subprocess'} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=sandbox.root,
        env=sandbox.environ,
        capture_output=True,
        text=True,
    )
    assert ran.stdout == "[]\n", ran


def test_experiences_come_before_compaction(sandbox: Sandbox, jobs: Jobs) -> None:
    configured(sandbox, BOTH)
    assert ticked(sandbox).ran
    assert jobs.names() == [EXTRACTION, COMPACTION]


@pytest.mark.parametrize(
    ("config", "job"), [(COMPACTING, COMPACTION), (EXTRACTING, EXTRACTION)]
)
def test_each_job_runs_alone_when_it_alone_is_on(
    sandbox: Sandbox, jobs: Jobs, config: str, job: str
) -> None:
    configured(sandbox, config)
    (row,) = ticked(sandbox).profiles
    assert jobs.names() == [job]
    assert sorted((step.ran, step.reason) for step in row.steps) == [
        (False, "off"),
        (True, "due"),
    ]


def test_a_profile_without_a_memory_is_skipped(sandbox: Sandbox, jobs: Jobs) -> None:
    configured(sandbox, BOTH, records=0)
    (row,) = ticked(sandbox).profiles
    assert {step.reason for step in row.steps} == {"there is no MEMORY.md"}
    assert not sandbox.private(STATE).exists()
    assert jobs.ran == []


def test_the_last_run_outlives_the_process(sandbox: Sandbox, jobs: Jobs) -> None:
    configured(sandbox, BOTH)
    ticked(sandbox)
    jobs.names()
    (row,) = ticked(sandbox, NOON + 23 * HOUR).profiles
    assert [(step.ran, step.reason) for step in row.steps] == [(False, "not due")] * 2
    assert row.compaction.next == "2026-05-02T12:00:00+00:00"
    ticked(sandbox, NOON + DAY)
    assert jobs.names() == [EXTRACTION, COMPACTION]


def test_after_a_sleep_over_many_nights_it_runs_once(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, COMPACTING + 'schedule = "0 3 * * *"\n')
    ticked(sandbox)
    for minutes in range(5):
        ticked(sandbox, NOON + 30 * DAY + timedelta(minutes=minutes))
    assert jobs.names() == [COMPACTION] * 2


def test_a_clock_that_was_years_ahead_does_not_block(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, COMPACTING)
    for now in (NOON + 3_650 * DAY, NOON, NOON + HOUR):
        ticked(sandbox, now)
    assert jobs.names() == [COMPACTION] * 2


def test_a_broken_state_counts_as_missing(sandbox: Sandbox, jobs: Jobs) -> None:
    configured(sandbox, COMPACTING)
    sandbox.private(STATE).parent.mkdir(parents=True)
    sandbox.private(STATE).write_text('{"compaction": {"last": "2026-05-01T')
    ticked(sandbox)
    ticked(sandbox, NOON + HOUR)
    assert jobs.names() == [COMPACTION]


def test_an_invalid_cron_line_is_a_settings_error_with_its_key(
    sandbox: Sandbox,
) -> None:
    configured(sandbox, COMPACTING + 'schedule = "0 25 * * *"\n')
    with pytest.raises(
        ConfigurationError, match=r"compaction\.schedule .*bad hour"
    ) as caught:
        ticked(sandbox)
    assert caught.value.exit_code == 4


def test_over_the_threshold_it_runs_though_it_is_not_due_and_experiences_first(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, BOTH)
    ticked(sandbox)
    jobs.names()
    remember(sandbox, 20)
    (row,) = ticked(sandbox, NOON + HOUR).profiles
    assert jobs.names() == [EXTRACTION, COMPACTION]
    assert (row.extraction.reason, row.compaction.reason) == (
        "compaction follows",
        "MEMORY.md is over the threshold",
    )


def test_an_impossible_compaction_is_not_retried_until_a_change_or_due_time(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, COMPACTING, records=20)
    seen = []
    for hours, records in (
        (0, 20),
        (1, 20),
        (2, 21),
        (3, 22),
        (4, 22),
        (5, 19),
        (6, 23),
        (7, 24),
        (25, 24),
        (31, 24),
    ):
        remember(sandbox, records)
        ticked(sandbox, NOON + hours * HOUR)
        seen.append((hours, len(jobs.names())))
    assert [hours for hours, ran in seen if ran] == [0, 3, 7, 31]


def test_after_a_compaction_that_helped_the_next_threshold_is_met_at_once(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, COMPACTING, records=25)
    jobs.acts["default", COMPACTION] = lambda: remember(sandbox, 10)
    ticked(sandbox)
    remember(sandbox, 20)
    ticked(sandbox, NOON + HOUR)
    assert jobs.names() == [COMPACTION] * 2


def test_every_profile_is_looked_after_in_the_order_of_the_settings(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, COMPACTING + OTHERS)
    for root in "ba":
        remember(sandbox, 3, f"{root}/MEMORY.md")
    ticked(sandbox)
    assert jobs.ran == [("default", COMPACTION), ("a", COMPACTION), ("b", COMPACTION)]
    (row,) = ticked(sandbox, NOON + DAY, profile="a").profiles
    assert row.profile == "a"
    assert jobs.ran[3:] == [("a", COMPACTION)]
    with pytest.raises(NotFound):
        ticked(sandbox, profile="zzz")


def test_an_error_of_one_profile_is_logged_and_stops_no_other(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, COMPACTING + OTHERS)
    remember(sandbox, 3, "a/MEMORY.md")
    sandbox.place("b").symlink_to("/tmp")
    key = "AKIA" + "QYLPMN5HHHFPZAM2"
    jobs.acts["default", COMPACTION] = fail(Invalid(f"no {key}", hint="look"))
    found = ticked(sandbox)
    own, a, b = found.profiles
    assert (found.ran, found.failed) == (True, True)
    assert (a.compaction.ran, b.compaction.ran) == (True, False)
    assert own.compaction.error is not None and b.compaction.error is not None
    assert (own.compaction.error["code"], own.compaction.error["hint"]) == (
        1010,
        "look",
    )
    assert "points outside the workspace" in b.compaction.error["message"]
    text = sandbox.place(f"{CACHE}/log.jsonl").read_text()
    assert key not in text + json.dumps(found.answer)
    logged = [json.loads(line) for line in text.splitlines()]
    # A compaction logs its own figures; the one of `a` is a stand-in here.
    assert [(each["event"], each["profile"]) for each in logged] == [
        ("error", "default"),
        ("error", "b"),
    ]


def test_repeated_failures_increase_the_delay(sandbox: Sandbox, jobs: Jobs) -> None:
    configured(sandbox, COMPACTING)
    jobs.acts["default", COMPACTION] = fail(OSError("full"))
    tried = []
    for minute in range(60):
        ticked(sandbox, NOON + timedelta(minutes=minute))
        tried += [minute] if jobs.names() else []
    assert tried == [0, 1, 2, 4, 8, 16, 32]
    (row,) = ticked(sandbox, NOON + HOUR).profiles
    assert (
        row.compaction.reason == "7 attempts in a row failed; the next one is delayed"
    )
    jobs.acts.clear()
    ticked(sandbox, NOON + 2 * HOUR)
    assert json.loads(sandbox.private(STATE).read_text())[COMPACTION]["failures"] == 0


def test_compaction_waits_for_experiences_that_failed_but_not_for_ever(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, BOTH)
    jobs.acts["default", EXTRACTION] = fail(Invalid("broken"))
    compacted = []
    for minutes in (0, 1, 2, 3):
        compacted.append(
            ticked(sandbox, NOON + timedelta(minutes=minutes))
            .profiles[0]
            .compaction.ran
        )
    assert compacted == [False, False, True, False]


def test_a_second_tick_returns_at_once(sandbox: Sandbox, jobs: Jobs) -> None:
    configured(sandbox, COMPACTING)
    workspace = sandbox.workspace()
    with locked(workspace.paths, module.LOCK, 0):
        assert ticked(sandbox) == MaintenanceReport(
            False, "another maintenance run is active"
        )
    assert jobs.ran == []


def test_e4_a_killed_run_blocks_no_process_and_is_completed_at_once(
    sandbox: Sandbox, jobs: Jobs
) -> None:
    configured(sandbox, COMPACTING)
    command = [sys.executable, "-c", HOLD, str(sandbox.root)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=sandbox.environ, **pipes) as first:  # type: ignore[call-overload]
        assert first.stdout.readline() == b"began\n"
        assert ticked(sandbox).reason == "another maintenance run is active"
        first.send_signal(signal.SIGKILL)
    found = until(lambda: (again := ticked(sandbox, NOON)).ran and again)
    assert found.profiles[0].compaction.reason == "due"
    assert jobs.names() == [COMPACTION]
    assert not ticked(sandbox, NOON + HOUR).ran


def test_e5_of_two_at_once_one_runs(sandbox: Sandbox) -> None:
    configured(sandbox, COMPACTING)
    command = [sys.executable, "-c", HOLD, str(sandbox.root)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    both = [subprocess.Popen(command, env=sandbox.environ, **pipes) for _ in range(2)]  # type: ignore[call-overload]
    told = sorted(process.stdout.readline() for process in both)
    rest = sorted(process.communicate(timeout=20)[0] for process in both)
    assert (told, rest) == ([b"False\n", b"began\n"], [b"", b"True\n"])


def test_an_answer_has_the_shape_that_scripts_rely_on(sandbox: Sandbox) -> None:
    configured(sandbox, COMPACTING)
    answer = json.loads(json.dumps(ticked(sandbox).answer))
    fields(answer, ["ran", "reason", "profiles"])
    fields(answer["profiles"][0], ["profile", "extraction", "compaction"])
    assert answer["profiles"][0]["compaction"] == {
        "ran": True,
        "reason": "due",
        "counts": {"before": 2, "after": 1},
        "next": "2026-05-02T12:00:00+00:00",
        "error": None,
    }
