"""A memory command killed at any of its writes: acknowledged data survives, and the
command can be run again.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from crash_cases import check_forgettable, check_recovery, prepare_case, run_and_kill
from crash_runner import CrashRunner
from memory_commands import MEMORY_COMMANDS, SIMILAR_COMMANDS
from memory_corpus import CorpusSize, write_file
from record_files import HOME, MEMORY, read_record_files
from test_crash_recovery import snapshot
from workspace_copy import WorkspaceCopy

LOT = re.compile(
    rb"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]{6,}|\b[0-9a-f]{8}\b"
)
"""Random parts of files: ids, their prefixes, and numbers for the state of a file."""


@pytest.mark.parametrize(
    "name", [name for name in MEMORY_COMMANDS if name not in SIMILAR_COMMANDS]
)
def test_e3_a_memory_command_can_be_killed_at_each_of_its_writes(
    name: str, crash_runner: CrashRunner, shared_runner: CrashRunner, tmp_path: Path
) -> None:
    case = prepare_case(
        name, tmp_path, crash_runner, shared_runner, CorpusSize(), random.Random(name)
    )
    assert case.own_points
    seen, wrong, root = set(), [], tmp_path / "work"
    workspace = WorkspaceCopy(case.template, root)
    for plan in case.own_points:
        ended = run_and_kill(case, plan, workspace, crash_runner)
        left = {
            (LOT.sub(b"", place.encode()), LOT.sub(b"", data))
            for place, data in snapshot(root)
        }
        # No command reads an unfinished temporary file, but `forget` must remove its
        # text, too.
        read = frozenset(
            (place, data) for place, data in left if not place.endswith(b".tmp")
        )
        unread = frozenset(place for place, data in left if place.endswith(b".tmp"))
        try:
            if read not in seen:
                check_recovery(case, root, shared_runner)
            if (unread not in seen or not unread) and check_forgettable(
                case, root, shared_runner
            ):
                seen.add(unread)
        except AssertionError as error:
            seen.add(unread)
            wrong.append(f"{plan.how} {' '.join(map(str, ended.writes[-1:]))}: {error}")
        seen.add(read)
    assert not wrong, "\n".join(wrong)


def test_correction_of_a_merged_record_survives_an_undo(
    crash_runner: CrashRunner, tmp_path: Path
) -> None:
    write_file(
        tmp_path / HOME / "config.toml",
        "[compaction]\ntarget_records = 3\nmin_age_days = 0\n",
    )
    text = "".join(f"team number {number} owns that part\n" for number in range(6))
    compact = ["memory", "compact", "--force"]
    crash_runner.run(tmp_path, ["memory", "add", "-"], text=text)
    ids = read_record_files(tmp_path)[MEMORY].ids
    edits = [
        ["memory", "edit", identity, "--text", f"team {identity} took over"]
        for identity in ids
    ]
    crash_runner.ok(
        tmp_path, compact, edits[0], edits[-1], ["memory", "compact", "--undo"]
    )
    assert sorted(read_record_files(tmp_path)[MEMORY].ids) == sorted(ids)
    crash_runner.ok(
        tmp_path, compact, *edits[1:-1], ["memory", "compact", "--undo"], compact
    )
    found = read_record_files(tmp_path)
    message = {
        each.texts[identity]
        for each in found.values()
        for identity in ids
        if identity in each.texts
    }
    assert message == {f"team {identity} took over" for identity in ids}
    assert not [name for name, each in found.items() if each.duplicate_ids]
