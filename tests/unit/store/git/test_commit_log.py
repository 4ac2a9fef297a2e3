"""The history stored in the index: never more than exists, and updated only by new
commits.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repo import Repo

from cuedeck.store.git.commit_log import History
from cuedeck.store.index import Index

Make = Callable[[], History]


@pytest.fixture
def past(repo: Repo) -> Repo:
    """A repository with three commits that count, and one that is too large to
    count.
    """
    repo.commit("one", {"a.txt": "the first line\n"})
    repo.commit(
        "two", {"a.txt": "the first line\nthe second line\n", "ü.txt": "another file\n"}
    )
    repo.commit("bulk", {f"{at:02}.txt": "" for at in range(40)})
    repo.commit("three\n\nAnd why.\n", {"b.txt": "a line of b\n"})
    return repo


def subjects(history: History) -> list[str]:
    return [commit.subject for commit in history.commits()]


def read_without_index(repo: Repo) -> list[object]:
    return list(History(str(repo.root), Index("")).commits())


def test_an_unchanged_head_needs_no_process(
    past: Repo, history: Make, without_git: Callable[[], None]
) -> None:
    before = history().commits()
    without_git()
    again = history()
    assert again.commits() == before != ()
    assert again.problems() == ()


def test_only_new_commits_are_read(past: Repo, index: Index) -> None:
    answer: list[int] = []
    history = History(str(past.root), index)
    history.progress = lambda _, total: answer.append(total)
    history.commits()
    answer.clear()
    past.commit("four", {"c.txt": "one line more\n"})
    assert subjects(history) == ["four", "three", "two", "one"]
    assert answer == [1]
    assert subjects(History(str(past.root), index)) == ["four", "three", "two", "one"]


def test_another_branch_and_back(
    past: Repo, history: Make, without_git: Callable[[], None]
) -> None:
    kept = history()
    main = kept.commits()
    past.git("checkout", "-q", "-b", "side", "HEAD~3")
    past.commit("side", {"s.txt": "on the side\n"})
    side = kept.commits()
    assert [commit.subject for commit in side] == ["side", "one"]
    past.git("checkout", "-q", "main")
    assert kept.commits() == main
    without_git()
    assert history().commits() == main
    (past.root / ".git/HEAD").write_text("ref: refs/heads/side\n")
    assert history().commits() == side


def test_a_workspace_moved_within_the_repository_is_read_again(
    repo: Repo, index: Index
) -> None:
    repo.commit("one", {"old/a.txt": "a line of it\n", "b.txt": "not of it\n"})
    repo.commit("two", {"old/a.txt": "a better line of it\n"})
    assert subjects(History(str(repo.root / "old"), index)) == ["two", "one"]
    os.rename(repo.root / "old", repo.root / "new")
    assert History(str(repo.root / "new"), index).commits() == ()
    assert [
        file.path
        for commit in History(str(repo.root), index).commits()
        for file in commit.files
    ] == ["old/a.txt", "b.txt", "old/a.txt"]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE cache SET value = 'text'",
        "UPDATE cache SET value = zeroblob(length(value))",
        "UPDATE cache SET value = substr(value, 1, length(value) - 1)",
        "UPDATE cache SET value = 'x' || value",
        "UPDATE cache SET value = 7",
        "DROP TABLE cache",
    ],
)
def test_damaged_rows_are_read_again(
    past: Repo, index: Index, history: Make, damage: str
) -> None:
    before = history().commits()
    index.database.execute(damage)
    assert history().commits() == before
    assert history().commits() == before


def test_the_pasts_of_few_heads_are_kept(
    past: Repo, index: Index, history: Make
) -> None:
    heads = []
    for at in range(6):
        heads.append(past.commit(f"more {at}", {"c.txt": f"line {at} of c\n"}))
        history().commits()
    stored = index.ask("SELECT key FROM cache ORDER BY rowid")
    assert [row[0] for row in stored] == heads[-4:]


Steps = st.lists(
    st.tuples(
        st.sampled_from(["edit", "move", "delete", "amend", "branch", "checkout"]),
        st.integers(0, 9),
    )
)


@given(Steps.filter(lambda steps: 2 <= len(steps) <= 7))
@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_reading_in_parts_equals_reading_at_once(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        repo = Repo(Path(folder) / "repo")
        repo.commit(
            "Begin", {f"{name}.txt": f"a line of {name}\n" * 5 for name in range(3)}
        )
        history = History(str(repo.root), Index(""))
        for at, (step, which) in enumerate(steps):
            take(repo, step, which, at)
            assert [*history.commits()] == read_without_index(repo)


def take(repo: Repo, step: str, which: int, at: int) -> None:
    """Do one thing to a repository."""
    files = sorted(repo.root.glob("*.txt"))
    place = files[which % len(files)] if files else repo.root / "new.txt"
    branches = repo.git(
        "for-each-ref", "--format=%(refname:short)", "refs/heads"
    ).split()
    if step == "branch":
        repo.git("checkout", "-q", "-B", f"branch{which % 3}")
    elif step == "checkout":
        repo.git("checkout", "-q", branches[which % len(branches)])
    elif step == "move" and files:
        shutil.move(place, repo.root / f"moved{at}.txt")
        repo.commit(f"move {at}")
    elif step == "delete" and files:
        repo.commit(f"delete {at}", {place.name: None})
    else:
        repo.commit(
            f"{step} {at}",
            {place.name: f"line {at} of it\n" * 3},
            *(["--amend"] if step == "amend" else []),
        )
