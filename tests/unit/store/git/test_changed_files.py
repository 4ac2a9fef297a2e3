"""The files that differ from HEAD are those of `git status`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from repo import Repo

from cuedeck.store.git.checkout import Checkout

posix = pytest.mark.skipif(os.name == "nt", reason="needs links and permissions")


def status(repo: Repo) -> list[str]:
    # The branch comes first: the helper strips the blank with which a row may begin.
    options = (
        "--porcelain=v1",
        "-z",
        "--branch",
        "--untracked-files=all",
        "--no-renames",
        "--ignore-submodules=all",
    )
    rows = repo.git("status", *options).split("\0")
    return sorted(
        {row[3:] for row in rows[1:] if row}
    )  # a path that left the index and is there again has two rows


def dirty(repo: Repo, folder: str = "") -> list[str]:
    return list(Checkout(str(repo.root / folder)).dirty())


@pytest.fixture
def past(repo: Repo) -> Repo:
    """A repository with a few files, whose index was written long after them."""
    repo.commit(
        "one",
        {
            "a.txt": "one\n",
            "b.txt": "two\n",
            "f/c.txt": "three\n",
            "f/d.sh": "four\n",
            "e.txt": "",
        },
    )
    age(repo)
    return repo


def age(repo: Repo) -> None:
    """Make files and index so old that the time of a file shows whether the file
    changed.
    """
    for at, place in enumerate(sorted(repo.root.rglob("*.*"))):
        if ".git" not in place.parts and place.is_file():
            os.utime(place, (1_600_000_000 + at, 1_600_000_000 + at))
    repo.git("update-index", "-q", "--refresh")


def same(repo: Repo) -> list[str]:
    """Return the changed files, after a check that git reports the same."""
    found = dirty(repo)
    assert found == status(repo)
    return found


def test_a_clean_checkout_has_none(past: Repo) -> None:
    assert same(past) == []


def test_a_touched_file_is_no_change(past: Repo) -> None:
    os.utime(past.root / "a.txt")
    assert same(past) == []


def test_each_kind_of_change(past: Repo) -> None:
    past.write("a.txt", "longer\n")
    (past.root / "b.txt").unlink()
    past.write("new.txt", "new\n")
    past.write("f/ü new\n.txt", "new\n")
    past.write("staged.txt", "staged\n")
    past.git("add", "staged.txt")
    past.write("announced.txt", "announced\n")
    past.git("add", "-N", "announced.txt")
    past.git("rm", "-q", "--cached", "e.txt")
    past.write(".gitignore", "*.log\n")
    past.write("ignored.log", "")
    found = [
        "a.txt",
        "b.txt",
        "e.txt",
        "f/ü new\n.txt",
        "new.txt",
        "staged.txt",
        ".gitignore",
        "announced.txt",
    ]
    assert dirty(past) == sorted(found)


@posix
def test_where_permissions_are_not_kept_they_do_not_count(past: Repo) -> None:
    past.git("config", "core.fileMode", "false")
    (past.root / "f/d.sh").chmod(0o755)
    assert same(past) == []


@posix
def test_a_folder_that_became_a_link_is_not_looked_into(
    past: Repo, tmp_path: Path
) -> None:
    shutil.move(past.root / "f", tmp_path / "f")
    (past.root / "f").symlink_to(tmp_path / "f")
    assert dirty(past) == ["f", "f/c.txt", "f/d.sh"]


@pytest.mark.parametrize(
    "steps",
    [
        ("update-index", "--split-index"),
        ("config", "feature.manyFiles", "true"),
        ("sparse-checkout", "set", "--cone", "f"),
        ("sparse-checkout", "set", "--cone", "--sparse-index", "f"),
        ("config", "core.trustctime", "false"),
        ("config", "core.checkStat", "minimal"),
    ],
)
def test_kinds_of_indexes(past: Repo, steps: tuple[str, ...]) -> None:
    past.git(*steps)
    past.git("update-index", "-q", "--refresh")
    assert same(past) == []
    past.write("f/c.txt", "eerht\n")
    past.write("f/new.txt", "")
    assert same(past) == ["f/c.txt", "f/new.txt"]


def test_longer_ids(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "long", "--object-format=sha256")
    repo.commit("one", {"a.txt": "one\n", "b.txt": "two\n"})
    age(repo)
    os.utime(repo.root / "a.txt")
    repo.write("b.txt", "owt\n")
    assert same(repo) == ["b.txt"]


def test_before_the_first_commit(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "empty")
    repo.write("a.txt", "")
    repo.git("add", "a.txt")
    repo.write("b.txt", "")
    assert same(repo) == ["a.txt", "b.txt"]


def test_a_workspace_below_the_top_sees_its_own(past: Repo) -> None:
    past.write("a.txt", "longer\n")
    past.write("f/c.txt", "longer\n")
    past.write("f/new.txt", "")
    past.write("f/staged.txt", "")
    past.git("add", "f/staged.txt")
    assert dirty(past, "f") == ["c.txt", "new.txt", "staged.txt"]


def test_a_linked_worktree_and_a_submodule(past: Repo, tmp_path: Path) -> None:
    past.git("worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree/a.txt").write_text("longer\n")
    assert list(Checkout(str(tmp_path / "tree")).dirty()) == ["a.txt"]
    upper = Repo(tmp_path / "upper")
    upper.git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        past.root.as_uri(),
        "lower",
    )
    upper.commit("one")
    upper.write("lower/a.txt", "longer\n")
    assert dirty(upper) == []
    assert dirty(upper, "lower") == ["a.txt"]


def test_a_touched_file_with_other_line_ends_is_no_change(past: Repo) -> None:
    past.write(".gitattributes", "*.txt eol=crlf\n")
    past.commit("two")
    past.write("a.txt", "one\r\n")
    past.git("add", "-A")
    os.utime(past.root / "a.txt")
    assert dirty(past) == []
    past.write("a.txt", "two\r\n")
    assert dirty(past) == ["a.txt"]


def test_without_git_there_are_none(
    past: Repo, without_git: Callable[[], None]
) -> None:
    past.write("a.txt", "longer\n")
    without_git()
    assert dirty(past) == []
