"""Rows `append`, `block` and `compact`: a memory of 50,000 records.

The floor of an append is `O_APPEND`, a write and fsync of the same bytes to two files,
both in turn; the floor of the block is reading its files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from benchmarks.figure import Figure, quantile
from benchmarks.lab import Lab

RECORDS = 50_000
_APPENDS = 1_500
"""More appends than the window removes in one trim, so that at least one trim runs."""
_ALL = ("turn-summary", "note", "learned")
_MERGED = ("turn-summary", "note")
"""Categories that compaction merges. With more `learned` records than the target, it
would report a finding and not run.
"""
_BARS = {"append": 3.0, "block": 10.0, "seconds": 5.0}
_SAYING = "turn {0}: looked at module {1} and found that parser {2} handles the case of input {3} well enough for now"
_NEW = '- {{"id":"new-{0:06}","sessionId":"main","category":"turn-summary","text":"{1}","provenance":{{}}}}\n'


def measure(lab: Lab) -> list[Figure]:
    """Measure all three rows in a workspace of their own."""
    root = os.path.join(lab.folder, "records")
    os.makedirs(os.path.join(root, ".cuedeck"))
    figures = []
    for what, config in (
        ("no window", ""),
        ("trimming", f"[memory]\nmax_records = {RECORDS}\n"),
    ):
        _write_workspace(root, config)
        lab.say(f"{RECORDS:,} records: {_APPENDS:,} appends, {what}")
        figures.append(_append(root, what))
    _write_workspace(root, "")
    lab.say(f"{RECORDS:,} records: the block")
    figures.append(_block(root))
    _write_workspace(root, "[compaction]\nenabled = true\n", _MERGED)
    lab.say(f"{RECORDS:,} records: a compaction")
    return figures + _compact(lab, root)


def _write_workspace(root: str, config: str, categories: Sequence[str] = _ALL) -> None:
    with open(
        os.path.join(root, ".cuedeck", "config.toml"), "w", encoding="utf-8"
    ) as file:
        file.write(config)
    write_memory(root, RECORDS, categories)


def write_memory(root: str, records: int, categories: Sequence[str] = _ALL) -> None:
    """Write a MEMORY.md with the given number of records into a workspace."""
    from cuedeck.ledger.records.memory_files import HEADER

    with open(
        os.path.join(root, ".cuedeck", "MEMORY.md"), "w", encoding="utf-8"
    ) as file:
        file.write(HEADER)
        file.writelines(_lines(records, categories))


def _lines(records: int, categories: Sequence[str]) -> Iterator[str]:
    for number in range(records):
        text = _SAYING.format(number, number % 97, number % 31, number % 1013)
        category = categories[number % 23 % len(categories)]
        month = 1 + number * 12 // max(records, 60_000)
        day = 1 + number // 200 % 25
        timestamp = f'"timestamp":"2026-{month:02}-{day:02}T10:00:00.000Z"'
        yield (
            f'- {{"id":"{number:08x}-0000-4000-8000-000000000000","sessionId":"main","category":"{category}",'
            f'"text":"{text}","provenance":{{"sourceChannel":"main","confidence":0.8,{timestamp},'
            f'"sensitivity":"operational"}}}}\n'
        )


def _append(root: str, what: str) -> Figure:
    from cuedeck.engine.open_workspace import open_workspace
    from cuedeck.knowledge.memory.add_record import NewRecord, add_records
    from cuedeck.ledger.records.memory_files import memory_of

    workspace = open_workspace(root, {})
    memory = memory_of(workspace)
    add_records(workspace, memory, [NewRecord("to have everything loaded")])
    floors, times = [], []
    bare = [os.path.join(root, name) for name in ("bare-a.md", "bare-b.md")]
    for number in range(_APPENDS):
        text = _SAYING.format(number, number, number, number)
        line = _NEW.format(number, text).encode()
        floors.append(_timed(lambda line=line: _bare_append(bare, line)))
        times.append(
            _timed(
                lambda text=text: add_records(
                    workspace, memory, [NewRecord(text, "turn-summary")]
                )
            )
        )
    workspace.close()
    # The mean, not the median: the rare cost of a trim is divided among all appends.
    floor, value = (sum(each) / len(each) * 1000 for each in (floors, times))
    note = f"records; p50 {quantile(times, 0.5) * 1000:.2f} ms, longest {max(times) * 1000:.0f} ms"
    return Figure("append", what, RECORDS, value, "ms", floor, note=note).against(
        _BARS["append"]
    )


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def _bare_append(places: list[str], data: bytes) -> None:
    for place in places:
        handle = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, data)
        os.fsync(handle)
        os.close(handle)


def _block(root: str) -> Figure:
    from cuedeck.engine.open_workspace import open_workspace
    from cuedeck.knowledge.memory.session_context import memory_context
    from cuedeck.ledger.records.memory_files import memory_of
    from cuedeck.store.files.disk import read_bytes

    time.sleep(0.1)  # a file that was just written would be read twice
    workspace = open_workspace(root, {})
    memory = memory_of(workspace)
    first = _timed(lambda: memory_context(workspace, memory)) * 1000
    times = [_timed(lambda: memory_context(workspace, memory)) for _ in range(200)]
    floor = (
        _timed(lambda: read_bytes(os.path.join(root, ".cuedeck", "MEMORY.md"))) * 1000
    )
    value = quantile(times, 0.5) * 1000
    return Figure(
        "block",
        "warm",
        RECORDS,
        value,
        "ms",
        floor,
        note=f"records; first {first:.0f} ms",
    ).below(_BARS["block"])


def _compact(lab: Lab, root: str) -> list[Figure]:
    """Compact in a separate process whose peak memory the system reports."""
    command = [sys.executable, "-c", _COMPACTION, root]
    started = time.perf_counter()
    ran = subprocess.run(
        command, env=lab.launch.environ, capture_output=True, text=True, check=True
    )
    whole = time.perf_counter() - started
    seconds, peak = map(float, ran.stdout.split()[:2])
    note = f"records; {ran.stdout.split(maxsplit=2)[2].strip()}; whole process {whole:.1f} s"
    return [
        Figure("compact", "time", RECORDS, seconds, "s", None, note=note).below(
            _BARS["seconds"]
        ),
        Figure("compact", "peak", RECORDS, peak, "MB", None, note="records"),
    ]


_COMPACTION = """
import resource, sys, time
from cuedeck.knowledge.compaction.run_compaction import compact
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.engine.open_workspace import open_workspace
project = open_workspace(sys.argv[1], {})
memory = memory_of(project)
started = time.perf_counter()
done = compact(project, memory)
seconds = time.perf_counter() - started
assert done.ran, done.reason
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, f"{len(memory.primary.records)} left")
"""
