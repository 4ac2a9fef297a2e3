"""The files that differ from HEAD are found without git's own comparison, and are the
same as those of `git status`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
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


def test_a_file_of_the_same_size_and_time_is_found(past: Repo) -> None:
    before = past.root.joinpath("a.txt").stat()
    past.write("a.txt", "eno\n")
    os.utime(past.root / "a.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert dirty(past) == ["a.txt"], "git, which compares seconds alone, may miss it"


def test_a_file_that_changed_in_the_second_of_the_index_is_found(repo: Repo) -> None:
    repo.commit("one", {"a.txt": "one\n"})
    repo.write("a.txt", "eno\n")
    assert same(repo) == ["a.txt"]


def test_a_touched_file_is_no_change(past: Repo) -> None:
    os.utime(past.root / "a.txt")
    assert same(past) == []


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_each_kind_of_change(past: Repo, version: str) -> None:
    past.git("update-index", "--index-version", version)
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
def test_kinds_of_files(past: Repo) -> None:
    (past.root / "f/d.sh").chmod(0o755)
    (past.root / "a.txt").unlink()
    (past.root / "a.txt").symlink_to("b.txt")
    (past.root / "b.txt").unlink()
    os.mkfifo(past.root / "b.txt")
    assert same(past) == ["a.txt", "b.txt", "f/d.sh"]


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


def test_links_are_compared(past: Repo) -> None:
    (past.root / "link").symlink_to("a.txt")
    past.commit("two")
    assert same(past) == []
    (past.root / "link").unlink()
    (past.root / "link").symlink_to("b.txt")
    assert same(past) == ["link"]


def test_a_conflict_is_a_change(past: Repo) -> None:
    past.git("checkout", "-q", "-b", "side")
    past.commit("side", {"a.txt": "side\n"})
    past.git("checkout", "-q", "main")
    past.commit("main", {"a.txt": "main\n"})
    with pytest.raises(AssertionError):
        past.git("merge", "-q", "side")
    assert same(past) == ["a.txt"]


def test_files_that_git_shall_not_look_at(past: Repo) -> None:
    past.git("update-index", "--assume-unchanged", "a.txt")
    past.git("update-index", "--skip-worktree", "b.txt")
    past.write("a.txt", "longer\n")
    (past.root / "b.txt").unlink()
    assert same(past) == []


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


@pytest.mark.parametrize(
    ("attributes", "kept", "shown"),
    [
        ("*.txt eol=crlf\n", "one\ntwo\n", b"one\r\ntwo\r\n"),
        (
            "*.txt filter=lfs\n",
            f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(b'large').hexdigest()}\nsize 5\n",
            b"large",
        ),
    ],
)
def test_a_touched_file_that_git_keeps_in_another_form_is_no_change(
    past: Repo, attributes: str, kept: str, shown: bytes
) -> None:
    past.commit("two", {"a.txt": kept})
    past.write("a.txt", shown)
    # The entry is that of the file as it was checked out, as a program of the person's
    # own git leaves it.
    past.write(".gitattributes", attributes)
    past.git("config", "filter.lfs.clean", f"printf '%s' '{kept}' #")
    past.git("add", "-A")
    past.git("commit", "-q", "-m", "three")
    past.git("config", "--unset", "filter.lfs.clean")
    age(past)
    os.utime(past.root / "a.txt")
    assert dirty(past) == []
    past.write("a.txt", shown.swapcase())
    assert dirty(past) == ["a.txt"]


def test_without_git_there_are_none(
    past: Repo, without_git: Callable[[], None]
) -> None:
    past.write("a.txt", "longer\n")
    without_git()
    assert dirty(past) == []


Steps = st.lists(
    st.tuples(
        st.sampled_from(["write", "touch", "delete", "add", "commit", "swap"]),
        st.integers(0, 5),
    )
)


@given(Steps)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_changed_files_equal_those_of_git(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        repo = Repo(Path(folder) / "repo")
        repo.commit(
            "Begin", {f"f{at}/{at}.txt": f"a line of {at}\n" for at in range(3)}
        )
        for at, (step, which) in enumerate(steps):
            place = repo.root / f"f{which % 4}/{which}.txt"
            if step == "write":
                repo.write(str(place.relative_to(repo.root)), f"line {at % 10}\n")
            elif step in ("add", "commit"):
                repo.git("add", "-A")
                if step == "commit":
                    repo.commit(f"{at}")
            elif place.exists():
                if step == "delete":
                    place.unlink()
                elif step == "touch":
                    # Each step has a time of its own: git takes a file of the same
                    # size, time and second of change for unchanged.
                    seconds = 1_600_000_000 + at
                    os.utime(place, (seconds, seconds))
                else:
                    place.write_bytes(place.read_bytes()[::-1])
        assert dirty(repo) == status(repo)
