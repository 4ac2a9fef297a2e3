"""The `dream` commands, and the output that docs/memory.md shows."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from sandbox import Sandbox, fields

from cuedeck.knowledge.dreaming.count_recalls import AnsweredText, count_recalls
from cuedeck.ledger.records.memory_files import memory_of

PAGE = Path(__file__).parents[2] / "docs/memory.md"
PORT = "The staging database listens on port 5433"
DUMP = "The staging database is restored from the nightly dump"
TESTS = "Migrations of the staging database run before the tests"
PLANTS = "Ana waters the plants on Mondays"
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
