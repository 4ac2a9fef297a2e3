"""The `dream` commands, and the output that docs/memory.md shows."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from crash_runner import KILLED, NO_CRASH, CrashRunner, crash_points
from record_files import broken_lines, find_text, read_record_file
from sandbox import Sandbox, fields
from shared_process import sandbox
from workspace_copy import WorkspaceCopy

from cuedeck.knowledge.dreaming.count_recalls import AnsweredText, count_recalls
from cuedeck.ledger.records.memory_profiles import memory_of

__all__ = ["sandbox"]

PAGE = Path(__file__).parents[2] / "docs/memory.md"
PORT = "The staging database listens on port 5433"
DUMP = "The staging database is restored from the nightly dump"
TESTS = "Migrations of the staging database run before the tests"
PLANTS = "Ana waters the plants on Mondays"
ALARMS = "Bruno reads the alarms before noon"
_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\b\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\b")


def recall(sandbox: Sandbox, identity: str, text: str, days: int, queries: int) -> None:
    """Count recalls of a record, one on each of the last days."""
    memory = memory_of(sandbox.workspace())
    answer = [AnsweredText(f"record:{identity}", ".cuedeck/MEMORY.md", 1, text, 1.0)]
    for number in range(days):
        query = f"question {number % queries}: {text}"
        day = date.today() - timedelta(days=number)
        count_recalls(memory, query, answer, day)


@pytest.fixture
def recalled(sandbox: Sandbox) -> Sandbox:
    """A memory with one fact that was recalled often, and others that were not."""
    for text, days, queries in (
        (PORT, 5, 3),
        (DUMP, 4, 1),
        (TESTS, 1, 1),
        (PLANTS, 0, 1),
    ):
        identity = sandbox.ok("memory", "add", text).out.strip()
        recall(sandbox, identity, text, days, queries)
    return sandbox


def comparable(text: str) -> list[str]:
    """Return the lines of an output without ids and times."""
    plain = _TIME.sub("DATE", _ID.sub("ID", text))
    return [line.rstrip() for line in plain.strip().split("\n")]


def shown_blocks() -> list[list[str]]:
    """Return the outputs in the section Dreaming of the page."""
    section = PAGE.read_text("utf-8").partition("\n## Dreaming\n")[2]
    section = section.partition("\n## Profiles\n")[0]
    blocks = re.findall(r"^~~~text\n(.*?)^~~~$", section, re.MULTILINE | re.DOTALL)
    return [comparable(block) for block in blocks]


def test_the_page_shows_the_real_output(recalled: Sandbox) -> None:
    dry = recalled.ok("dream", "run", "--dry-run").out
    recalled.ok("dream", "run")
    diary = recalled.ok("dream", "diary").out
    assert shown_blocks() == [comparable(dry), comparable(diary)]


def test_a_dry_run_and_the_questions_change_no_byte(recalled: Sandbox) -> None:
    before = recalled.bytes()
    dry = recalled.answer("dream", "run", "--dry-run")
    assert [each["text"] for each in dry["promoted"]] == [PORT]
    recalled.ok("dream", "status")
    recalled.ok("dream", "diary")
    assert recalled.bytes() == before


def test_the_answers_have_the_shape_that_scripts_rely_on(recalled: Sandbox) -> None:
    ran = recalled.answer("dream", "run")
    counts = ["texts", "hits", "facts", "recalls", "joined", "stale", "malformed"]
    lists = ["themes", "promoted", "waiting", "waiting_total"]
    lists += ["excluded", "excluded_total", "diary"]
    fields(ran, ["schema", "profile", "dry_run", "date", *counts, *lists])
    (promoted,) = ran["promoted"]
    mark = ["source", "score", "recalls", "days", "queries", "date"]
    fields(promoted, ["address", "text", *mark])
    fields(ran["waiting"][0], ["address", "text", "score", "signals", "reason"])
    status = recalled.answer("dream", "status")
    state = ["themes", "ready", "waiting", "excluded", "promoted", "nights"]
    times = ["last_entry", "last_run", "next_run"]
    fields(status, ["schema", "profile", "enabled", *counts, *state, *times])
    assert (status["ready"], status["promoted"], status["nights"]) == (0, 1, 1)
    diary = recalled.answer("dream", "diary")
    fields(diary, ["schema", "profile", "path", "nights", "total"])
    assert recalled.answer("dream", "run")["promoted"] == []


def test_maintenance_promotes_and_the_record_is_shown_once(recalled: Sandbox) -> None:
    recalled.write(".cuedeck/config.toml", "[dream]\nenabled = true\n")
    ran = recalled.ok("memory", "tick")
    assert "memory default: dreaming is done: " in ran.out and "promoted 1" in ran.out
    assert (
        recalled.ok("memory", "tick").out
        == "memory default: dreaming did not run: not due\n"
    )
    block = recalled.ok("memory", "context").out
    assert block.count(PORT) == 1
    (row,) = [
        each
        for each in recalled.answer("memory", "list")["records"]
        if each["text"] == PORT
    ]
    assert "promoted" in json.dumps(
        (recalled.root / ".cuedeck/MEMORY.md").read_text().splitlines()
    )
    recalled.ok("memory", "forget", row["id"])
    assert find_text(recalled.root, PORT) == []
    assert set(find_text(recalled.root, row["id"])) == {
        ".cuedeck/memory/tombstones.jsonl"
    }


def test_a_night_can_be_killed_at_each_of_its_writes(
    recalled: Sandbox,
    crash_runner: CrashRunner,
    shared_runner: CrashRunner,
    tmp_path: Path,
) -> None:
    log = f".cuedeck/memory/{date.today() - timedelta(days=2)}.md"
    recalled.write(log, f"{ALARMS}.\n")
    memory = memory_of(recalled.workspace())
    answer = [AnsweredText(f"{log}#L1", log, 1, f"{ALARMS}.", 1.0)]
    for number in range(3):
        day = date.today() - timedelta(days=number)
        count_recalls(memory, f"question {number}", answer, day)
    recalled.ok("graph", "--stats")  # creates the index
    command = ["dream", "run", "--json"]
    work = tmp_path / "copy"
    workspace = WorkspaceCopy(recalled.root, work)
    ran = crash_runner.run(workspace.restore(), command, plan=NO_CRASH)
    assert len(json.loads(ran.ran[0].out)["promoted"]) == 2
    before = read_record_file(recalled.root / ".cuedeck/MEMORY.md")
    plans = [
        plan
        for plan in crash_points(ran.writes)
        if "/cache/" not in ran.writes[plan.at - 1].place
    ]
    assert len(plans) > 6
    for plan in plans:
        workspace.restore()
        assert crash_runner.run(work, command, plan=plan).signal == KILLED
        killed = read_record_file(work / ".cuedeck/MEMORY.md")
        assert set(before.ids) <= set(killed.ids) and not killed.torn, plan
        again, forgotten = shared_runner.run(
            work, command, ["memory", "forget", before.ids[0]]
        ).ran
        assert (again.code, forgotten.code) == (0, 0), plan
        found = read_record_file(work / ".cuedeck/MEMORY.md")
        assert not found.duplicate_ids and not found.torn, plan
        texts = [*found.texts.values()]
        assert texts.count(f"{ALARMS}.") == 1, plan
        lines = (work / ".cuedeck/MEMORY.md").read_text().splitlines()
        assert sum('"promoted":' in line for line in lines) == 1, plan
        assert find_text(work, PORT) == [], plan
        ledger = work / ".cuedeck/memory/.dreams/promotions.jsonl"
        assert len(broken_lines(ledger)) <= (plan.how == "half"), plan
