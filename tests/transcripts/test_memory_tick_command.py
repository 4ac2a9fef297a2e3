"""Due maintenance of memory: by a command, by an append above the threshold, or in a
watcher.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox, until

pytest.importorskip("cuedeck.knowledge.compaction.run_compaction")
pytest.importorskip("cuedeck.knowledge.experiences.extract_experiences")

COMPACTING = "[compaction]\nenabled = true\nthreshold_records = 20\ntarget_records = 10\nmin_age_days = 1\n"
EXTRACTING = "[experiences]\nenabled = true\n"
ALONE = {"CUEDECK_NO_BACKGROUND": "1"}
MEMORY = ".cuedeck/MEMORY.md"
STATE = "memory-default.schedule.json"
PATHS = ("parser", "renderer", "index", "watcher")


def write_records(root: Path, count: int = 20) -> None:
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


def count_records(root: Path) -> list[dict[str, Any]]:
    lines = (root / MEMORY).read_text().splitlines()
    return [json.loads(line[2:]) for line in lines if line.startswith("- {")]


@pytest.fixture
def almost_full(sandbox: Sandbox) -> Sandbox:
    """A workspace whose memory is one record below its threshold."""
    sandbox.write(".cuedeck/config.toml", COMPACTING + EXTRACTING)
    write_records(sandbox.root, 19)
    return sandbox


def test_append_above_the_threshold_starts_compaction_in_the_background(
    almost_full: Sandbox,
) -> None:
    message = almost_full.ok("memory", "add", "the last straw")
    assert message.err == ""
    until(lambda: len(count_records(almost_full.root)) < 20)
    assert "the last straw" in [
        record["text"] for record in count_records(almost_full.root)
    ]
    until(
        lambda: json.loads(almost_full.private(STATE).read_text())["compaction"]["last"]
    )


def test_next_tick_compacts_if_background_processes_are_forbidden(
    almost_full: Sandbox,
) -> None:
    almost_full.ok("memory", "add", "the last straw", environ=ALONE)
    assert len(count_records(almost_full.root)) == 20
    answer = almost_full.answer("memory", "tick")
    (row,) = answer["profiles"]
    assert answer["ran"] and row["extraction"]["ran"] and row["compaction"]["ran"]
    assert len(count_records(almost_full.root)) < 20
    (row,) = almost_full.answer("memory", "tick")["profiles"]
    assert [row[job]["reason"] for job in ("extraction", "compaction")] == [
        "not due",
        "not due",
    ]


def test_watcher_starts_memory_maintenance(almost_full: Sandbox) -> None:
    write_records(almost_full.root, 25)
    watcher = almost_full.start("watch", "--json", environ={})
    try:
        until(lambda: len(count_records(almost_full.root)) < 25)
    finally:
        watcher.send_signal(signal.SIGINT)
        _, err = watcher.communicate(timeout=20)
    assert b"Traceback" not in err
