"""Repositories that cannot be read, or not completely: the readable part is used, and
each problem is reported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from repo import Repo

from cuedeck.model.commit import Commit
from cuedeck.store.git.commit_log import History
from cuedeck.store.index import Index

Make = Callable[[], History]
posix = pytest.mark.skipif(
    os.name == "nt", reason="needs shell scripts and owners of files"
)


def codes(history: History) -> list[str]:
    """Return the codes of the reported problems; each has a message and a hint."""
    answer = history.problems()
    assert all(
        each[:3] == (".git", 0, "info") and each.message and each.hint
        for each in answer
    )
    return [each.code for each in answer]


def known_lines(commits: Sequence[Commit]) -> dict[str, int]:
    return {
        commit.subject: sum(len(file.added) for file in commit.files)
        for commit in commits
    }


def test_without_a_repository_there_is_no_history(tmp_path: Path, index: Index) -> None:
    history = History(str(tmp_path), index)
    assert history.commits() == ()
    assert codes(history) == ["no-git"]


def test_without_a_commit_there_is_no_history(tmp_path: Path, index: Index) -> None:
    repo = Repo(tmp_path / "empty")
    history = History(str(repo.root), index)
    assert history.commits() == ()
    assert codes(history) == ["no-git"]
    new = repo.commit("Begin", {"a.txt": ""})
    assert ([commit.id for commit in history.commits()], codes(history)) == ([new], [])


@pytest.mark.parametrize("head", ["0" * 40, "nonsense", "ref: refs/heads/../x", ""])
def test_a_head_that_names_nothing_gives_no_history(
    repo: Repo, history: Make, head: str
) -> None:
    (repo.root / ".git/HEAD").write_text(head + "\n")
    found = history()
    assert found.commits() == ()
    assert codes(found) == ["git-failed"]


def test_refs_in_tables_are_asked_of_git(repo: Repo, history: Make) -> None:
    # This git does not support reftables and reads the ref from its file; the test
    # checks only that git is called.
    new = repo.commit("one", {"a.txt": ""})
    (repo.root / ".git/reftable").mkdir()
    found = history()
    assert [commit.id for commit in found.commits()] == [new]
    assert codes(found) == []


def test_a_missing_commit_ends_the_history(repo: Repo, history: Make) -> None:
    repo.commit("one", {"a.txt": ""})
    repo.commit("two", {"b.txt": ""})
    repo.lose("HEAD~1")
    found = history()
    assert found.commits() == ()
    assert codes(found) == ["git-failed"]


def test_a_missing_file_costs_the_lines_of_its_commits_and_of_those_before(
    repo: Repo, history: Make
) -> None:
    for at in range(5):
        repo.commit(
            f"c{at}", {"a.txt": f"line {at} of a\n", f"{at}.txt": f"line of {at}\n"}
        )
    repo.lose("HEAD~2:a.txt")
    found = history()
    assert known_lines(found.commits()) == {"c4": 2, "c3": 0, "c2": 0, "c1": 0, "c0": 0}
    assert all(
        [file.path for file in commit.files] == [f"{commit.subject[1]}.txt", "a.txt"]
        for commit in found.commits()
    )
    assert codes(found) == ["git-failed"] == codes_again(history())


def codes_again(history: History) -> list[str]:
    history.commits()
    return codes(history)


@pytest.mark.parametrize("lacks", ["blob:none", "tree:0"])
def test_missing_objects_of_a_partial_clone_are_read_once_present(
    repo: Repo,
    tmp_path: Path,
    index: Index,
    lacks: str,
    without_git: Callable[[], None],
) -> None:
    """A commit with missing objects stayed unknown after the objects were fetched and
    HEAD had moved.
    """
    for at in range(3):
        repo.commit(f"c{at}", {"a.txt": f"line {at} of a\n"})
    clone = partial_clone(repo, tmp_path, lacks)
    found = History(str(clone.root), index)
    assert sum(known_lines(found.commits()).values()) == 0
    assert codes(found) == ["partial-clone"]
    clone.git("log", "-p", "--no-merges")
    for each in (found, History(str(clone.root), index)):
        assert known_lines(each.commits()) == {"c2": 1, "c1": 1, "c0": 1}
        assert codes(each) == []
    without_git()
    assert len(History(str(clone.root), index).commits()) == 3


@pytest.mark.parametrize("lost", [range(4, 22), range(1, 6), range(8, 19)])
def test_where_much_is_missing_a_history_read_bit_by_bit_is_the_one_read_at_once(
    repo: Repo, history: Make, lost: range
) -> None:
    repo.commit_often(24)
    repo.lose(*(f"long~{at}:a.txt" for at in lost))
    for at in (12, 6, 0, 9, 2):
        (repo.root / ".git/HEAD").write_text(repo.git("rev-parse", f"long~{at}"))
        assert history().commits() == History(str(repo.root), Index("")).commits()


def test_a_file_that_was_missing_counts_with_the_next_commit(
    repo: Repo, history: Make
) -> None:
    repo.commit("one", {"a.txt": "the first line\n"})
    place = repo.object(repo.git("rev-parse", "HEAD:a.txt"))
    place.rename(repo.root / "lost")
    assert known_lines(history().commits()) == {"one": 0}
    (repo.root / "lost").rename(place)
    repo.commit("two", {"b.txt": "a line of b\n"})
    found = history()
    assert known_lines(found.commits()) == {"two": 1, "one": 1}
    assert codes(found) == []


def partial_clone(repo: Repo, folder: Path, lacks: str) -> Repo:
    """Return a clone that lacks some objects, and fetches each when git itself is asked
    for it.
    """
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    repo.git(
        "clone",
        "-q",
        f"--filter={lacks}",
        "--no-checkout",
        repo.root.as_uri(),
        str(folder / "clone"),
    )
    return Repo(folder / "clone")


def test_a_shallow_clone_is_reported_until_it_is_complete(
    repo: Repo, tmp_path: Path, index: Index
) -> None:
    for at in range(4):
        repo.commit(f"c{at}", {"a.txt": f"line {at} of a\n"})
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth", "3", repo.root.as_uri(), str(clone))
    for found in (History(str(clone), index), History(str(clone), index)):
        assert len(found.commits()) == 2
        assert codes(found) == ["shallow-clone"]
        assert "2 commits" in found.problems()[0].message
    repo.git("-C", str(clone), "fetch", "-q", "--unshallow")
    assert len(found.commits()) == 4
    assert codes(found) == []


def test_a_damaged_index_of_git_changes_nothing(repo: Repo, history: Make) -> None:
    repo.commit("one", {"a.txt": "the first line\n"})
    (repo.root / ".git/index").write_bytes(b"damaged")
    found = history()
    assert known_lines(found.commits()) == {"one": 1}
    assert codes(found) == []


@posix
@pytest.mark.skipif(
    os.name == "nt" or os.getuid() != 0, reason="only root may give files away"
)
def test_the_repository_of_another_user_is_not_read(repo: Repo, history: Make) -> None:
    repo.commit("one", {"a.txt": ""})
    for place in (repo.root, repo.root / ".git"):
        os.chown(place, 12345, 12345)
    found = history()
    assert found.commits() == ()
    assert codes(found) == ["git-failed"]
    assert "another user" in found.problems()[0].message
