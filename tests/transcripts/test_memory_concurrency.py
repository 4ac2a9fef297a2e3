"""Several processes that remember at once, with a window and with compactions, lose
nothing and double nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence

from record_files import ARCHIVE, MEMORY, RecordFiles, read_record_files
from sandbox import Sandbox, until

PATIENCE_SECONDS = 300
OPENED = """
import os, sys, time
from cuedeck.app.memory.add_record import NewRecord, add_records
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.open_workspace import open_workspace
project = open_workspace(sys.argv[1], {})
memory = memory_of(project)
name, count = sys.argv[2], int(sys.argv[3])
"""
APPEND = """
for number in range(count):
    print(add_records(project, memory, [NewRecord(f"{name} says {number}")])[0], flush=True)
"""
APPEND_AT_EASE = APPEND.replace(
    "    print", "    time.sleep(0.01)  # so that a compaction has a chance\n    print"
)
APPEND_BESIDE = """
import uuid
while not os.path.exists(name):
    identity = str(uuid.uuid4())
    time.sleep(0.001)  # the pace of one that works beside it
    with open(sys.argv[1] + "/.cuedeck/MEMORY.md", "ab", buffering=0) as file:
        file.write(('- {"id":"%s","text":"theirs"}\\n' % identity).encode())
    print(identity, flush=True)
"""
COMPACT = """
from cuedeck.app.memory.compaction.run_compaction import compact
ran = False
while not (ran and os.path.exists(name)):  # on a busy machine none may come to its end before the writers do
    ran = compact(project, memory, forced=True).ran or ran
    print(ran, flush=True)
"""
COMPACT_ONCE = """
from cuedeck.app.memory.compaction.run_compaction import compact
print("ready", flush=True)
sys.stdin.read()
print(compact(project, memory, forced=True).ran)
"""
WINDOW = "[memory]\nmax_records = 50\n"
COMPACTION = """
[memory]
max_records = 60
[compaction]
target_records = 40
target_chars = 8000
min_age_days = 0
"""


class Writer:
    """A process that writes and tells the ids of what it wrote."""

    def __init__(self, sandbox: Sandbox, code: str, name: str, count: int = 0) -> None:
        arguments = [
            sys.executable,
            "-c",
            OPENED + code,
            str(sandbox.root),
            name,
            str(count),
        ]
        self._told = tempfile.TemporaryFile()  # noqa: SIM115 - a pipe that nobody reads holds who writes to it
        self._process = subprocess.Popen(
            arguments,
            env=sandbox.environ,
            stdin=subprocess.PIPE,
            stdout=self._told,
            stderr=subprocess.PIPE,
        )

    def told(self) -> list[str]:
        """Return what it told until now."""
        return os.pread(self._told.fileno(), 1 << 30, 0).decode().split()

    def end(self) -> list[str]:
        """Let it go on, wait for it, return what it told."""
        with self._told:
            _, err = self._process.communicate(timeout=PATIENCE_SECONDS)
            assert self._process.returncode == 0, err
            return self.told()


def many() -> int:
    """Return how many appends each process does."""
    return int(os.environ.get("MEMORY_APPENDS", "100"))


def lost(told: Sequence[str], found: RecordFiles) -> set[str]:
    """Return what is neither in MEMORY.md nor in the archive."""
    return set(told) - set(found[MEMORY].ids) - set(found[ARCHIVE].ids)


def check(told: Sequence[str], found: RecordFiles) -> None:
    """Nothing that was acknowledged is lost, nothing is doubled, no line is broken."""
    days = Counter(
        identity
        for name, each in found.items()
        if name not in (MEMORY, ARCHIVE)
        for identity in each.ids
    )
    assert len(set(told)) == len(told)
    assert not lost(told, found)
    assert not set(told) - days.keys()
    assert not [each for each, times in days.items() if times > 1]
    assert not {
        name: each.duplicate_ids for name, each in found.items() if each.duplicate_ids
    }
    assert not {name: each.torn for name, each in found.items() if each.torn}
    assert not set(found[MEMORY].ids) & set(found[ARCHIVE].ids)


def test_e2_four_processes_with_a_window_lose_nothing(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", WINDOW)
    writers = [
        Writer(sandbox, APPEND, f"writer {number}", many()) for number in range(4)
    ]
    told = [identity for writer in writers for identity in writer.end()]
    assert len(told) == 4 * many()
    found = read_record_files(sandbox.root)
    check(told, found)
    assert len(found[MEMORY].ids) == 50


def test_lines_added_without_a_lock_survive_trims(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", WINDOW)
    sandbox.ok("memory", "add", "the first")
    enough = sandbox.root.parent / "enough"
    theirs, ours = (
        Writer(sandbox, APPEND_BESIDE, str(enough)),
        Writer(sandbox, APPEND, "ours", 2 * many()),
    )
    told = ours.end()
    enough.touch()
    added = theirs.end()
    found = read_record_files(sandbox.root)
    assert len(told) == 2 * many() and len(added) > many()
    assert not lost(told + added, found)
    assert not {
        name: each.duplicate_ids for name, each in found.items() if each.duplicate_ids
    }
    assert not {name: each.torn for name, each in found.items() if each.torn}


def test_e6_records_added_during_compactions_survive(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", COMPACTION)
    sandbox.ok("memory", "add", "the first")
    enough = sandbox.root.parent / "enough"
    compactor = Writer(sandbox, COMPACT, str(enough))
    writers = [
        Writer(sandbox, APPEND_AT_EASE, f"writer {number}", many())
        for number in range(4)
    ]
    told = [identity for writer in writers for identity in writer.end()]
    enough.touch()
    ran = compactor.end()
    assert "True" in ran
    assert len(told) == 4 * many()
    check(told, read_record_files(sandbox.root))


def test_e5_of_two_compactions_at_once_one_runs(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", COMPACTION)
    sandbox.ok(
        "memory",
        "add",
        "-",
        text="".join(f"note number {number} says this\n" for number in range(100)),
    )
    before = read_record_files(sandbox.root)[MEMORY].ids
    both = [Writer(sandbox, COMPACT_ONCE, "compactor") for _ in range(2)]
    until(
        lambda: [each.told() for each in both] == [["ready"], ["ready"]],
        "two processes that are ready",
    )
    assert sorted(each.end()[-1] for each in both) == ["False", "True"]
    check(before, read_record_files(sandbox.root))
