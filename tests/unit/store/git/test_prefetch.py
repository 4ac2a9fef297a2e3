"""A history that is read while something else is done is the one that is read in
turn.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from repo import Repo

from cuedeck.store.git.commit_log import History
from cuedeck.store.index import Index

Make = Callable[[], History]

PROCESS = """
import sys
from cuedeck.store.files.forked_workers import may_copy
from cuedeck.store.git.commit_log import History
from cuedeck.store.index import Index

history = History(sys.argv[1], Index(""))
history.begin()
print(may_copy(), flush=True)
sys.stdin.readline()
print([commit.subject for commit in history.commits()])
print(history.commits() == History(sys.argv[1], Index("")).commits())
"""
on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="processes are not copied here"
)


def prefetched_lines(repo: Repo, meanwhile: Callable[[], object]) -> list[str]:
    """Return the data that a separate process prefetches; a process with threads cannot
    fork.
    """
    command = [sys.executable, "-c", PROCESS, str(repo.root)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "True\n"
        meanwhile()
        answer, _ = process.communicate("go on\n")
    return answer.splitlines()


@pytest.fixture
def past(repo: Repo) -> Repo:
    repo.commit("one", {"a.txt": "the first line\n"})
    repo.commit("two", {"a.txt": "the first line\nthe second line\n"})
    repo.commit("bulk", {f"{at:02}.txt": "" for at in range(40)})
    return repo


@on_linux
def test_a_prefetch_equals_a_direct_read(past: Repo) -> None:
    assert prefetched_lines(past, lambda: None) == ["['two', 'one']", "True"]


@on_linux
def test_a_head_that_moved_is_read_again(past: Repo) -> None:
    answer = prefetched_lines(
        past, lambda: past.commit("three", {"b.txt": "a line of b\n"})
    )
    assert answer == ["['three', 'two', 'one']", "True"]


def test_an_unused_prefetch_is_ended(past: Repo, history: Make) -> None:
    ahead = history()
    ahead.begin()
    ahead.close()
    assert len(ahead.commits()) == 2


def test_nothing_is_begun_where_a_history_is_kept(
    past: Repo, history: Make, without_git: Callable[[], None]
) -> None:
    read = list(history().commits())
    without_git()
    again = history()
    again.begin()
    assert list(again.commits()) == read


def test_without_git_there_is_no_history_and_no_error(
    past: Repo, history: Make, without_git: Callable[[], None]
) -> None:
    without_git()
    ahead = history()
    ahead.begin()
    assert list(ahead.commits()) == [] and [
        problem.code for problem in ahead.problems()
    ] == ["no-git"]


def test_outside_a_repository_nothing_is_begun(repo: Repo, index: Index) -> None:
    ahead = History(str(repo.root.parent), index)
    ahead.begin()
    assert list(ahead.commits()) == []
