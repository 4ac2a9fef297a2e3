"""The log: a line for each event, and an end to its growth."""

from __future__ import annotations

import json

from sandbox import Sandbox

from cuedeck.store.files.log_file import MOST_BYTES, log
from cuedeck.store.workspace_paths import WorkspacePaths

PLACE = ".cuedeck/cache/log.jsonl"


def test_an_event_is_a_line_with_its_time(sandbox: Sandbox) -> None:
    workspace = WorkspacePaths(str(sandbox.root))
    log(workspace, {"event": "compaction", "after": 3})
    log(workspace, {"event": "error", "message": "über\nzwei"})
    first, second = map(
        json.loads, sandbox.place(PLACE).read_text(encoding="utf-8").splitlines()
    )
    assert list(first) == ["at", "event", "after"]
    assert second["message"] == "über\nzwei"


def test_a_long_log_is_rotated_once(sandbox: Sandbox) -> None:
    workspace = WorkspacePaths(str(sandbox.root))
    sandbox.write(".cuedeck/cache/log.1.jsonl", "the oldest\n")
    sandbox.write(PLACE, "x" * MOST_BYTES)
    log(workspace, {"event": "compaction"})
    assert sandbox.place(PLACE).read_text().count("\n") == 1
    assert sandbox.place(".cuedeck/cache/log.1.jsonl").stat().st_size == MOST_BYTES


def test_where_nothing_can_be_written_nothing_is_raised(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/cache", "a file")
    log(WorkspacePaths(str(sandbox.root)), {"event": "compaction"})
