"""A git that is slow, hangs or is killed gives the history that a quick one gives, or
none.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from repo import Repo

from cuedeck.store.git.commit_log import History
from cuedeck.store.index import Index

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="needs scripts in the place of git"
)

Make = Callable[[], History]
HANGS = """\
#!/bin/sh
case "$*" in {pattern}) exec sleep 60;; esac
exec "{git}" "$@"
"""
DIES = """\
#!{python}
import os, signal, subprocess, sys
arguments = sys.argv[1:]
if not any(each in arguments for each in ("-U0", "-M100%")):
    os.execv("{git}", ["git", *arguments])
asked = sys.stdin.buffer.read().split(b"\\n")
few = b"".join(each + b"\\n" for each in asked[: 3 * {count}])
ran = subprocess.run(["{git}", *arguments], input=few, stdout=subprocess.PIPE, check=True)
sys.stdout.buffer.write(ran.stdout)
sys.stdout.buffer.flush()
if len(asked) > 3 * {count} + 1:
    {then}
"""
"""A git that answers for a few commits in each process."""
COMMITS = 10


@pytest.fixture
def past(repo: Repo) -> Repo:
    for at in range(COMMITS):
        repo.commit(
            f"c{at}", {"a.txt": f"line {at} of a\n", f"{at}.txt": f"line of {at}\n"}
        )
    return repo


@pytest.fixture
def replace_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that installs a script in place of git."""

    def replace(script: str, **values: object) -> None:
        real = shutil.which(
            "git", path=os.environ["PATH"].replace(str(tmp_path / "bin"), "")
        )
        place = tmp_path / "bin/git"
        place.parent.mkdir(exist_ok=True)
        place.write_text(script.format(git=real, python=sys.executable, **values))
        place.chmod(0o755)
        if not os.environ["PATH"].startswith(str(place.parent)):
            monkeypatch.setenv(
                "PATH", f"{place.parent}{os.pathsep}{os.environ['PATH']}"
            )

    return replace


def codes(history: History) -> list[str]:
    return [each.code for each in history.problems()]


def count_stored_commits(index: Index) -> int:
    return len(json.loads(index.last_cached("pasts").partition(" ")[2]))


@pytest.mark.parametrize("pattern", ["*rev-list*", "*-M100%*", "*-U0*"])
def test_of_a_git_that_hangs_nothing_is_kept_as_final(
    past: Repo,
    index: Index,
    replace_git: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    pattern: str,
) -> None:
    whole = History(str(past.root), Index("")).commits()
    with monkeypatch.context() as patch:
        patch.setattr("cuedeck.store.git.git_process.SILENT_SECONDS", 0.1)
        replace_git(HANGS, pattern=pattern)
        slow = History(str(past.root), index)
        assert slow.commits() == ()
        assert (codes(slow), slow.fault, slow.is_unfinished) == (
            ["git-slow"],
            "git-slow",
            False,
        )
        stored = index.ask("SELECT key FROM cache WHERE kind = 'pasts' AND key != ''")
        assert stored == []
    replace_git(HANGS, pattern="never")
    assert (
        [*slow.commits()]
        == [*History(str(past.root), index).commits()]
        == [*whole]
        != []
    )
    assert (codes(slow), slow.fault) == ([], "")


def test_reading_resumes_after_its_deadline_has_passed(
    past: Repo, index: Index, replace_git: Callable[..., None]
) -> None:
    whole = History(str(past.root), Index("")).commits()
    replace_git(DIES, count=COMMITS, then="pass")
    over = History(str(past.root), index, deadline=time.monotonic())
    assert (over.commits(), over.is_unfinished, codes(over)) == ((), True, ["git-slow"])
    replace_git(HANGS, pattern="*-U0*")
    hasty = History(str(past.root), index, deadline=time.monotonic() + 0.5)
    assert (hasty.commits(), hasty.is_unfinished) == ((), True)
    replace_git(HANGS, pattern="never")
    assert [*History(str(past.root), index).commits()] == [*whole]


@pytest.mark.slow
@pytest.mark.parametrize(
    "then", ["os.kill(os.getpid(), signal.SIGKILL)", "sys.exit(1)", "pass"]
)
def test_a_git_that_does_a_part_of_the_work_each_time_comes_to_its_end(
    past: Repo, index: Index, replace_git: Callable[..., None], then: str
) -> None:
    """Read commits are not read again, and unread commits are not reported as
    missing.
    """
    whole = History(str(past.root), Index("")).commits()
    counts = []
    for count in (4, 4, 4):
        # The names of files come at once, the lines of a few commits.
        replace_git(
            DIES.replace('("-U0", "-M100%")', '("-U0",)'), count=count, then=then
        )
        found = History(str(past.root), index)
        commits = found.commits()
        counts.append(count_stored_commits(index))
    assert counts == [5, 9, 11], "one commit touches nothing"
    assert [*commits] == [*whole]
    assert codes(found) == []


def test_an_interrupted_reading_keeps_the_commits_that_it_read(
    past: Repo, index: Index
) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 6:
            raise KeyboardInterrupt

    interrupted = History(str(past.root), index)
    interrupted.progress = interrupt
    with pytest.raises(KeyboardInterrupt):
        interrupted.commits()
    assert count_stored_commits(index) == 6
    answer: list[int] = []
    found = History(str(past.root), index)
    found.progress = lambda _, total: answer.append(total)
    assert [*found.commits()] == [*History(str(past.root), Index("")).commits()]
    assert answer == [COMMITS + 1 - 6] * (COMMITS + 1 - 6)


def test_a_patch_without_end_costs_its_lines_alone(
    past: Repo, history: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    past.commit("long", {"long.txt": "a line of it\n" * 400, "short.txt": "a line\n"})
    monkeypatch.setattr("cuedeck.store.git.read_commits.MOST_BYTES", 2_000)
    found = history().commits()
    assert [(file.path, len(file.added)) for file in found[0].files] == [
        ("long.txt", 0),
        ("short.txt", 0),
    ]
    assert [len(file.added) for commit in found[1:] for file in commit.files] == [
        1
    ] * 2 * COMMITS
