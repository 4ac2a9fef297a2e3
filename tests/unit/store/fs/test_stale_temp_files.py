"""Temporary files of processes that are dead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cuedeck.store.fs.stale_temp_files import leftovers, remove, sweep
from cuedeck.store.workspace_paths import WorkspacePaths

DEAD = 99_999_999
"""No process has such a number."""


@pytest.fixture
def workspace(tmp_path: Path) -> WorkspacePaths:
    (tmp_path / ".cuedeck/sessions").mkdir(parents=True)
    (tmp_path / ".cuedeck/cortex/user").mkdir(parents=True)
    return WorkspacePaths(str(tmp_path))


def write(workspace: WorkspacePaths, path: str) -> Path:
    place = Path(workspace.absolute(path))
    place.write_text("half")
    return place


def told(workspace: WorkspacePaths) -> list[str]:
    return [each.path for each in leftovers(workspace)]


def test_what_dead_processes_left_is_found_in_every_folder(workspace: WorkspacePaths) -> None:
    paths = [
        f".cuedeck/.SCENE.md.{DEAD}.tmp",
        f".cuedeck/cortex/user/.a b.md.{DEAD}.tmp",
        f".cuedeck/sessions/.s.json.{DEAD}.tmp",
        f".cuedeck/sessions/s.backup.json.lz4.{DEAD}.tmp",
    ]
    for path in reversed(paths):
        write(workspace, path)
    assert told(workspace) == paths
    assert {each.size for each in leftovers(workspace)} == {4}
    for each in leftovers(workspace):
        remove(each)
        remove(each)
    assert told(workspace) == []


def test_what_a_living_process_writes_and_files_of_persons_are_none(workspace: WorkspacePaths) -> None:
    for name in (f".s.json.{os.getpid()}.tmp", f"mine.{DEAD}.tmp", ".s.json.tmp", f".s.json.{DEAD}"):
        write(workspace, f".cuedeck/sessions/{name}")
    Path(workspace.absolute(f".cuedeck/.folder.{DEAD}.tmp")).mkdir()
    assert told(workspace) == []


def test_a_number_that_another_process_got_since_keeps_nothing(workspace: WorkspacePaths) -> None:
    place = write(workspace, f".cuedeck/.SCENE.md.{os.getpid()}.tmp")
    assert told(workspace) == []
    os.utime(place, (0, 0))
    assert told(workspace) == [f".cuedeck/.SCENE.md.{os.getpid()}.tmp"]


def test_a_sweep_looks_at_the_folders_it_is_given_alone(workspace: WorkspacePaths) -> None:
    write(workspace, f".cuedeck/.MEMORY.md.{DEAD}.tmp")
    write(workspace, f".cuedeck/sessions/.s.json.{DEAD}.tmp")
    sweep(workspace.absolute(".cuedeck"), workspace.absolute(".cuedeck/none"))
    assert told(workspace) == [f".cuedeck/sessions/.s.json.{DEAD}.tmp"]


def test_a_name_that_is_no_text_is_told_and_removed(workspace: WorkspacePaths) -> None:
    name = os.fsdecode(b".\xff.%d.tmp" % DEAD)
    Path(workspace.absolute(".cuedeck"), name).write_text("half")
    (left,) = leftovers(workspace)
    assert left.path == f".cuedeck/.?.{DEAD}.tmp"
    remove(left)
    assert told(workspace) == []
