"""Files are written whole or not at all."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sandbox import SOURCE

from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import (
    create,
    look_at,
    read_bytes,
    read_generated,
    read_json,
    read_text,
    user_file,
    write_atomic,
    write_if_changed,
    write_through,
)
from cuedeck.store.workspace_paths import WorkspacePaths


def run(
    code: str, *arguments: object, **options: object
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environ = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command, env=environ, capture_output=True, text=True, timeout=20, **options
    )


def test_reads_a_file_and_reports_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x\xff")
    assert read_bytes(str(tmp_path / "a")) == b"x\xff"
    assert read_text(str(tmp_path / "a")) == "x�"
    assert read_bytes(str(tmp_path / "b")) is None
    assert read_bytes(str(tmp_path / "a/b")) is None
    with pytest.raises(StorageError, match="cannot read"):
        read_bytes(str(tmp_path))


def test_a_named_pipe_reads_as_empty_instead_of_waiting_for_a_writer(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_bytes(str(tmp_path / "pipe")) == b""


def test_a_sparse_file_of_terabytes_is_refused(tmp_path: Path) -> None:
    """Its content once ended commands with a MemoryError, or filled the memory of the
    machine.
    """
    place = tmp_path / "active"
    with place.open("wb") as file:
        file.truncate(1 << 42)
    for read in (read_bytes, read_generated):
        with pytest.raises(StorageError, match="bytes are more than 100,000,000"):
            read(str(place))
    assert look_at(str(place)) == b""


def test_keeps_the_permissions_of_the_replaced_file(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.touch(0o600)
    for mode in (0o600, 0o664, 0o755):
        place.chmod(mode)
        write_atomic(str(place), b"new")
        assert stat.S_IMODE(place.stat().st_mode) == mode


def test_writes_only_when_the_bytes_differ(tmp_path: Path) -> None:
    place = str(tmp_path / "a")
    assert write_if_changed(place, b"x", str(tmp_path))
    before = os.stat(place)
    assert not write_if_changed(place, b"x", str(tmp_path))
    assert os.stat(place) == before
    assert write_if_changed(place, b"y", str(tmp_path))


def test_a_link_in_place_of_a_generated_file_is_replaced_and_never_written_through(
    tmp_path: Path,
) -> None:
    (tmp_path / "precious").write_text("x")
    (tmp_path / "scene").symlink_to("precious")
    assert write_if_changed(str(tmp_path / "scene"), b"x", str(tmp_path))
    assert not (tmp_path / "scene").is_symlink()
    assert stat.S_IMODE((tmp_path / "scene").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "precious").stat().st_mode
    )
    write_if_changed(str(tmp_path / "scene"), b"y", str(tmp_path))
    assert (tmp_path / "precious").read_text() == "x"


def test_an_output_path_in_the_workspace_stays_in_it(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (tmp_path / "victim").write_text("kept")
    (root / "docs/out").symlink_to(tmp_path / "victim")
    (root / "linked").symlink_to(tmp_path)
    (tmp_path / "other way").symlink_to(root)
    for name in ("root/docs/out", "root/linked/victim", "other way/docs/out"):
        with pytest.raises(StorageError, match="leaves the workspace"):
            write_through(str(tmp_path / name), b"new", str(root))
    assert (tmp_path / "victim").read_text() == "kept"
    write_through(str(tmp_path / "victim"), b"new", str(root))
    assert (tmp_path / "victim").read_text() == "new"


def test_a_file_of_a_user_may_be_a_link_that_stays_in_the_workspace(
    tmp_path: Path,
) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "victim").write_text("kept")
    workspace = WorkspacePaths(str(tmp_path / "root"))
    (tmp_path / "root/AGENTS.md").write_text("")
    (tmp_path / "root/CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "root/out.md").symlink_to("../victim")
    assert user_file(workspace.root, "CLAUDE.md") == str(tmp_path / "root/AGENTS.md")
    with pytest.raises(
        StorageError,
        match=r"cannot write out\.md: out\.md is a symbolic link that leaves",
    ) as error:
        user_file(workspace.root, "out.md")
    assert "nothing was changed" in error.value.hint


def test_a_linked_generated_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"a": 1}')
    (tmp_path / "link").symlink_to("secret")
    (tmp_path / "deep").write_text("[" * 100_000)
    with pytest.raises(StorageError, match="link is a symbolic link") as error:
        read_generated(str(tmp_path / "link"))
    assert error.value.hint.startswith("remove the link")
    assert [
        read_json(str(tmp_path / name)) for name in ("link", "deep", "none", "secret")
    ] == [None, None, None, {"a": 1}]


def test_a_pipe_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    """A device replaced by a file harms the whole system; the test writes to a pipe
    instead, directly and through a link.
    """
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        with pytest.raises(StorageError, match="not a regular file"):
            write_atomic(str(tmp_path / "pipe"), b"new")
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        write_through(str(tmp_path / name), b"new")
        assert os.read(reader, 10) == b"new"
        os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert (tmp_path / "link").is_symlink()


def test_falls_back_to_its_own_folder_when_the_scratch_folder_cannot_be_used(
    tmp_path: Path,
) -> None:
    (tmp_path / "scratch").write_text("a file")
    write_atomic(str(tmp_path / "a"), b"x", str(tmp_path / "scratch"))
    assert create(str(tmp_path / "b"), b"x", str(tmp_path / "scratch"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "scratch"]


def test_a_scratch_folder_of_another_file_system_will_do(tmp_path: Path) -> None:
    shared = Path("/dev/shm")
    if not shared.is_dir() or shared.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("no second file system")
    scratch = shared / f"cuedeck-{os.getpid()}"
    try:
        write_atomic(str(tmp_path / "a"), b"x", str(scratch))
        assert create(str(tmp_path / "b"), b"x", str(scratch))
        assert list(scratch.iterdir()) == []
    finally:
        scratch.rmdir()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == b"x"


def test_create_never_changes_existing_files(tmp_path: Path) -> None:
    place = tmp_path / "a"
    assert create(str(place), b"one")
    assert not create(str(place), b"two")
    assert place.read_bytes() == b"one"
    (tmp_path / "dead").symlink_to("nowhere")
    assert not create(str(tmp_path / "dead"), b"three")
    assert not (tmp_path / "nowhere").exists()


def test_create_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert create(str(tmp_path / "a"), b"one")
    assert not create(str(tmp_path / "a"), b"two")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"one"


FILL = """
import resource, signal, sys
from cuedeck.store.files.disk import create, write_atomic
from cuedeck.model.errors import StorageError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
for act, name in ((write_atomic, "old"), (create, "new")):
    try:
        act(sys.argv[1] + "/" + name, b"x" * 10_000, sys.argv[2])
    except StorageError as error:
        print(error.message, "|", error.hint)
"""


@pytest.mark.parametrize("scratch", ["", "scratch"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, scratch: str
) -> None:
    (tmp_path / "old").write_text("old")
    ran = run(FILL, tmp_path, tmp_path / scratch if scratch else "")
    assert ran.stdout.count("File too large") == 2, ran
    assert "the old file is untouched" in ran.stdout
    assert (tmp_path / "old").read_text() == "old"
    assert {path.name for path in tmp_path.rglob("*")} <= {"old", "scratch"}


KILLED = """
import os, signal, sys
from cuedeck.store.files import disk, nofollow
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
nofollow.replace = nofollow.hard_link = die
getattr(disk, sys.argv[2])(sys.argv[1], b"new")
"""


@pytest.mark.parametrize("act", ["write_atomic", "create"])
def test_a_process_killed_in_the_middle_leaves_the_old_state(
    tmp_path: Path, act: str
) -> None:
    place = tmp_path / "a"
    if act == "write_atomic":
        place.write_text("old")
    assert run(KILLED, place, act).returncode == -signal.SIGKILL
    assert (place.read_text() == "old") if act == "write_atomic" else not place.exists()


def test_an_interruption_in_the_middle_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(str(tmp_path / "a"), b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "old"


READ_ONLY = """
import os, sys
from cuedeck.store.files.disk import create, write_atomic
from cuedeck.model.errors import StorageError
if os.geteuid() == 0:  # to root nothing is read-only
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for act, name in ((write_atomic, "./old"), (create, "./new")):
    try:
        act(name, b"x")
    except StorageError as error:
        print(error.message)
"""


def test_a_read_only_folder_gives_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    tmp_path.chmod(0o555)
    ran = run(READ_ONLY, cwd=tmp_path)
    tmp_path.chmod(0o755)
    assert ran.stdout.count("Permission denied") == 2, ran
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
