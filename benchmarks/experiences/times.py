"""Durations with a full store of experiences."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

from benchmarks.experiences.pairs import pairs
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.experiences.add_experience import add_experience
from cuedeck.knowledge.experiences.delete_experience import forget_experience
from cuedeck.knowledge.experiences.extract_experiences import extract
from cuedeck.knowledge.experiences.query_experiences import query_experiences
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE, shown_experiences
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.ledger.records.record_file import format_record

QUESTION = "how does the user want the parser tests to run"


class Time(NamedTuple):
    """A measured time."""

    what: str
    seconds: float


def measure(count: int) -> Iterator[Time]:
    """Fill a store with `count` experiences; yield the duration of each operation."""
    with (
        tempfile.TemporaryDirectory(prefix="cuedeck-experiences-") as folder,
        _opened(folder) as open_,
    ):
        _write_records(folder, 0, count)
        yield Time(
            f"make experiences of {count:,} records", _timed(lambda: _extract(open_))
        )
        yield Time("look again, nothing new", _timed(lambda: _extract(open_)))
        _write_records(folder, count, count + 20)
        yield Time(
            "make experiences of 20 more, the store being full",
            _timed(lambda: _extract(open_)),
        )
        workspace = open_()
        memory = memory_of(workspace)
        yield Time("read the file again", _timed(lambda: memory.entries(EXPERIENCE)))
        yield Time(
            "first question",
            _timed(lambda: query_experiences(workspace, memory, QUESTION)),
        )
        yield Time(
            "another question",
            _timed(
                lambda: query_experiences(workspace, memory, f"{QUESTION} on Friday")
            ),
        )
        yield Time(
            "add one by hand",
            _timed(
                lambda: add_experience(workspace, memory, "Ask Zoe before a release.")
            ),
        )
        first = shown_experiences(memory)[0].id
        yield Time(
            "forget one", _timed(lambda: forget_experience(workspace, memory, first))
        )
        command = [
            sys.executable,
            "-m",
            "cuedeck",
            "-C",
            folder,
            "experience",
            "query",
            QUESTION,
        ]
        yield Time(
            "`cuedeck experience query` as a process",
            min(_timed(lambda: _run(command)) for _ in range(3)),
        )
        floor = [sys.executable, "-c", "pass"]
        yield Time(
            "`python -c pass` as a process",
            min(_timed(lambda: _run(floor)) for _ in range(3)),
        )


def texts(count: int) -> list[str]:
    """Return mostly distinct texts: combined and numbered sentences of the
    tuning half.
    """
    random = Random(count)
    known = [pair.one for pair in pairs("tuning")]
    return [
        f"{random.choice(known)} {random.choice(known)} Case {number}."
        for number in range(count)
    ]


@contextmanager
def _opened(folder: str) -> Iterator[Callable[[], Workspace]]:
    os.makedirs(os.path.join(folder, ".cuedeck", "cards"))
    opened: list[Workspace] = []

    def open_() -> Workspace:
        opened.append(open_workspace(folder, {}))
        return opened[-1]

    try:
        yield open_
    finally:
        for workspace in opened:
            workspace.close()


def _write_records(folder: str, start: int, end: int) -> None:
    made = texts(end)
    with open(
        os.path.join(folder, ".cuedeck", "MEMORY.md"), "a", encoding="utf-8"
    ) as file:
        for number in range(start, end):
            provenance = {
                "timestamp": f"2026-01-01T00:00:00.{number % 1000:03d}Z",
                "sensitivity": "public",
            }
            value = {
                "id": f"r{number}",
                "category": "note",
                "text": made[number],
                "provenance": provenance,
            }
            file.write(format_record(value) + "\n")


def _extract(open_: Callable[[], Workspace]) -> None:
    workspace = open_()
    extract(workspace, memory_of(workspace))


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def _timed(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def format_times(rows: Iterator[Time]) -> str:
    """Return rows as a Markdown table."""
    lines = [
        "| | ms |",
        "|---|---|",
        *(f"| {row.what} | {1000 * row.seconds:,.0f} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"
