"""The cortex tree reads and writes below its folder only, and lists in one order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.model.cortex_address import CortexAddress, parse_cortex_address
from cuedeck.model.errors import Invalid, NotFound, StorageError, TooLong
from cuedeck.store.cortex import cortex_tree
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.workspace_paths import WorkspacePaths

FOLDER = parse_cortex_address("cortex://user/default/preferences")
EDITOR = FOLDER.child("editor.md")
ROOT = Path(".cuedeck/cortex")
_CREATE = """
import sys
from cuedeck.model.cortex_address import parse_cortex_address
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.workspace_paths import WorkspacePaths

tree = CortexTree(WorkspacePaths(sys.argv[1]))
folder = parse_cortex_address("cortex://resources/shared")
for number in range(60):
    with tree.writing() as writer:
        made = writer.create(folder.child(f"{number}.md"), sys.argv[2].encode())
    print(int(made))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ROOT).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def tree(root: Path) -> CortexTree:
    return CortexTree(WorkspacePaths(str(root)))


def place(root: Path, address: CortexAddress) -> Path:
    return root / address.path


def write(tree: CortexTree, address: CortexAddress, data: bytes) -> bool:
    with tree.writing() as writer:
        return writer.write(address, data)


def names(tree: CortexTree, folder: CortexAddress | None) -> list[str]:
    return [entry.name for entry in tree.entries(folder)]


def test_a_written_file_is_read_back(tree: CortexTree, root: Path) -> None:
    assert tree.kind_of(EDITOR) == ""
    assert write(tree, EDITOR, b"vim\n")
    assert not write(tree, EDITOR, b"vim\n")
    assert write(tree, EDITOR, b"emacs\n")
    assert tree.read(EDITOR) == b"emacs\n"
    assert (tree.kind_of(EDITOR), tree.kind_of(FOLDER)) == ("file", "folder")
    if os.name == "posix":
        assert place(root, EDITOR).stat().st_mode & 0o777 == 0o600


def test_create_never_overwrites(tree: CortexTree) -> None:
    with tree.writing() as writer:
        assert writer.create(EDITOR, b"one")
        assert not writer.create(EDITOR, b"two")
    assert tree.read(EDITOR) == b"one"


def test_a_missing_file_and_a_folder_are_not_read(tree: CortexTree) -> None:
    with pytest.raises(NotFound, match=r"cortex://user/default/preferences/editor\.md"):
        tree.read(EDITOR)
    write(tree, EDITOR, b"vim")
    with pytest.raises(Invalid, match="is a folder"):
        tree.read(FOLDER)
    with pytest.raises(NotFound):
        tree.read(EDITOR.child("below-a-file.md"))
    assert tree.kind_of(EDITOR.child("below-a-file.md")) == ""


def test_entries_are_sorted_by_their_bytes(tree: CortexTree, root: Path) -> None:
    folder = place(root, FOLDER)
    folder.mkdir(parents=True)
    for name in ("b.md", "a.md", "Z.md", "é.md", "\U0001f600.md", "\uffee.md", "10.md"):
        (folder / name).write_text(name)
    (folder / "a").mkdir()
    found = names(tree, FOLDER)
    assert found == sorted(found, key=str.encode)
    assert len(found) == 8
    entry = next(each for each in tree.entries(FOLDER) if each.name == "é.md")
    status = (folder / "é.md").stat()
    times = (status.st_mtime_ns, status.st_ctime_ns)
    assert entry == (FOLDER.child("é.md"), False, status.st_size, *times)


def test_names_that_no_address_names_are_strays(tree: CortexTree, root: Path) -> None:
    folder = place(root, FOLDER)
    folder.mkdir(parents=True)
    for name in ("ok.md", ".abstract.md", "nul.md", "a:b.md", "a\\b.md", "e\u0301.md"):
        (folder / name).write_text("x")
    (folder / "out.md").symlink_to(root / "secret")
    os.mkfifo(folder / "pipe.md")
    Path(os.fsdecode(os.fsencode(folder) + b"/bad\xff.md")).write_text("x")
    (root / ROOT / "users").mkdir()
    (root / ROOT / "user/default/notes.md").write_text("x")
    assert names(tree, FOLDER) == ["ok.md"]
    assert tree.strays(FOLDER) == {
        "a:b.md": "bad_segment",
        "a\\b.md": "bad_segment",
        "bad?.md": "bad_segment",
        "e\u0301.md": "bad_segment",
        "nul.md": "reserved_name",
        "out.md": "link",
        "pipe.md": "not_a_file",
    }
    assert tree.strays(None) == {"users": "bad_dimension"}
    assert tree.strays(parse_cortex_address("user/default")) == {
        "notes.md": "bad_category"
    }
    with pytest.raises(StorageError, match="not a file"):
        tree.read(FOLDER.child("pipe.md"))


def test_walk_visits_folders_in_order(tree: CortexTree) -> None:
    for name in ("resources/b/x.md", "resources/a/deep/x.md", "agent/one/cases/x.md"):
        write(tree, parse_cortex_address(name), b"x")
    found = [folder.text if folder else "" for folder, _ in tree.walk(None)]
    assert found == [
        "",
        "cortex://agent",
        "cortex://agent/one",
        "cortex://agent/one/cases",
        "cortex://resources",
        "cortex://resources/a",
        "cortex://resources/a/deep",
        "cortex://resources/b",
    ]


def test_a_link_in_any_component_is_refused(tree: CortexTree, root: Path) -> None:
    outside = root / "outside"
    (outside / "preferences").mkdir(parents=True)
    (outside / "preferences/editor.md").write_text("private")
    (root / ROOT / "user").mkdir()
    link = root / ROOT / "user/default"
    link.symlink_to(outside, target_is_directory=True)
    assert tree.kind_of(EDITOR) == ""
    assert names(tree, parse_cortex_address("user")) == []
    with pytest.raises(StorageError, match="symbolic link"):
        tree.read(EDITOR)
    with pytest.raises(StorageError, match="symbolic link"):
        tree.entries(FOLDER)
    with tree.writing() as writer:
        for act in (
            lambda: writer.write(EDITOR, b"x"),
            lambda: writer.create(FOLDER.child("new.md"), b"x"),
            lambda: writer.remove(EDITOR),
            lambda: writer.write_reserved(FOLDER, ".abstract.md", b"x"),
        ):
            with pytest.raises(StorageError, match="symbolic link"):
                act()
        assert writer.remove(parse_cortex_address("user/default"))
    assert not link.is_symlink()
    assert (outside / "preferences/editor.md").read_text() == "private"
    assert sorted(each.name for each in (outside / "preferences").iterdir()) == [
        "editor.md"
    ]


def test_a_link_in_the_place_of_a_file_is_not_followed(
    tree: CortexTree, root: Path
) -> None:
    (root / "secret").write_text("private")
    place(root, FOLDER).mkdir(parents=True)
    place(root, EDITOR).symlink_to(root / "secret")
    with pytest.raises(StorageError, match="link"):
        tree.read(EDITOR)
    with tree.writing() as writer:
        assert not writer.create(EDITOR, b"x")
        assert writer.write(EDITOR, b"new")
    assert not place(root, EDITOR).is_symlink()
    assert (root / "secret").read_text() == "private"


def test_a_tree_swapped_for_a_link_is_refused(tree: CortexTree, root: Path) -> None:
    write(tree, EDITOR, b"vim")
    (root / ROOT).rename(root / "elsewhere")
    (root / ROOT).symlink_to(root / "elsewhere", target_is_directory=True)
    with pytest.raises(StorageError, match="symbolic link"):
        tree.read(EDITOR)
    with tree.writing() as writer, pytest.raises(StorageError, match="symbolic link"):
        writer.write(EDITOR, b"emacs")
    assert (root / "elsewhere/user/default/preferences/editor.md").read_text() == "vim"


def test_the_longest_name_is_written(tree: CortexTree) -> None:
    for name in ("a" * 237 + ".md", "é" * 118 + ".md", "\U0001f600" * 59 + ".md"):
        with tree.writing() as writer:
            assert writer.create(FOLDER.child(name), b"x")
            assert writer.write(FOLDER.child(name), b"y")
            assert writer.write_reserved(FOLDER, f".layers/{name}.l0.md", b"z")
        assert tree.read_reserved(FOLDER, f".layers/{name}.l0.md") == b"z"


def test_a_large_file_is_neither_written_nor_read(
    tree: CortexTree, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(root, FOLDER).mkdir(parents=True)
    with open(place(root, EDITOR), "wb") as file:
        file.truncate(cortex_tree.MAX_FILE_BYTES + 1)
    with pytest.raises(StorageError, match="more than 64,000,000"):
        tree.read(EDITOR)
    monkeypatch.setattr(cortex_tree, "MAX_FILE_BYTES", 10)
    with tree.writing() as writer, pytest.raises(TooLong, match="more than 10"):
        writer.write(EDITOR, b"x" * 11)


def test_reserved_files_stay_in_their_folder(tree: CortexTree, root: Path) -> None:
    with tree.writing() as writer:
        assert writer.write_reserved(FOLDER, ".abstract.md", b"short")
        assert not writer.write_reserved(FOLDER, ".abstract.md", b"short")
        for name in ("../x", ".a/../../x", "a.md", ".", "..", ".a//b", ".a\0", "", "/"):
            with pytest.raises(Invalid, match="reserved"):
                writer.write_reserved(FOLDER, name, b"x")
        assert tree.read_reserved(FOLDER, ".abstract.md") == b"short"
        assert names(tree, FOLDER) == []
    assert tree.read_reserved(FOLDER, ".overview.md") is None


def test_remove_takes_files_and_folders(tree: CortexTree, root: Path) -> None:
    write(tree, EDITOR, b"vim")
    write(tree, FOLDER.child("theme.md"), b"dark")
    with tree.writing() as writer:
        assert writer.remove(EDITOR)
        assert not writer.remove(EDITOR)
        assert writer.remove(FOLDER)
        assert not writer.remove(FOLDER)
    assert not place(root, FOLDER).exists()


def test_two_processes_create_each_file_once(sandbox: Sandbox) -> None:
    (sandbox.root / ROOT).mkdir(parents=True, exist_ok=True)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _CREATE, str(sandbox.root), text],
            env=sandbox.environ,
            stdout=subprocess.PIPE,
        )
        for text in ("a", "b")
    ]
    outputs = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    made = [[int(line) for line in output] for output in outputs]
    assert [one + other for one, other in zip(*made, strict=True)] == [1] * 60
