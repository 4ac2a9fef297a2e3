"""Due maintenance of memory: by a command, by an append above the threshold, or in a
watcher.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox, until

COMPACTING = "[compaction]\nenabled = true\nthreshold_records = 20\ntarget_records = 10\nmin_age_days = 1\n"
EXTRACTING = "[experiences]\nenabled = true\n"
MEMORY = ".cuedeck/MEMORY.md"
STATE = "memory-default.schedule.json"
PATHS = ("parser", "renderer", "index", "watcher")


def write_records(root: Path, count: int) -> None:
    """Write a memory of old records."""
    rows = []
    for number in range(count):
        text = (
            f"Turn {number}: fixed a fault of the {PATHS[number % 4]}, line {number}."
        )
        provenance = {"sourceChannel": "cli", "sensitivity": "operational"}
        provenance["timestamp"] = f"2020-01-{number % 28 + 1:02}T10:00:00.000Z"
        identity = f"00000000-0000-4000-8000-{number:012}"
        row = {"id": identity, "category": "turn-summary", "text": text}
        rows.append(f"- {json.dumps({**row, 'provenance': provenance})}\n")
    place = root / MEMORY
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("# MEMORY.md\n\n" + "".join(rows))


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
    state = almost_full.private(STATE)
    done = until(lambda: json.loads(state.read_text()).get("compaction"))
    assert done["last"]
