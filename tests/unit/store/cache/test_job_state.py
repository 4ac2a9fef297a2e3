"""The stored state of the runs of a job, including broken files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sandbox import Sandbox

from cuedeck.store.cache.job_state import Run, Runs
from cuedeck.store.workspace_paths import WorkspacePaths

NAME = "memory-default.schedule.json"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def runs(sandbox: Sandbox) -> Runs:
    return Runs(WorkspacePaths(str(sandbox.root)), "memory-default")


def test_written_state_is_read_back(runs: Runs) -> None:
    kept = Run(NOON, (400, 90_000))
    runs.write("compaction", kept)
    runs.write("extraction", Run(NOON))
    assert runs.read("compaction") == kept
    assert runs.read("extraction") == Run(NOON)


def test_a_moment_is_the_same_whatever_zone_it_was_written_in(runs: Runs) -> None:
    runs.write("compaction", Run(NOON.astimezone(timezone(timedelta(hours=9)))))
    assert runs.read("compaction").last == NOON


def test_a_missing_state_means_never_run_and_creates_no_file(
    sandbox: Sandbox, runs: Runs
) -> None:
    assert runs.read("compaction") == Run()
    assert not sandbox.private(NAME).exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"compaction": 3}',
        b'{"compaction": {"last": 2026, "tried": [1]}}',
        b'{"compaction": {"last": "yesterday", "tried": [1, "2"]}}',
        b'{"compaction": {"last": "0001-01-01T00:00:00+14:00"}}',
    ],
)
def test_a_broken_file_counts_as_missing_and_is_replaced(
    sandbox: Sandbox, runs: Runs, content: bytes
) -> None:
    sandbox.write(f".cuedeck/cache/{sandbox.private(NAME).parent.name}/{NAME}", content)
    assert runs.read("compaction") == Run()
    runs.write("compaction", Run(NOON))
    assert runs.read("compaction") == Run(NOON)
