"""The log: a line for each event, and an end to its growth."""

from __future__ import annotations

import json

from desk import Desk

from cuedeck.store.fs.log_file import MOST_BYTES, log
from cuedeck.store.workspace_paths import WorkspacePaths

PLACE = ".cuedeck/cache/log.jsonl"


def test_an_event_is_a_line_with_its_time(desk: Desk) -> None:
    workspace = WorkspacePaths(str(desk.root))
    log(workspace, {"event": "compaction", "after": 3})
    log(workspace, {"event": "error", "message": "über\nzwei"})
    first, second = map(json.loads, desk.place(PLACE).read_text(encoding="utf-8").splitlines())
    assert list(first) == ["at", "event", "after"]
    assert second["message"] == "über\nzwei"


def test_a_long_log_begins_anew_and_the_old_one_stays_for_a_while(desk: Desk) -> None:
    workspace = WorkspacePaths(str(desk.root))
    desk.write(".cuedeck/cache/log.1.jsonl", "the oldest\n")
    desk.write(PLACE, "x" * MOST_BYTES)
    log(workspace, {"event": "compaction"})
    assert desk.place(PLACE).read_text().count("\n") == 1
    assert desk.place(".cuedeck/cache/log.1.jsonl").stat().st_size == MOST_BYTES


def test_where_nothing_can_be_written_nothing_is_raised(desk: Desk) -> None:
    desk.write(".cuedeck/cache", "a file")
    log(WorkspacePaths(str(desk.root)), {"event": "compaction"})
