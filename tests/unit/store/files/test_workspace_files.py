"""Check and repair of the files in `.cuedeck/`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.workspace_files import (
    back_up,
    database_fault,
    list_folder,
    make_folder,
    presence,
    remove_database,
    remove_file,
)
from cuedeck.store.index.schema import open_index
from cuedeck.store.workspace_paths import WorkspacePaths


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    (tmp_path / ".cuedeck/cache").mkdir(parents=True)
    return WorkspacePaths(str(tmp_path))


def test_lists_a_folder_by_path(paths: WorkspacePaths, tmp_path: Path) -> None:
    (tmp_path / ".cuedeck/b").touch()
    assert [
        (entry.path, entry.is_folder) for entry in list_folder(paths, ".cuedeck")
    ] == [(".cuedeck/b", False), (".cuedeck/cache", True)]
    assert list_folder(paths, ".cuedeck/none") == ()


def test_a_name_that_cannot_be_looked_at_hides_no_other(
    paths: WorkspacePaths, tmp_path: Path
) -> None:
    """One link to itself made the whole folder look empty."""
    (tmp_path / ".cuedeck/loop").symlink_to("loop")
    assert [entry.path for entry in list_folder(paths, ".cuedeck")] == [
        ".cuedeck/cache",
        ".cuedeck/loop",
    ]


def test_an_index_is_removed_with_its_extra_files(
    paths: WorkspacePaths, tmp_path: Path
) -> None:
    folder = Path(paths.private)
    folder.mkdir()
    for ending in ("", "-wal", "-shm"):
        (folder / f"index.sqlite{ending}").touch()
    remove_database(paths.index)
    assert list(folder.iterdir()) == []
    (folder / "index.sqlite").mkdir()
    with pytest.raises(StorageError):
        remove_database(paths.index)


def test_presence_of_odd_paths(paths: WorkspacePaths) -> None:
    assert presence(paths, ".cuedeck") == "folder"
    assert presence(paths, ".cuedeck/none") == ""
    assert presence(paths, "a\0b") == ""
    assert presence(paths, "x" * 5_000) == ""


def test_a_new_index_is_sound_while_it_is_open_and_after(paths: WorkspacePaths) -> None:
    assert database_fault(paths.index) == ""
    database = open_index(paths.index)
    assert database_fault(paths.index) == ""
    database.close()
    assert database_fault(paths.index) == ""


def test_a_copy_never_replaces_another(paths: WorkspacePaths, tmp_path: Path) -> None:
    file = tmp_path / ".cuedeck/note"
    for text in ("one", "two", "one", "three"):
        file.write_text(text)
        back_up(paths, ".cuedeck/note")
    copies = tmp_path / ".cuedeck/cache/backup"
    assert {copy.name: copy.read_text() for copy in copies.iterdir()} == {
        "note": "one",
        "note.1": "two",
        "note.2": "three",
    }


def test_the_copy_of_a_private_file_is_private_before_it_has_its_name(
    paths: WorkspacePaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy was created with default permissions and restricted afterwards: for a
    moment every user could read it.
    """
    file = tmp_path / ".cuedeck/note"
    file.write_text("x")
    file.chmod(0o600)
    made, link, modes = os.open, nofollow.hard_link, []

    def opened(place: str, flags: int, mode: int = 0o777, **options: Any) -> int:
        handle = made(place, flags, mode, **options)
        modes.append(os.fstat(handle).st_mode & 0o077 if flags & os.O_CREAT else 0)
        return handle

    def linked(temporary: str, place: str) -> None:
        modes.append(os.stat(temporary).st_mode & 0o077)
        link(temporary, place)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(nofollow, "hard_link", linked)
    back_up(paths, ".cuedeck/note")
    assert modes and not any(modes)


def test_failures_are_errors(paths: WorkspacePaths, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        make_folder(paths, "file/below")
    with pytest.raises(StorageError):
        remove_file(paths, ".cuedeck")
    remove_file(paths, "none")
