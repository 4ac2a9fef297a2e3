"""What is due for memory is done: by a command, by an append that made MEMORY.md too
long, beside a watcher.
"""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox, until

pytest.importorskip("cuedeck.app.memory.compaction.run_compaction")
pytest.importorskip("cuedeck.app.experiences.extract_experiences")

COMPACTING = "[compaction]\nenabled = true\nthreshold_records = 20\ntarget_records = 10\nmin_age_days = 1\n"
EXTRACTING = "[experiences]\nenabled = true\n"
ALONE = {"CUEDECK_NO_BACKGROUND": "1"}
MEMORY = ".cuedeck/MEMORY.md"
STATE = "memory-default.schedule.json"
PATHS = ("parser", "renderer", "index", "watcher")


def remember(root: Path, count: int = 20) -> None:
    """Write a memory of old records."""
    rows = [
        {
            "id": f"00000000-0000-4000-8000-{number:012}",
            "sessionId": "old",
            "category": "turn-summary",
            "text": f"Turn {number}: fixed a fault of the {PATHS[number % 4]}, which lost line {number} of its input.",
            "provenance": {
                "sourceChannel": "cli",
                "confidence": 1,
                "timestamp": f"2020-01-{number % 28 + 1:02}T10:00:00.000Z",
                "sensitivity": "operational",
            },
        }
        for number in range(count)
    ]
    place = root / MEMORY
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(
        "# MEMORY.md\n\n" + "".join(f"- {json.dumps(row)}\n" for row in rows)
    )


def records(root: Path) -> list[dict[str, Any]]:
    lines = (root / MEMORY).read_text().splitlines()
    return [json.loads(line[2:]) for line in lines if line.startswith("- {")]


@pytest.fixture
def full(sandbox: Sandbox) -> Sandbox:
    """A workspace whose memory is one record below its threshold."""
    sandbox.write(".cuedeck/config.toml", COMPACTING + EXTRACTING)
    remember(sandbox.root, 19)
    return sandbox


def test_an_append_over_the_threshold_starts_compaction_in_the_background(
    full: Sandbox,
) -> None:
    said = full.ok("memory", "add", "the last straw")
    assert said.err == ""
    until(lambda: len(records(full.root)) < 20)
    assert "the last straw" in [record["text"] for record in records(full.root)]
    until(lambda: json.loads(full.private(STATE).read_text())["compaction"]["last"])


def test_below_the_threshold_or_where_it_is_off_an_append_starts_nothing(
    full: Sandbox,
) -> None:
    remember(full.root, 3)
    full.ok("memory", "add", "one more")
    full.write(".cuedeck/config.toml", "")
    remember(full.root, 50)
    full.ok("memory", "add", "one more")
    assert not full.place(".cuedeck/cache/tick.started").exists()
    assert len(records(full.root)) == 51


def test_where_nothing_may_run_in_the_background_the_next_tick_makes_up_for_it(
    full: Sandbox,
) -> None:
    full.ok("memory", "add", "the last straw", environ=ALONE)
    assert len(records(full.root)) == 20
    answer = full.answer("memory", "tick")
    (row,) = answer["profiles"]
    assert answer["ran"] and row["extraction"]["ran"] and row["compaction"]["ran"]
    assert len(records(full.root)) < 20
    (row,) = full.answer("memory", "tick")["profiles"]
    assert [row[job]["reason"] for job in ("extraction", "compaction")] == [
        "not due",
        "not due",
    ]


def test_a_tick_where_all_is_off_leaves_no_file(full: Sandbox) -> None:
    full.write(".cuedeck/config.toml", "")
    before = sorted(full.root.rglob("*"))
    assert full.answer("memory", "tick")["ran"] is False
    assert sorted(full.root.rglob("*")) == before


@pytest.mark.parametrize("command", [("memory", "tick"), ("config", "check")])
def test_an_invalid_cron_line_is_reported_with_its_key(
    full: Sandbox, command: tuple[str, ...]
) -> None:
    full.write(".cuedeck/config.toml", COMPACTING + 'schedule = "0 25 * * *"\n')
    ran = full.run(*command)
    assert ran.code == 4
    assert "compaction.schedule" in ran.err and "bad hour" in ran.err


def test_a_watcher_reports_memory_maintenance(full: Sandbox) -> None:
    remember(full.root, 25)
    full.card("aaaaaa", "refs: [docs/a.md]")
    full.activate("aaaaaa")
    watcher = full.start("watch", "--json", environ=ALONE)
    try:
        assert watcher.stdout is not None
        told = next(
            event
            for event in map(json.loads, watcher.stdout)
            if event["event"] == "memory"
        )
        assert (told["schema"], told["ran"]) == (1, True)
        assert told["profiles"][0]["compaction"]["ran"]
        assert len(records(full.root)) < 25
        full.write("docs/a.md", "# A\n")
        assert next(json.loads(line)["event"] for line in watcher.stdout) == "scene"
    finally:
        watcher.send_signal(signal.SIGINT)
        _, err = watcher.communicate(timeout=20)
    assert b"Traceback" not in err


def test_two_ticks_at_once_do_not_do_the_same_twice(full: Sandbox) -> None:
    remember(full.root, 200)
    both = [
        full.start("memory", "tick", "--json", stderr=subprocess.DEVNULL)
        for _ in range(4)
    ]
    told = [json.loads(process.communicate(timeout=40)[0]) for process in both]
    assert sum(answer["ran"] for answer in told) == 1
    assert {answer["reason"] for answer in told} <= {
        "",
        "another maintenance run is active",
    }
