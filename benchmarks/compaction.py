"""`python -m benchmarks.compaction [--records 50000]`: the share of facts that
compaction keeps readable, its duration, and the longest wait of a writer.

The original was measured with a thousand facts of about 200 characters: it kept 76 of
them in MEMORY.md and 41 in LONGMEMORY.md, and finds the others only in a configured
archive. `kept` is the number of facts in both files, compared with the number of bare
facts that fit into their limits. `append` is the longest wait of an append while a long
memory is compacted.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from benchmarks.figure import Figure, format_table
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.compaction.compaction_stats import Compacted
from cuedeck.knowledge.compaction.run_compaction import compact
from cuedeck.ledger.records.memory_files import HEADER, memory_of
from cuedeck.ledger.records.record_file import format_record

FACTS = 1_000
LENGTH = 200
MOST_SECONDS = 5.0
LEAST_KEPT = 80.0
_TARGETS = ((20_000, 16_000), (100_000, 16_000))
_NOW = datetime(2026, 11, 21, tzinfo=UTC)
_SEED = 1
_APPEND_EVERY = 100
_SYLLABLES = (
    "ba",
    "co",
    "du",
    "fe",
    "gi",
    "ha",
    "jo",
    "ku",
    "le",
    "mi",
    "na",
    "po",
    "ru",
    "se",
    "ti",
    "vo",
)


def main() -> int:
    """Measure; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compaction", description="Measure compaction."
    )
    parser.add_argument(
        "--records",
        type=int,
        default=50_000,
        help="records of the long memory (default: %(default)s)",
    )
    parser.add_argument("--in", dest="folder", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.folder:
        return _alone(asked.folder)
    figures = [
        figure for target, long in _TARGETS for figure in _measure_kept(target, long)
    ]
    figures += _long(asked.records)
    print(
        f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores\n"
    )
    print(format_table(figures), end="")
    return int(any(figure.met is False for figure in figures))


def _measure_kept(target: int, long: int) -> list[Figure]:
    """Compact a thousand facts, then add 200 and compact again, five times."""
    with _workspace(FACTS, target, long) as workspace:
        memory = memory_of(workspace)
        before = {record.id for record in memory.primary.records}
        done = compact(workspace, memory, now=_NOW)
        archived = {record.id for record in memory.archived.records}
        rounds = [_round(workspace, turn) for turn in range(5)]
    what = f"target {target:,} + {long:,}"
    share = (
        100
        * (done.facts_in_memory + done.facts_in_long_memory)
        * LENGTH
        / (target + long)
    )
    last = (
        100
        * (rounds[-1].facts_in_memory + rounds[-1].facts_in_long_memory)
        * LENGTH
        / (target + long)
    )
    sizes = ", ".join(f"{each.chars_after:,}" for each in (done, *rounds))
    note = f"{done.facts_in_memory} facts in MEMORY.md, {done.facts_in_long_memory} in LONGMEMORY.md"
    return [
        Figure("kept", what, FACTS, share, "%", None, note=note).at_least(LEAST_KEPT),
        Figure(
            "archived",
            what,
            FACTS,
            100 * len(archived & before) / FACTS,
            "%",
            None,
        ).at_least(100),
        Figure(
            "kept", f"{what}, 5 rounds later", FACTS, last, "%", None, note=sizes
        ).at_least(LEAST_KEPT),
        Figure(
            "largest",
            what,
            FACTS,
            max(each.chars_after for each in (done, *rounds)),
            "chars",
            None,
        ).below(target + 1),
    ]


def _round(workspace: Workspace, turn: int) -> Compacted:
    memory = memory_of(workspace)
    with open(memory.place("MEMORY.md"), "a", encoding="utf-8") as file:
        file.writelines(_lines(200, _SEED + 1 + turn, newest=25 - turn))
    return compact(workspace, memory, forced=True, now=_NOW)


def _long(records: int) -> list[Figure]:
    with _workspace(records, 100_000, 16_000) as workspace:
        command = [
            sys.executable,
            "-m",
            "benchmarks.compaction",
            "--in",
            workspace.paths.root,
        ]
        output = subprocess.run(
            command, check=True, capture_output=True, text=True
        ).stdout.split()
    with _workspace(records, 100_000, 16_000) as workspace:
        waits = _append_waits(workspace)
    return [
        Figure(
            "time",
            "one run",
            records,
            float(output[0]),
            "s",
            None,
            note=f"{float(output[1]):.1f} s of a processor",
        ).below(MOST_SECONDS),
        Figure(
            "memory", "one run, as a process", records, float(output[2]), "MB", None
        ),
        Figure(
            "append",
            "longest wait",
            records,
            max(waits),
            "ms",
            None,
            note=f"{len(waits)} appends",
        ),
    ]


def _alone(folder: str) -> int:
    workspace = open_workspace(folder, {})
    started, busy = time.perf_counter(), time.process_time()
    done = compact(workspace, memory_of(workspace), now=_NOW)
    seconds = time.perf_counter() - started
    assert done.ran
    print(
        seconds,
        time.process_time() - busy,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )
    return 0


def _append_waits(workspace: Workspace) -> list[float]:
    """Append repeatedly while another process compacts; return the waits in
    milliseconds.
    """
    command = [
        sys.executable,
        "-m",
        "benchmarks.compaction",
        "--in",
        workspace.paths.root,
    ]
    memory = memory_of(workspace)
    waits: list[float] = []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as other:
        while other.poll() is None:
            started = time.perf_counter()
            # Only the wait for the lock counts; other benchmarks measure the write.
            with memory.writing():
                waits.append(1_000 * (time.perf_counter() - started))
                if len(waits) % _APPEND_EVERY == 0:
                    with open(memory.place("MEMORY.md"), "a", encoding="utf-8") as file:
                        file.writelines(_lines(1, len(waits), newest=0))
            time.sleep(0.001)
    assert other.returncode == 0
    return waits


@contextmanager
def _workspace(records: int, target: int, long: int) -> Iterator[Workspace]:
    folder = tempfile.mkdtemp(prefix="cuedeck-compaction-")
    try:
        os.makedirs(os.path.join(folder, ".cuedeck"))
        with open(
            os.path.join(folder, ".cuedeck", "config.toml"), "w", encoding="utf-8"
        ) as file:
            file.write(
                f"[compaction]\nenabled = true\ntarget_chars = {target}\n[memory]\nlong_memory_chars = {long}\n"
            )
        with open(
            os.path.join(folder, ".cuedeck", "MEMORY.md"), "w", encoding="utf-8"
        ) as file:
            file.write(HEADER)
            file.writelines(_lines(records, _SEED, newest=30))
        yield open_workspace(folder, {})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _lines(count: int, seed: int, newest: int) -> Iterator[str]:
    """Yield lines of old records; the newest has the given age in days."""
    chance = random.Random(seed)
    words = [
        "".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4)))
        for _ in range(3_000)
    ]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    for number in range(count):
        text = ""
        while len(text) < LENGTH:
            text += " ".join(chance.choices(words, cum_weights=weights, k=10)) + " "
        at = _NOW - timedelta(days=newest + 200 * (count - number) / count)
        yield _line(chance, text[: LENGTH - 7].capitalize() + f" {number:06}", at)


def _line(chance: random.Random, text: str, at: datetime) -> str:
    stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    provenance = {
        "sourceChannel": "main",
        "confidence": 0.8,
        "timestamp": stamp,
        "sensitivity": "operational",
    }
    identity = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    category = chance.choice(["note", "turn-summary"])
    return (
        format_record(
            {
                "id": identity,
                "sessionId": "main",
                "category": category,
                "text": text,
                "provenance": provenance,
            }
        )
        + "\n"
    )


if __name__ == "__main__":
    sys.exit(main())
