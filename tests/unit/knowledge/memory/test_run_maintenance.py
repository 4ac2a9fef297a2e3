"""Maintenance of the memories of a workspace: which jobs run, in which order, how
often, and after a failure.

The jobs are scripted here; the real ones have tests of their own.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys

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
    ScriptedJobs,
    configure,
    fail,
    run_tick,
    write_records,
)

from cuedeck.knowledge.memory import run_maintenance as module
from cuedeck.knowledge.memory.due_jobs import (
    COMPACTION,
    DREAM,
    EXTRACTION,
    JOBS,
    after_append,
)
from cuedeck.knowledge.memory.run_maintenance import MaintenanceReport
from cuedeck.ledger.records.memory_files import RECALLS, memory_of
from cuedeck.model.errors import ConfigurationError, Invalid, NotFound
from cuedeck.store.files.file_lock import locked

pytestmark = pytest.mark.usefixtures("jobs")


def test_disabled_jobs_do_nothing_and_create_no_file(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    for config in ("", OFF):
        configure(sandbox, config, 500)
        before = sorted(sandbox.root.rglob("*"))
        found = run_tick(sandbox)
        assert found == MaintenanceReport(
            False, "compaction, experiences and dreaming are disabled"
        )
        workspace = sandbox.workspace()
        assert not after_append(workspace, memory_of(workspace))
        assert sorted(sandbox.root.rglob("*")) == before
    assert jobs.ran == []


def test_experiences_are_extracted_before_compaction(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, BOTH)
    assert run_tick(sandbox).ran
    assert jobs.take_names() == [EXTRACTION, COMPACTION]


def test_dreaming_runs_between_experiences_and_compaction(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, BOTH + "[dream]\nenabled = true\n")
    sandbox.write(f".cuedeck/{RECALLS}", "{}\n")
    assert run_tick(sandbox).ran
    assert jobs.take_names() == [EXTRACTION, DREAM, COMPACTION]
    sandbox.write(
        ".cuedeck/config.toml", '[dream]\nenabled = true\nschedule = "0 3 * * *"\n'
    )
    for hours in (14, 15, 16, 39):
        run_tick(sandbox, NOON + hours * HOUR)
    assert jobs.take_names() == [DREAM] * 2


@pytest.mark.parametrize(
    ("config", "job"), [(COMPACTING, COMPACTION), (EXTRACTING, EXTRACTION)]
)
def test_each_job_can_run_without_the_other(
    sandbox: Sandbox, jobs: ScriptedJobs, config: str, job: str
) -> None:
    configure(sandbox, config)
    (row,) = run_tick(sandbox).profiles
    assert jobs.take_names() == [job]
    assert sorted((row[name]["ran"], row[name]["reason"]) for name in JOBS) == [
        (False, "off"),
        (False, "off"),
        (True, "due"),
    ]


def test_profile_without_a_memory_is_skipped(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, BOTH, records=0)
    (row,) = run_tick(sandbox).profiles
    assert {row[name]["reason"] for name in JOBS} == {"there is no MEMORY.md", "off"}
    assert not sandbox.private(STATE).exists()
    assert jobs.ran == []


def test_last_run_is_stored_across_processes(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, BOTH)
    run_tick(sandbox)
    jobs.take_names()
    (row,) = run_tick(sandbox, NOON + 23 * HOUR).profiles
    assert [(row[name]["ran"], row[name]["reason"]) for name in JOBS] == [
        (False, "not due"),
        (False, "off"),
        (False, "not due"),
    ]
    assert row["compaction"]["next"] == "2026-05-02T12:00:00+00:00"
    run_tick(sandbox, NOON + DAY)
    assert jobs.take_names() == [EXTRACTION, COMPACTION]


def test_broken_state_counts_as_missing(sandbox: Sandbox, jobs: ScriptedJobs) -> None:
    configure(sandbox, COMPACTING)
    sandbox.private(STATE).parent.mkdir(parents=True)
    sandbox.private(STATE).write_text('{"compaction": {"last": "2026-05-01T')
    run_tick(sandbox)
    run_tick(sandbox, NOON + HOUR)
    assert jobs.take_names() == [COMPACTION]


def test_invalid_cron_line_is_a_settings_error_with_its_key(sandbox: Sandbox) -> None:
    configure(sandbox, COMPACTING + 'schedule = "0 25 * * *"\n')
    with pytest.raises(
        ConfigurationError, match=r"compaction\.schedule .*bad hour"
    ) as caught:
        run_tick(sandbox)
    assert caught.value.exit_code == 4


def test_exceeded_threshold_runs_compaction_before_it_is_due(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, BOTH)
    run_tick(sandbox)
    jobs.take_names()
    write_records(sandbox, 20)
    (row,) = run_tick(sandbox, NOON + HOUR).profiles
    assert jobs.take_names() == [COMPACTION]
    assert row["compaction"]["reason"] == "MEMORY.md is over the threshold"


def test_impossible_compaction_is_not_retried_until_a_change_or_due_time(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING, records=20)
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
        write_records(sandbox, records)
        run_tick(sandbox, NOON + hours * HOUR)
        seen.append((hours, len(jobs.take_names())))
    assert [hours for hours, ran in seen if ran] == [0, 3, 7, 31]


def test_profiles_are_maintained_in_the_order_of_the_settings(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING + OTHERS)
    for root in "ba":
        write_records(sandbox, 3, f"{root}/MEMORY.md")
    run_tick(sandbox)
    assert jobs.ran == [("default", COMPACTION), ("a", COMPACTION), ("b", COMPACTION)]
    (row,) = run_tick(sandbox, NOON + DAY, profile="a").profiles
    assert row["profile"] == "a"
    assert jobs.ran[3:] == [("a", COMPACTION)]
    with pytest.raises(NotFound):
        run_tick(sandbox, profile="zzz")


def test_error_of_one_profile_is_logged_and_stops_no_other(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING + OTHERS)
    write_records(sandbox, 3, "a/MEMORY.md")
    sandbox.place("b").symlink_to("/tmp")
    key = "AKIA" + "QYLPMN5HHHFPZAM2"
    jobs.acts["default", COMPACTION] = fail(Invalid(f"no {key}", hint="look"))
    found = run_tick(sandbox)
    own, a, b = found.profiles
    assert (found.ran, found.failed) == (True, True)
    assert (a["compaction"]["ran"], b["compaction"]["ran"]) == (True, False)
    assert (
        own["compaction"]["error"] is not None and b["compaction"]["error"] is not None
    )
    assert (own["compaction"]["error"]["code"], own["compaction"]["error"]["hint"]) == (
        1010,
        "look",
    )
    assert "points outside the workspace" in b["compaction"]["error"]["message"]
    text = sandbox.place(f"{CACHE}/log.jsonl").read_text()
    assert key not in text
    logged = [json.loads(line) for line in text.splitlines()]
    # A compaction logs its own figures; this test replaces the compaction of `a`.
    assert [(each["event"], each["profile"]) for each in logged] == [
        ("error", "default"),
        ("error", "b"),
    ]


def test_failed_job_runs_again_at_its_next_time(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING)
    jobs.acts["default", COMPACTION] = fail(OSError("full"))
    for hours, ran in ((0, [COMPACTION]), (1, []), (23, []), (24, [COMPACTION])):
        run_tick(sandbox, NOON + hours * HOUR)
        assert jobs.take_names() == ran


def test_second_tick_returns_at_once(sandbox: Sandbox, jobs: ScriptedJobs) -> None:
    configure(sandbox, COMPACTING)
    workspace = sandbox.workspace()
    with locked(workspace.paths, module.LOCK, 0):
        assert run_tick(sandbox) == MaintenanceReport(
            False, "another maintenance run is active"
        )
    assert jobs.ran == []


def test_e4_a_killed_run_blocks_no_process_and_is_completed_at_once(
    sandbox: Sandbox, jobs: ScriptedJobs
) -> None:
    configure(sandbox, COMPACTING)
    command = [sys.executable, "-c", HOLD, str(sandbox.root)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=sandbox.environ, **pipes) as first:  # type: ignore[call-overload]
        assert first.stdout.readline() == b"began\n"
        assert run_tick(sandbox).reason == "another maintenance run is active"
        first.send_signal(signal.SIGKILL)
    found = until(lambda: (again := run_tick(sandbox, NOON)).ran and again)
    assert found.profiles[0]["compaction"]["reason"] == "due"
    assert jobs.take_names() == [COMPACTION]
    assert not run_tick(sandbox, NOON + HOUR).ran


def test_report_has_the_documented_json_shape(sandbox: Sandbox) -> None:
    configure(sandbox, COMPACTING)
    answer = json.loads(json.dumps(run_tick(sandbox).answer))
    fields(answer, ["ran", "reason", "profiles"])
    fields(answer["profiles"][0], ["profile", "extraction", "dream", "compaction"])
    assert answer["profiles"][0]["compaction"] == {
        "ran": True,
        "reason": "due",
        "counts": {"before": 2, "after": 1},
        "next": "2026-05-02T12:00:00+00:00",
        "error": None,
    }
