"""Temporary files of processes that are dead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cuedeck.store.files.stale_temp_files import leftovers, remove, sweep
from cuedeck.store.workspace_paths import WorkspacePaths

DEAD = 99_999_999
"""No process has such a number."""


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    (tmp_path / ".cuedeck/sessions").mkdir(parents=True)
    (tmp_path / ".cuedeck/cortex/user").mkdir(parents=True)
    return WorkspacePaths(str(tmp_path))


def write(paths: WorkspacePaths, path: str) -> Path:
    place = Path(paths.absolute(path))
    place.write_text("half")
    return place


def reported_files(paths: WorkspacePaths) -> list[str]:
    return [each.path for each in leftovers(paths)]


def test_files_of_dead_processes_are_found_in_every_folder(
    paths: WorkspacePaths,
) -> None:
    names = [
        f".cuedeck/.SCENE.md.{DEAD}.tmp",
        f".cuedeck/cortex/user/.a b.md.{DEAD}.tmp",
        f".cuedeck/sessions/.s.json.{DEAD}.tmp",
    ]
    for path in reversed(names):
        write(paths, path)
    assert reported_files(paths) == names
    assert {each.size for each in leftovers(paths)} == {4}
    for each in leftovers(paths):
        remove(each)
        remove(each)
    assert reported_files(paths) == []


def test_files_of_living_processes_and_of_users_are_not_stale(
    paths: WorkspacePaths,
) -> None:
    for name in (
        f".s.json.{os.getpid()}.tmp",
        f"mine.{DEAD}.tmp",
        ".s.json.tmp",
        f".s.json.{DEAD}",
    ):
        write(paths, f".cuedeck/sessions/{name}")
    Path(paths.absolute(f".cuedeck/.folder.{DEAD}.tmp")).mkdir()
    assert reported_files(paths) == []


def test_a_number_that_another_process_got_since_keeps_nothing(
    paths: WorkspacePaths,
) -> None:
    place = write(paths, f".cuedeck/.SCENE.md.{os.getpid()}.tmp")
    assert reported_files(paths) == []
    os.utime(place, (0, 0))
    assert reported_files(paths) == [f".cuedeck/.SCENE.md.{os.getpid()}.tmp"]


def test_a_sweep_looks_at_the_folders_it_is_given_alone(paths: WorkspacePaths) -> None:
    write(paths, f".cuedeck/.MEMORY.md.{DEAD}.tmp")
    write(paths, f".cuedeck/sessions/.s.json.{DEAD}.tmp")
    sweep(paths.absolute(".cuedeck"), paths.absolute(".cuedeck/none"))
    assert reported_files(paths) == [f".cuedeck/sessions/.s.json.{DEAD}.tmp"]


def test_a_name_that_is_not_utf_8_is_listed_and_removed(paths: WorkspacePaths) -> None:
    name = os.fsdecode(b".\xff.%d.tmp" % DEAD)
    Path(paths.absolute(".cuedeck"), name).write_text("half")
    (left,) = leftovers(paths)
    assert left.path == f".cuedeck/.?.{DEAD}.tmp"
    remove(left)
    assert reported_files(paths) == []
