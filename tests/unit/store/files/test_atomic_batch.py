"""Several files written as one."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.atomic_batch import Write, write_all


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def listed(folder: Path) -> dict[str, str]:
    return {
        path.name: path.read_text()
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def write(root: Path, scratch: Path, **files: str | None) -> None:
    rows = [
        Write(str(root / name), None if text is None else text.encode())
        for name, text in files.items()
    ]
    write_all(rows, str(scratch))


def test_files_are_made_replaced_and_removed(tmp_path: Path, scratch: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o640)
    (tmp_path / "b").write_text("old")
    write(tmp_path, scratch, a="new", b=None, c="new")
    assert listed(tmp_path) == {"a": "new", "c": "new"}
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
    assert list(scratch.iterdir()) == []


def test_a_failure_rolls_back_the_batch(tmp_path: Path, scratch: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").write_text("old")
    with pytest.raises(StorageError) as error:
        write(tmp_path, scratch, a="new", b=None, c="new", none=None)
    assert error.value.hint.startswith("nothing was changed")
    assert listed(tmp_path) == {"a": "old", "b": "old"}
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("reason", ["it is not a regular file", "it is read-only"])
def test_an_unwritable_file_is_found_before_any_write(
    tmp_path: Path, scratch: Path, reason: str
) -> None:
    place = tmp_path / "b"
    if "regular" in reason:
        place.mkdir()
    else:
        place.write_text("old")
        place.chmod(0o444)
    writes = [
        Write(str(tmp_path / "a"), b"new"),
        Write(str(place), b"new", expected=(b"old",)),
    ]
    before = listed(tmp_path)
    with pytest.raises(StorageError, match=reason) as error:
        write_all(writes, str(scratch))
    assert error.value.hint.startswith("nothing was changed")
    assert listed(tmp_path) == before
    assert list(scratch.iterdir()) == []


def test_a_private_file_is_its_owners_alone(tmp_path: Path, scratch: Path) -> None:
    write_all([Write(str(tmp_path / "a"), b"x", private=True)], str(scratch))
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("is_done", [False, True])
def test_an_interruption_rolls_back_the_batch(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch, is_done: bool
) -> None:
    """Ctrl-C at the second file left the first one new and the second one old, and no
    copy of the old one.
    """
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").write_text("old")
    replace, moved = nofollow.replace, []

    def interrupted(new: str, place: str) -> None:
        moved.append(place)
        if len(moved) != 2 or is_done:
            replace(new, place)
        if len(moved) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(nofollow, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, scratch, a="new", b="new", c="new")
    assert listed(tmp_path) == {"a": "old", "b": "old"}
    assert list(scratch.iterdir()) == []


def test_a_failed_rollback_keeps_the_old_content(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy of the old file was removed like any temporary one: it was the only one
    left.
    """
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").write_text("old")
    replace, moved = nofollow.replace, []

    def failing(new: str, place: str) -> None:
        moved.append(place)
        if len(moved) > 2:
            raise OSError(errno.EROFS, "Read-only file system")
        replace(new, place)

    monkeypatch.setattr(nofollow, "replace", failing)
    with pytest.raises(StorageError) as error:
        write(tmp_path, scratch, a="new", c="new", b="new")
    (old,) = scratch.iterdir()
    kept = f"written, and cannot be restored: {tmp_path / 'a'} (as it was: {old});"
    assert error.value.hint.startswith(kept)
    assert listed(tmp_path) == {"a": "new", "b": "old"}
    assert old.read_text() == "old"


def test_a_file_that_another_program_changed_is_not_replaced(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host rewrites its settings at any time; its change was lost."""
    for name in ("a", "b"):
        (tmp_path / name).write_text("old")
    writes = [Write(str(tmp_path / name), b"new", expected=(b"old",)) for name in "ab"]
    replace = nofollow.replace

    def rewriting(source: str, target: str) -> None:
        replace(source, target)
        if target.endswith("/a"):
            (tmp_path / "b").write_text("theirs")

    with monkeypatch.context() as patch:
        patch.setattr(nofollow, "replace", rewriting)
        with pytest.raises(StorageError, match="another program changed") as error:
            write_all(writes, str(scratch))
    assert error.value.hint == "nothing was changed; run the command again"
    assert listed(tmp_path) == {"a": "old", "b": "theirs"}
    assert not list(scratch.iterdir())
