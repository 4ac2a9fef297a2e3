"""Compaction during concurrent writes, and after an interruption: E4 to E6, E14."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from compaction_memory import NOW, OLD, RECENT, SampleMemory, line, uuid
from sandbox import SOURCE, Sandbox

from cuedeck.knowledge.compaction.apply_plan import carry_out, undo
from cuedeck.knowledge.compaction.run_compaction import RESTLESS, compact
from cuedeck.ledger.records.memory_files import PRIMARY
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.model.errors import StorageError

ARCHIVE = "memory/MEMORY-archive.md"
_DIES = """
import os, signal, sys
from datetime import datetime
where, root, now = sys.argv[1:]
sys.path.insert(0, {source!r})
from cuedeck.knowledge.compaction import apply_plan
from cuedeck.knowledge.compaction.run_compaction import compact
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.memory_files import MemoryFiles
from cuedeck.engine.open_workspace import open_workspace

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(MemoryFiles if hasattr(MemoryFiles, where) else apply_plan, where, die)
project = open_workspace(root, {{}})
compact(project, memory_of(project), now=datetime.fromisoformat(now))
"""


@pytest.fixture
def sample(sandbox: Sandbox) -> SampleMemory:
    sample = SampleMemory(sandbox)
    sample.write(*OLD, RECENT)
    return sample


@pytest.mark.parametrize(
    "where", ["_keep", "_write_names", "_write", "add_lines", "rewrite"]
)
def test_e4_a_run_killed_anywhere_loses_nothing_and_blocks_no_process(
    sample: SampleMemory, where: str
) -> None:
    command = [
        sys.executable,
        "-c",
        _DIES.format(source=str(SOURCE)),
        where,
        str(sample.sandbox.root),
        NOW.isoformat(),
    ]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    ids = {
        record.id
        for name in (PRIMARY, ARCHIVE)
        for record in parse_records(sample.text(name)).records
    }
    assert {uuid(number) for number in (*range(12), 99)} <= ids
    sample.compact(forced=True)
    assert sample.compact(forced=True).reason == "nothing to compact"
    lines = [each for each in sample.text(ARCHIVE).split("\n") if each]
    assert lines == OLD
    both = "\n".join(sample.texts) + sample.text("LONGMEMORY.md")
    assert all(both.count(f"old summary {number} [") == 1 for number in range(12))


def test_e5_exactly_one_of_two_concurrent_runs_compacts(sample: SampleMemory) -> None:
    done: list[Any] = []
    start = threading.Barrier(2)

    def run() -> None:
        workspace = sample.sandbox.workspace()
        start.wait()
        done.append(compact(workspace, memory_of(workspace), now=NOW))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each.ran for each in done) == [False, True]
    assert undo(sample.workspace, sample.files, dry_run=True).restored == 12
    assert [each for each in sample.text(ARCHIVE).split("\n") if each] == OLD


def test_e6_records_added_during_a_run_follow_the_merged_ones(
    sample: SampleMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = line(500, "came late", days=0)

    def meanwhile(*arguments: Any) -> bool:
        sample.add(late)
        return carry_out(*arguments)

    monkeypatch.setattr(
        "cuedeck.knowledge.compaction.run_compaction.carry_out", meanwhile
    )
    assert sample.compact().ran
    assert sample.text().split("\n")[-2:] == [late, ""]
    assert RECENT in sample.text() and "old summary 3" in sample.text() + sample.text(
        "LONGMEMORY.md"
    )


@pytest.mark.parametrize("name", [PRIMARY, "LONGMEMORY.md"])
def test_e6_a_file_changed_otherwise_during_a_run_is_read_again(
    sample: SampleMemory, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    edits = iter(["by hand"])

    def meanwhile(*arguments: Any) -> bool:
        for edit in edits:
            sample.sandbox.write(f".cuedeck/{name}", f"{edit}\n" + sample.text(name))
        return carry_out(*arguments)

    monkeypatch.setattr(
        "cuedeck.knowledge.compaction.run_compaction.carry_out", meanwhile
    )
    assert sample.compact().ran
    assert sample.text(name).startswith("by hand\n")
    assert [each for each in sample.text(ARCHIVE).split("\n") if each] == OLD


def test_e6_a_file_that_changes_constantly_is_not_compacted(
    sample: SampleMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(*arguments: Any) -> bool:
        sample.sandbox.write(".cuedeck/MEMORY.md", "x\n" + sample.text())
        return carry_out(*arguments)

    monkeypatch.setattr(
        "cuedeck.knowledge.compaction.run_compaction.carry_out", meanwhile
    )
    assert sample.compact().reason == RESTLESS
    assert not sample.text(ARCHIVE) and all(each in sample.text() for each in OLD)


@pytest.mark.parametrize("had_archive", [False, True])
@pytest.mark.parametrize("had_long", [False, True])
@pytest.mark.parametrize("where", ["_write", "_lines"])
def test_e14_any_failure_leaves_all_files_unchanged(
    sample: SampleMemory,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    had_long: bool,
    had_archive: bool,
) -> None:
    if had_long:
        sample.sandbox.write(".cuedeck/LONGMEMORY.md", "written by hand\n")
    if had_archive:
        sample.sandbox.write(f".cuedeck/{ARCHIVE}", line(700, "older") + "\n")

    def fails(*_: Any) -> None:
        raise StorageError("no space left")

    before = sample.all
    files = {
        path
        for path in Path(sample.sandbox.root).rglob("*")
        if path.is_file() and "cache" not in path.parts
    }
    with monkeypatch.context() as patched:
        patched.setattr(f"cuedeck.knowledge.compaction.apply_plan.{where}", fails)
        with pytest.raises(StorageError):
            sample.compact()
    assert sample.all == before
    after = {
        path
        for path in Path(sample.sandbox.root).rglob("*")
        if path.is_file() and "cache" not in path.parts
    }
    assert after == files
    assert sample.compact().ran


def test_undo_backup_stays_if_the_next_run_fails(
    sample: SampleMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sample.text()
    sample.compact()
    sample.add(*(line(number, days=9) for number in range(800, 820)))

    def fails(*_: Any) -> bool:
        raise StorageError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr("cuedeck.knowledge.compaction.apply_plan._write", fails)
        with pytest.raises(StorageError):
            sample.compact()
    assert undo(sample.workspace, sample.files).ran
    assert sample.text().startswith(first)
