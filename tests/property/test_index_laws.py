"""An updated index equals an index built from nothing. Random edits of real files are
each followed by an update: of the whole tree, or of the paths that a watcher would
report. Every table is compared with that of a new index.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sandbox import Sandbox

from cuedeck.model.settings_schema import SecretSettings
from cuedeck.parse.secrets.find_secrets import SecretSearch
from cuedeck.store.files.ignore_state import OwnRules
from cuedeck.store.files.tree import Tree
from cuedeck.store.index import Index
from cuedeck.store.workspace_paths import WorkspacePaths

FOLDERS = (
    "",
    "sub",
    "sub/deep",
    "build",
    ".cuedeck/cards",
    ".cuedeck/docs",
    "sub/a.md",
)
NAMES = (
    "a.md", "b.md", "c.py", "build", "sub", "x y'\".md", "new\nline.md", "é.md", "e\u0301.md", "out.log",
)  # fmt: skip
RULE_FILES = (
    ".gitignore", ".ignore", ".cuedeckignore", "sub/.gitignore", "../.git/info/exclude", "../.gitignore",
)  # fmt: skip
OF_REPOSITORY = ("../.git/info", "../.git/objects", "../.git/refs")
"""Folders that make the folder above a repository for git. `git init` would take longer
than an example.
"""
PATHS = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(NAMES)).map(
    lambda parts: "/".join(filter(None, parts))
)
TEXTS = st.sampled_from([
    b"", b"# A\n", b"# B\n", b"[a](a.md)\n", b"---\ntitle: T\n---\n", b"---\ntitle: [\n---\n", b"\0", b"\xff\n",
])  # fmt: skip
RULE_LINES = st.sampled_from([
    "*.md", "!a.md", "build/", "build", "sub/", "*", "!*/", "/sub/deep", "deep/", "*.log", "!b.md",
])  # fmt: skip
RULES = st.lists(RULE_LINES, max_size=3).map(lambda lines: "\n".join(lines) + "\n")


class Edit(NamedTuple):
    """One change of the tree; `do` returns the paths that a watcher would report."""

    name: str
    arguments: tuple[Any, ...]

    def do(self, root: Path) -> set[str]:
        act: Callable[..., set[str]] = globals()[f"do_{self.name}"]
        before = self._real(root)
        try:
            named = act(root, *self.arguments)
        except OSError:
            # A folder is missing or in the way: nothing or only a part was done.
            path = self.arguments[0]
            named = {path, f"{path}~", *above(path)}
        return named | before | self._real(root)

    def _real(self, root: Path) -> set[str]:
        """Return the real paths of the arguments: a write through a link
        happens there.
        """
        paths = {
            argument
            for argument in self.arguments[:2]
            if isinstance(argument, str) and "\n" not in argument[-1:]
        }
        real = (os.path.relpath(os.path.realpath(root / path), root) for path in paths)
        return {path for path in real if not path.startswith("..") and path != "."}


def do_write(root: Path, path: str, content: bytes) -> set[str]:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(content)
    # The system names the highest new folder, perhaps more.
    return {path, *above(path)}


def do_write_same_size(root: Path, path: str, letter: bytes) -> set[str]:
    """Write within one clock tick and restore the old time."""
    place = root / path
    before = place.stat()
    place.write_bytes(letter * before.st_size)
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    return {path}


def do_replace(root: Path, path: str, content: bytes) -> set[str]:
    """Write a temporary file and rename it, as editors do."""
    other = root / (path + "~")
    other.write_bytes(content)
    other.replace(root / path)
    return {path, path + "~"}


def do_delete(root: Path, path: str) -> set[str]:
    place = root / path
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink()
    return {path}


def do_move(root: Path, path: str, target: str) -> set[str]:
    (root / path).rename(root / target)
    return {path, target}


def do_swap(root: Path, path: str, content: bytes) -> set[str]:
    """Replace a folder by a file, or a file by a folder."""
    place = root / path
    if place.is_dir():
        shutil.rmtree(place)
        place.write_bytes(content)
        return {path}
    place.unlink()
    place.mkdir()
    (place / "a.md").write_bytes(content)
    return {path, path + "/a.md"}


def do_link(root: Path, path: str, target: str) -> set[str]:
    (root / path).symlink_to(os.path.relpath(root / target, (root / path).parent))
    return {path}


def do_touch(root: Path, path: str) -> set[str]:
    (root / path).touch()
    return {path}


def do_rules(root: Path, path: str, text: str) -> set[str]:
    if path.startswith("sub/"):
        (root / "sub").mkdir(exist_ok=True)
    (root / path).write_text(text)
    # No watcher reports files above the workspace; their changes are noticed with the
    # next change inside.
    return {".gitignore" if path.startswith("..") else path, *above(path)}


def do_settings(root: Path, text: str) -> set[str]:
    (root / ".cuedeck/config.toml").write_text(text)
    return {".cuedeck/config.toml"}


def do_odd_name(root: Path, path: str) -> set[str]:
    place = os.path.join(os.fsencode(root / path), b"caf\xe9.md")
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb"):
        return {path, *above(path), "caf\ufffd.md"}


def do_track(root: Path, path: str) -> set[str]:
    return update_git_index(root, f"100644 {'1' * 40} 0\twork/{path}")


def do_untrack(root: Path, path: str) -> set[str]:
    return update_git_index(root, f"0 {'0' * 40} 0\twork/{path}")


def update_git_index(root: Path, row: str) -> set[str]:
    """Track or untrack a path with git if no other path of the index conflicts; no
    watcher reports the change.
    """
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_")
    }
    command = ["git", "update-index", "-z", "--index-info"]
    subprocess.run(
        command, cwd=root, env=environ, input=row.encode() + b"\0", capture_output=True
    )
    return set()


def above(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        if not path.startswith(".."):
            yield path


EDITS = st.one_of(
    st.tuples(st.just("write"), st.tuples(PATHS, TEXTS)),
    st.tuples(
        st.just("write_same_size"), st.tuples(PATHS, st.sampled_from([b"x", b"#"]))
    ),
    st.tuples(st.just("replace"), st.tuples(PATHS, TEXTS)),
    st.tuples(st.just("delete"), st.tuples(PATHS)),
    st.tuples(
        st.just("delete"), st.tuples(st.sampled_from([*RULE_FILES[:4], "sub", "build"]))
    ),
    st.tuples(st.just("move"), st.tuples(PATHS, PATHS)),
    st.tuples(st.just("swap"), st.tuples(PATHS, TEXTS)),
    st.tuples(
        st.just("link"), st.tuples(PATHS, st.one_of(PATHS, st.just("../outside.md")))
    ),
    st.tuples(st.just("touch"), st.tuples(PATHS)),
    st.tuples(st.just("rules"), st.tuples(st.sampled_from(RULE_FILES), RULES)),
    st.tuples(st.just("settings"), st.tuples(RULES)),
    st.tuples(st.just("odd_name"), st.tuples(st.sampled_from(FOLDERS))),
).map(lambda pair: Edit(*pair))
INITIAL_FILES = (
    "a.md",
    "sub/b.md",
    "sub/deep/c.py",
    "build/a.md",
    ".cuedeck/cards/a.md",
)
GIT_EDITS = st.one_of(
    st.tuples(
        st.just("track"), st.tuples(st.one_of(st.sampled_from(INITIAL_FILES), PATHS))
    ),
    st.tuples(st.just("untrack"), st.tuples(st.sampled_from(INITIAL_FILES))),
    st.tuples(st.just("rules"), st.tuples(st.sampled_from(RULE_FILES), RULES)),
).map(lambda pair: Edit(*pair))


def open_tree_at(root: Path, place: str = "") -> Tree:
    def source() -> bytes:
        config = root / ".cuedeck/config.toml"
        return config.read_bytes() if config.exists() else b""

    own = OwnRules(source, lambda: source().decode().split("\n"))
    search = SecretSearch(SecretSettings())
    return Tree(WorkspacePaths(str(root)), Index(place), own, lambda: search)


def dump(index: Index) -> dict[str, list[Any]]:
    """Return the content of the index without times and inode numbers."""
    queries = {
        "nodes": "SELECT path, kind, status, troubled, data, sum FROM nodes ORDER BY path",
        "names": "SELECT key, path FROM names ORDER BY key, path",
        "prints": "SELECT path, size, hash FROM prints ORDER BY path",
        "documents": "SELECT path, length, names, terms, sum FROM documents ORDER BY path",
        "special": "SELECT value FROM meta WHERE key = 'special' AND value <> ''",
        "problems": "SELECT path, code, message FROM problems ORDER BY path, code, message",
    }
    return {
        name: index.database.execute(query).fetchall()
        for name, query in queries.items()
    }


def new_index(root: Path) -> dict[str, list[Any]]:
    tree = open_tree_at(root)
    tree.refresh()
    found = dump(tree.index)
    tree.index.close()
    return found


def new_root(base: Path) -> Path:
    shutil.rmtree(base / "above", ignore_errors=True)
    root = base / "above/work"
    for folder in (
        ".cuedeck/cards",
        ".cuedeck/docs",
        "sub/deep",
        "build",
        *OF_REPOSITORY,
    ):
        (root / folder).mkdir(parents=True)
    (base / "above/outside.md").touch()
    (base / "above/.git/HEAD").write_text("ref: refs/heads/main\n")
    for path in INITIAL_FILES:
        (root / path).write_text(f"# {path}\n")
    return root


@pytest.mark.parametrize("by_paths", [False, True], ids=["whole tree", "named paths"])
@settings(max_examples=20, deadline=None)
@given(
    bursts=st.lists(st.lists(EDITS, min_size=1, max_size=3), min_size=1, max_size=10)
)
def test_updated_index_equals_a_new_index(
    base: Path, by_paths: bool, bursts: list[list[Edit]]
) -> None:
    check_updates(base, by_paths, bursts)


@settings(max_examples=15, deadline=None)
@given(
    by_paths=st.booleans(),
    bursts=st.lists(
        st.lists(st.one_of(GIT_EDITS, GIT_EDITS, EDITS), min_size=1, max_size=3),
        min_size=1,
        max_size=6,
    ),
)
def test_updated_index_equals_a_new_index_whatever_git_tracks(
    base: Path, by_paths: bool, bursts: list[list[Edit]]
) -> None:
    check_updates(base, by_paths, bursts)


def check_updates(base: Path, by_paths: bool, bursts: list[list[Edit]]) -> None:
    """Make bursts of edits and compare the index after each burst."""
    root = new_root(base)
    tree = open_tree_at(root, str(base / "above/index.sqlite"))
    tree.refresh()
    for burst in bursts:
        named = {path for edit in burst for path in edit.do(root)}
        if by_paths:
            tree.refresh_paths(named)
        else:
            tree.refresh()
        assert dump(tree.index) == new_index(root)
    tree.index.close()


@settings(max_examples=15, deadline=None)
@given(
    edits=st.lists(EDITS, min_size=1, max_size=12),
    turns=st.lists(st.integers(0, 2), min_size=12, max_size=12),
)
def test_processes_that_take_turns_agree(
    base: Path, edits: list[Edit], turns: list[int]
) -> None:
    """Each process knows an older state than the index, which the others have
    updated.
    """
    root = new_root(base)
    place = str(base / "above/index.sqlite")
    trees = [open_tree_at(root, place) for _ in range(3)]
    for edit, turn in zip(edits, turns, strict=False):
        named = edit.do(root)
        tree = trees[turn]
        if turn:
            tree.refresh_paths(named)
        else:
            tree.refresh()
        assert dump(tree.index) == new_index(root)
    for tree in trees:
        tree.index.close()


@settings(max_examples=15, deadline=None)
@given(edits=st.lists(EDITS, min_size=1, max_size=8))
def test_refresh_returns_exactly_the_changed_paths(
    base: Path, edits: list[Edit]
) -> None:
    root = new_root(base)
    tree = open_tree_at(root)
    tree.refresh()
    for edit in edits:
        before = dict(hashes(tree.index))
        changed = tree.refresh_paths(edit.do(root))
        after = dict(hashes(tree.index))
        assert set(changed.gone) == before.keys() - after.keys()
        assert set(changed.written) == {
            path for path, hash_ in after.items() if before.get(path) != hash_
        }
    tree.index.close()


def hashes(index: Index) -> list[tuple[str, str]]:
    return index.database.execute("SELECT path, hash FROM prints").fetchall()


def test_update_of_many_files_at_once_equals_a_new_index(sandbox: Sandbox) -> None:
    """A burst of too many paths to check one by one, as after a checkout."""
    tree = sandbox.workspace().tree
    for number in range(400):
        sandbox.write(f"docs/d{number % 7}/n{number}.md", f"# {number}\n")
    tree.refresh()
    for number in range(0, 400, 2):
        sandbox.write(f"docs/d{number % 7}/n{number}.md", f"# {number} again\n")
    shutil.rmtree(sandbox.place("docs/d3"))
    tree.refresh_paths({f"docs/d{number % 7}/n{number}.md" for number in range(400)})
    assert dump(tree.index) == new_index(sandbox.root)
