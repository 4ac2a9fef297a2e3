"""Many files are written together, each atomically, and never through a link."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import NewContent
from cuedeck.store.files.write_files import write_files

MANY = 40
"""Files that are made durable by one call where the system has it."""
_TRACE = """
import sys
from cuedeck.store.files.disk import NewContent
from cuedeck.store.files.write_files import write_files

top = sys.argv[1]
files = [NewContent(f"{top}/cards/{n}.md", b"text") for n in range(int(sys.argv[2]))]
events = []

def hook(event, values):
    if event == "ctypes.dlsym":
        events.append(values[1])
    elif event == "os.rename":
        events.append("rename")

sys.addaudithook(hook)
write_files(files, f"{top}/scratch")
print(*events)
"""


def contents(top: Path, number: int, text: str) -> list[NewContent]:
    return [
        NewContent(str(top / f"{each}.md"), f"{text} {each}".encode())
        for each in range(number)
    ]


def written(files: list[NewContent]) -> bool:
    return all(Path(file.place).read_bytes() == file.data for file in files)


@pytest.mark.parametrize("number", [0, 1, MANY])
def test_each_file_has_its_new_content(tmp_path: Path, number: int) -> None:
    scratch = tmp_path / "scratch"
    for text in ("old", "new"):
        files = contents(tmp_path / "cards", number, text)
        write_files(files, str(scratch))
        assert written(files)
    if number:
        assert list(scratch.iterdir()) == []


def test_permissions_stay_and_new_files_are_private(tmp_path: Path) -> None:
    files = contents(tmp_path, MANY, "text")
    known = Path(files[0].place)
    known.write_text("old")
    known.chmod(0o640)
    write_files(files, str(tmp_path / "scratch"))
    assert stat.S_IMODE(known.stat().st_mode) == 0o640
    assert stat.S_IMODE(Path(files[1].place).stat().st_mode) == 0o600


def test_an_unchanged_file_is_not_written(tmp_path: Path) -> None:
    files = contents(tmp_path, MANY, "text")
    write_files(files, str(tmp_path / "scratch"))
    before = os.stat(files[0].place).st_ino
    changed = [files[0], NewContent(files[1].place, b"other")]
    write_files(changed, str(tmp_path / "scratch"))
    assert os.stat(files[0].place).st_ino == before
    assert written(changed)


def test_a_link_is_replaced_and_its_target_stays(tmp_path: Path) -> None:
    files = contents(tmp_path / "cards", MANY, "text")
    target = tmp_path / "target.md"
    target.write_text("of the user")
    (tmp_path / "cards").mkdir()
    Path(files[3].place).symlink_to(target)
    write_files(files, str(tmp_path / "scratch"))
    assert target.read_text() == "of the user"
    assert written(files)
    assert not Path(files[3].place).is_symlink()


def test_a_folder_in_the_place_of_a_file_is_an_error(tmp_path: Path) -> None:
    files = contents(tmp_path / "cards", MANY, "text")
    Path(files[3].place).mkdir(parents=True)
    with pytest.raises(StorageError, match=r"3\.md: it is not a regular file"):
        write_files(files, str(tmp_path / "scratch"))
    assert list((tmp_path / "scratch").iterdir()) == []


def test_the_scratch_folder_may_be_on_another_file_system(tmp_path: Path) -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("needs a second file system")
    files = contents(tmp_path / "cards", MANY, "text")
    with tempfile.TemporaryDirectory(dir=memory) as scratch:
        write_files(files, scratch)
        assert os.listdir(scratch) == []
    assert written(files)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux syncs a file system")
@pytest.mark.parametrize(("number", "is_group"), [(2, False), (MANY, True)])
def test_a_group_is_durable_before_its_first_name_changes(
    tmp_path: Path, number: int, is_group: bool
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _TRACE, str(tmp_path), str(number)],
        capture_output=True,
        text=True,
        check=True,
    )
    events = ran.stdout.split()
    assert events.count("rename") == number
    assert ("syncfs" in events) == is_group
    assert events[0] == ("syncfs" if is_group else "rename")
