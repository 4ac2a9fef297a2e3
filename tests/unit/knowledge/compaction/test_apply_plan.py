"""Compaction during concurrent writes, and after an interruption: E4 to E6, E14."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from compaction_memory import NOW, OLD, RECENT, SampleMemory, line
from sandbox import Sandbox

from cuedeck.knowledge.compaction.apply_plan import carry_out, undo
from cuedeck.knowledge.compaction.run_compaction import compact
from cuedeck.ledger.records.memory_files import PRIMARY, memory_of
from cuedeck.model.errors import StorageError

ARCHIVE = "memory/MEMORY-archive.md"


@pytest.fixture
def sample(sandbox: Sandbox) -> SampleMemory:
    sample = SampleMemory(sandbox)
    sample.write(*OLD, RECENT)
    return sample


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
    assert undo(sample.workspace.paths, sample.files, dry_run=True).restored == 12
    assert [each for each in sample.text(ARCHIVE).split("\n") if each] == OLD


def test_e6_records_added_during_a_run_follow_the_merged_ones(
    sample: SampleMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = line(500, "came late", days=0)

    def meanwhile(*arguments: Any) -> None:
        sample.add(late)
        carry_out(*arguments)

    monkeypatch.setattr(
        "cuedeck.knowledge.compaction.run_compaction.carry_out", meanwhile
    )
    assert sample.compact().ran
    assert sample.text().split("\n")[-2:] == [late, ""]
    assert RECENT in sample.text() and "old summary 3" in sample.text() + sample.text(
        "LONGMEMORY.md"
    )


@pytest.mark.parametrize("name", [PRIMARY, "LONGMEMORY.md"])
def test_e6_a_file_changed_otherwise_during_a_run_stays(
    sample: SampleMemory, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def meanwhile(*arguments: Any) -> None:
        sample.sandbox.write(f".cuedeck/{name}", "by hand\n" + sample.text(name))
        carry_out(*arguments)

    monkeypatch.setattr(
        "cuedeck.knowledge.compaction.run_compaction.carry_out", meanwhile
    )
    with pytest.raises(StorageError, match="changed during the compaction"):
        sample.compact()
    assert sample.text(name).startswith("by hand\n")
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
    assert undo(sample.workspace.paths, sample.files).ran
    assert sample.text().startswith(first)
