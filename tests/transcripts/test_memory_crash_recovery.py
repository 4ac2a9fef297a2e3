"""A memory command killed at any of its writes: acknowledged data survives, and the
command can be run again.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from crash_cases import check_forgettable, check_recovery, prepare_case, run_and_kill
from crash_runner import KILLED, NO_CRASH, CrashRunner, crash_points
from memory_commands import MEMORY_COMMANDS, SIMILAR_COMMANDS
from memory_corpus import CorpusSize, write_file
from record_files import HOME
from test_crash_recovery import snapshot
from workspace_copy import WorkspaceCopy

from cuedeck.ledger.records.record_file import format_record, value_of
from cuedeck.model.memory_record import Record

pytestmark = pytest.mark.slow

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


KEY = "AKIA" + "Q7ZX" * 4
FILES = ("MEMORY.md", "memory/2026-05-03.md", "memory/MEMORY-archive.md")
LIST = ("memory", "list", "--in", "all", "--allow-secret", "--json")
OLD, NEW = "deploys go out on Tuesdays", "deploys go out on Wednesdays"


def record(identity: str, text: str, label: str = "private-user") -> str:
    moment = "2026-05-03T12:00:00.000Z"
    made = Record(identity, text, timestamp=moment, sensitivity=label)
    return f"{format_record(value_of(made))}\n"


CHANGED = record("0a1b2c3d-1111", OLD)
KEPT = record("1a1b2c3d-1111", "the walrus opens the vault", "secret")
MEMORY = f"# Memory\n\n{CHANGED}{KEPT}the key {KEY}\na line\n"


def test_write_can_be_killed_at_each_of_its_writes(
    crash_runner: CrashRunner, shared_runner: CrashRunner, tmp_path: Path
) -> None:
    template, root = tmp_path / "before", tmp_path / "work"
    write_file(template / HOME / FILES[0], MEMORY)
    for name in FILES[1:]:
        write_file(template / HOME / name, f"{CHANGED}{KEPT}")
    write_file(template / HOME / "config.toml", "[experiences]\nenabled = true\n")
    shared_runner.ok(template, ["experience", "extract"], ["graph", "--stats"])
    (ran,) = shared_runner.run(template, ["memory", "read"]).ran
    assert KEY not in ran.out
    known = ran.err.split()[-1]
    command = ["memory", "write", "MEMORY.md", "--if-hash", known]
    edited = ran.out.replace(OLD, NEW).replace("a line", "a new line")
    before = {name: (template / HOME / name).read_text("utf-8") for name in FILES}
    after = {name: text.replace(OLD, NEW) for name, text in before.items()}
    after["MEMORY.md"] = after["MEMORY.md"].replace("a line", "a new line")

    workspace = WorkspaceCopy(template, root)
    workspace.restore()
    ended = crash_runner.run(root, command, plan=NO_CRASH, text=edited)
    assert ended.ran[0].code == 0, ended
    assert {name: (root / HOME / name).read_text("utf-8") for name in FILES} == after
    points = crash_points(ended.writes)
    assert any(f"MEMORY-{known}.md" in each.place for each in ended.writes), ended
    assert len(points) > 10
    wrong = []
    for plan in points:
        workspace.restore()
        killed = crash_runner.run(root, command, plan=plan, text=edited)
        assert killed.signal == KILLED, (plan, killed)
        try:
            check_files(root, before, after)
            again, listed = shared_runner.run(root, command, LIST, text=edited).ran
            assert again.code == 0, again
            left = {name: (root / HOME / name).read_text("utf-8") for name in FILES}
            assert left == after
            texts = {each["text"] for each in listed.json["records"]}
            assert texts == {NEW, "the walrus opens the vault"}
            experiences = root / HOME / "experiences.jsonl"
            assert OLD not in experiences.read_text("utf-8")
        except AssertionError as error:
            wrong.append(f"{plan} {killed.writes[-1:]}: {error}")
    assert not wrong, "\n".join(wrong)


def check_files(root: Path, before: dict[str, str], after: dict[str, str]) -> None:
    """Check that no file is torn, and that the named file is written last and only with
    a backup.
    """
    found = {name: (root / HOME / name).read_text("utf-8") for name in FILES}
    for name, text in found.items():
        assert text in (before[name], after[name]), name
    if found["MEMORY.md"] == after["MEMORY.md"]:
        assert found == after
        (backup,) = (root / HOME / "memory/undo").glob("MEMORY-*.md")
        assert backup.read_text("utf-8") == before["MEMORY.md"]
