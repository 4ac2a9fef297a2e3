"""No operation on a file follows a symbolic link, in any component of its path."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sandbox import SOURCE

from cuedeck.store.files import nofollow
from cuedeck.store.files.nofollow import LinkRefused

CREATE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def write(place: str) -> None:
    os.close(nofollow.open_file(place, CREATE))


def replace(place: str) -> None:
    source = Path(place).parents[1] / "source"
    source.write_text("new")
    nofollow.replace(str(source), place)


def add_name(place: str) -> None:
    source = Path(place).parents[1] / "source"
    source.write_text("new")
    nofollow.hard_link(str(source), f"{place}.second")


OPERATIONS: dict[str, Callable[[str], object]] = {
    "write": write,
    "append": lambda place: os.close(
        nofollow.open_file(place, os.O_WRONLY | os.O_APPEND)
    ),
    "read": nofollow.read_file,
    "replace": replace,
    "rename away": lambda place: nofollow.replace(place, f"{place}.aside"),
    "link": add_name,
    "unlink": nofollow.unlink,
    "touch": nofollow.touch,
    "make folder": lambda place: nofollow.make_folder(f"{place}.d"),
    "remove tree": lambda place: nofollow.remove_tree(
        os.path.join(os.path.dirname(place), "inner")
    ),
    "remove folder": lambda place: nofollow.remove_folder(
        os.path.join(os.path.dirname(place), "empty")
    ),
    "scan": lambda place: nofollow.scan_folder(os.path.dirname(place)),
    "list": lambda place: nofollow.list_folder(os.path.dirname(place)),
    "status": nofollow.status,
    "check": nofollow.check,
    "database": nofollow.check_database,
}


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    folder = tmp_path / "victim"
    (folder / "inner").mkdir(parents=True)
    (folder / "empty").mkdir()
    (folder / "inner/file").write_text("kept")
    (folder / "file").write_text("kept")
    os.utime(folder / "file", (1, 1))
    return folder


def contents(folder: Path) -> dict[str, object]:
    return {
        str(path.relative_to(folder)): (path.read_text(), path.stat().st_mtime)
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


def relative(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    if how == "lstat":
        monkeypatch.setattr(nofollow, "_RELATIVE", False)


@pytest.mark.parametrize("how", ["dir_fd", "lstat"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_linked_folder_is_refused(
    victim: Path,
    operation: str,
    how: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    relative(monkeypatch, how)
    before = contents(victim)
    (tmp_path / "root").mkdir()
    (tmp_path / "root/linked").symlink_to(victim)
    with pytest.raises(LinkRefused, match="root/linked is a symbolic link"):
        OPERATIONS[operation](str(tmp_path / "root/linked/file"))
    assert contents(victim) == before


@pytest.mark.parametrize("how", ["dir_fd", "lstat"])
@pytest.mark.parametrize("operation", ["write", "append", "read", "check", "database"])
def test_a_linked_file_is_refused(
    victim: Path,
    operation: str,
    how: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    relative(monkeypatch, how)
    before = contents(victim)
    (tmp_path / "link").symlink_to(victim / "file")
    with pytest.raises(LinkRefused, match="link is a symbolic link"):
        OPERATIONS[operation](str(tmp_path / "link"))
    assert contents(victim) == before


@pytest.mark.parametrize("how", ["dir_fd", "lstat"])
def test_replacing_or_removing_a_link_keeps_its_target(
    victim: Path, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    relative(monkeypatch, how)
    before = contents(victim)
    link = tmp_path / "root/link"
    link.parent.mkdir()
    link.symlink_to(victim / "file")
    replace(str(link))
    assert link.read_text() == "new"
    assert not link.is_symlink()
    link.unlink()
    link.symlink_to(victim)
    with pytest.raises(OSError, match=r"[Ss]ymbolic link|Not a directory"):
        nofollow.remove_tree(str(link))
    nofollow.unlink(str(link))
    (tmp_path / "root/tree").mkdir()
    (tmp_path / "root/tree/link").symlink_to(victim)
    nofollow.remove_tree(str(tmp_path / "root/tree"))
    assert contents(victim) == before
    assert not any((tmp_path / "root/tree").parent.glob("*ree*"))


def test_dangling_links_create_nothing(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for place in ("link", "link/file"):
        with pytest.raises(LinkRefused):
            write(str(tmp_path / place))
    with pytest.raises(LinkRefused):
        nofollow.make_folder(str(tmp_path / "link/folder"))
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_each_file_of_a_database_is_checked(
    victim: Path, ending: str, tmp_path: Path
) -> None:
    (tmp_path / f"index.sqlite{ending}").symlink_to(victim / "file")
    with pytest.raises(LinkRefused):
        nofollow.check_database(str(tmp_path / "index.sqlite"))


@pytest.mark.parametrize("how", ["dir_fd", "lstat"])
def test_plain_files_and_folders_work(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    relative(monkeypatch, how)
    deep = str(tmp_path / "a/b/../b/c")
    nofollow.make_folder(deep)
    nofollow.make_folder(deep)
    place = os.path.join(deep, "file")
    with open(place, "wb", opener=nofollow.opener) as file:
        file.write(b"one")
    assert stat.S_IMODE(os.stat(place).st_mode) == 0o600
    assert nofollow.read_file(place) == b"one"
    nofollow.hard_link(place, f"{place}.2")
    nofollow.replace(f"{place}.2", f"{place}.3")
    os.utime(place, (1, 1))
    nofollow.touch(place)
    assert nofollow.status(place).st_mtime > 1
    nofollow.sync_folder(deep)
    nofollow.check(place)
    assert nofollow.list_folder(deep) == ["file", "file.3"]
    nofollow.unlink(f"{place}.3")
    with pytest.raises(FileNotFoundError):
        nofollow.unlink(f"{place}.3")
    with pytest.raises(NotADirectoryError):
        write(f"{place}/below")
    nofollow.remove_tree(str(tmp_path / "a/b"))
    nofollow.remove_folder(str(tmp_path / "a"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
@pytest.mark.parametrize("operation", sorted(OPERATIONS.keys() - {"database"}))
@pytest.mark.parametrize("how", ["dir_fd", "lstat"])
def test_a_name_that_no_file_can_have_is_a_missing_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, operation: str, how: str
) -> None:
    relative(monkeypatch, how)
    (tmp_path / "a").write_text("kept")
    before = contents(tmp_path)
    with pytest.raises(FileNotFoundError):
        OPERATIONS[operation](str(tmp_path / name / "file"))
    assert {
        path: found
        for path, found in contents(tmp_path).items()
        if not path.startswith("source")
    } == before


def test_a_user_file_may_link_to_a_file_of_the_workspace_alone(
    victim: Path, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    (root / ".git/hooks").mkdir(parents=True)
    (root / "docs").mkdir()
    (root / "AGENTS.md").write_text("")
    links = {
        "same": "AGENTS.md",
        "folder": "docs",
        "out": victim / "file",
        "git": ".git/hooks/x",
        "lost": "docs/lost",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    assert nofollow.follow_inside(str(root), str(root / "same")) == str(
        root / "AGENTS.md"
    )
    assert nofollow.follow_inside(str(root), str(root / "folder/new.md")) == str(
        root / "docs/new.md"
    )
    assert nofollow.follow_inside(str(root), str(root / "plain/new.md")) == str(
        root / "plain/new.md"
    )
    for name, words in (
        ("out", "leaves"),
        ("git", "folder of git"),
        ("lost", "nowhere"),
        ("folder/../../x", "leaves"),
    ):
        with pytest.raises(LinkRefused, match=words):
            nofollow.follow_inside(str(root), str(root / name))


def test_no_descriptor_stays_open_and_no_module_is_loaded_for_it(
    tmp_path: Path,
) -> None:
    code = """
import os, sys
before = set(sys.modules)
from cuedeck.store.files import nofollow
print(sorted(set(sys.modules) - before))
(link, root), count = sys.argv[1:], len(os.listdir("/dev/fd"))
os.symlink("/", link)
for place in (link, f"{link}/x", f"{root}/missing/x", f"{root}/new"):
    for act in (nofollow.read_file, nofollow.unlink, nofollow.list_folder, nofollow.touch):
        try: act(place)
        except OSError: pass
nofollow.make_folder(f"{root}/a/b")
print(len(os.listdir("/dev/fd")) - count)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "link"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    loaded = [
        "__future__",
        "cuedeck",
        "cuedeck.store",
        "cuedeck.store.files",
        "cuedeck.store.files.nofollow",
        "errno",
    ]
    assert ran.stdout == f"{loaded}\n0\n"


def test_a_deleted_workspace_is_not_created_as_a_parent(tmp_path: Path) -> None:
    for folder in (".cuedeck", ".cuedeck/cache/x"):
        with pytest.raises(FileNotFoundError):
            nofollow.make_folder(str(tmp_path / folder))
    assert not (tmp_path / ".cuedeck").exists()
    nofollow.make_folder(str(tmp_path / ".cuedeck"), is_new_workspace=True)
    nofollow.make_folder(str(tmp_path / ".cuedeck/cache/x"))
    assert (tmp_path / ".cuedeck/cache/x").is_dir()
