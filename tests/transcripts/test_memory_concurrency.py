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
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.engine.open_workspace import open_workspace
project = open_workspace(sys.argv[1], {})
memory = memory_of(project)
name, count = sys.argv[2], int(sys.argv[3])
"""
APPEND = """
for number in range(count):
    print(add_records(project, memory, [NewRecord(f"{name} says {number}")])[0], flush=True)
"""
APPEND_WITHOUT_LOCK = """
import uuid
while not os.path.exists(name):
    identity = str(uuid.uuid4())
    time.sleep(0.001)  # about the pace of the other process
    with open(sys.argv[1] + "/.cuedeck/MEMORY.md", "ab", buffering=0) as file:
        file.write(('- {"id":"%s","text":"theirs"}\\n' % identity).encode())
    print(identity, flush=True)
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
    return int(os.environ.get("MEMORY_APPENDS", "100"))


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


def test_lines_added_without_a_lock_survive_trims(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", WINDOW)
    sandbox.ok("memory", "add", "the first")
    enough = sandbox.root.parent / "enough"
    theirs, ours = (
        Writer(sandbox, APPEND_WITHOUT_LOCK, str(enough)),
        Writer(sandbox, APPEND, "ours", 2 * append_count()),
    )
    answer = ours.finish()
    enough.touch()
    added = theirs.finish()
    found = read_record_files(sandbox.root)
    assert len(answer) == 2 * append_count() and len(added) > append_count()
    assert not find_lost(answer + added, found)
    assert not {
        name: each.duplicate_ids for name, each in found.items() if each.duplicate_ids
    }
    assert not {name: each.torn for name, each in found.items() if each.torn}
