"""Concurrent memory writers, with a window and with compactions, lose nothing and
duplicate nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence

from record_files import ARCHIVE, MEMORY, RecordFiles, read_record_files
from sandbox import Sandbox

PATIENCE_SECONDS = 300
OPENED = """
import os, sys, time
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.engine.open_workspace import open_workspace
project = open_workspace(sys.argv[1], {})
memory = memory_of(project)
name, count = sys.argv[2], int(sys.argv[3])
"""
APPEND = """
for number in range(count):
    print(add_records(project, memory, [NewRecord(f"{name} says {number}")])[0], flush=True)
"""
WINDOW = "[memory]\nmax_records = 50\n"


class Writer:
    """A process that writes records and prints their ids."""

    def __init__(self, sandbox: Sandbox, code: str, name: str, count: int = 0) -> None:
        arguments = [
            sys.executable,
            "-c",
            OPENED + code,
            str(sandbox.root),
            name,
            str(count),
        ]
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - a full pipe without a reader would block the writer
        self._process = subprocess.Popen(
            arguments,
            env=sandbox.environ,
            stdin=subprocess.PIPE,
            stdout=self._output,
            stderr=subprocess.PIPE,
        )

    def written_ids(self) -> list[str]:
        """Return the ids printed so far."""
        return os.pread(self._output.fileno(), 1 << 30, 0).decode().split()

    def finish(self) -> list[str]:
        """Let the process finish; return the ids that it printed."""
        with self._output:
            _, err = self._process.communicate(timeout=PATIENCE_SECONDS)
            assert self._process.returncode == 0, err
            return self.written_ids()


def append_count() -> int:
    """Return the number of appends of each process."""
    return int(os.environ.get("MEMORY_APPENDS", "40"))


def find_lost(written: Sequence[str], found: RecordFiles) -> set[str]:
    """Return the ids that are neither in MEMORY.md nor in the archive."""
    return set(written) - set(found[MEMORY].ids) - set(found[ARCHIVE].ids)


def assert_intact(written: Sequence[str], found: RecordFiles) -> None:
    """Check that nothing acknowledged is lost, nothing is duplicated, and no line is
    broken.
    """
    days = Counter(
        identity
        for name, each in found.items()
        if name not in (MEMORY, ARCHIVE)
        for identity in each.ids
    )
    assert len(set(written)) == len(written)
    assert not find_lost(written, found)
    assert not set(written) - days.keys()
    assert not [each for each, times in days.items() if times > 1]
    assert not {
        name: each.duplicate_ids for name, each in found.items() if each.duplicate_ids
    }
    assert not {name: each.torn for name, each in found.items() if each.torn}
    assert not set(found[MEMORY].ids) & set(found[ARCHIVE].ids)


def test_e2_four_processes_with_a_window_lose_nothing(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", WINDOW)
    writers = [
        Writer(sandbox, APPEND, f"writer {number}", append_count())
        for number in range(4)
    ]
    answer = [identity for writer in writers for identity in writer.finish()]
    assert len(answer) == 4 * append_count()
    found = read_record_files(sandbox.root)
    assert_intact(answer, found)
    assert len(found[MEMORY].ids) == 50


NOTE = """
import sys
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.work.sessions.session_notes import add_note
from cuedeck.work.sessions.session_working_set import add_to_working_set
project = open_workspace(sys.argv[1], {})
for number in range(20):
    add_note(project, f"{sys.argv[2]} {number}")
    add_to_working_set(project, sys.argv[1], [f"{sys.argv[2]}-{number}.md"], "write")
project.close()
"""
WRITERS = ("one", "other")


def run_twice(sandbox: Sandbox, code: str) -> None:
    """Run the same code in two concurrent processes."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(sandbox.root), name],
            env=sandbox.environ,
            stderr=subprocess.PIPE,
        )
        for name in WRITERS
    ]
    ended = [process.communicate(timeout=PATIENCE_SECONDS)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], ended


def test_concurrent_notes_are_all_stored(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", "[session]\ncompress_kib = 1\n")
    session = sandbox.answer("session", "start")["session"]
    run_twice(sandbox, NOTE)
    found = sandbox.answer("session", "show", session)
    wanted = [(name, number) for name in WRITERS for number in range(20)]
    assert sorted(each["text"] for each in found["notes"]) == sorted(
        f"{name} {number}" for name, number in wanted
    )
    assert set(found["workingSet"]) == {
        f"{name}-{number}.md" for name, number in wanted
    }
    assert sandbox.answer("session", "list")["faults"] == []
