"""The system reports moves of HEAD, wherever git stores it; each test ends with a move
that must be reported.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from repo import Repo

from cuedeck.store.git.head_events import HeadEvents

Watch = Callable[[Path], "ReportedEvents"]
_PATIENCE_SECONDS = 20.0


class ReportedEvents:
    """Reported events of one folder."""

    def __init__(self, root: Path) -> None:
        self._queue: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.events = HeadEvents(str(root), lambda: self._queue.put(True))
        self.sends = self.events.start()

    def once(self) -> bool:
        """Wait for one move; return whether it was reported only once."""
        return self._queue.get(timeout=_PATIENCE_SECONDS) and self._queue.empty()


@pytest.fixture
def watch() -> Iterator[Watch]:
    made: list[ReportedEvents] = []

    def start(root: Path) -> ReportedEvents:
        made.append(ReportedEvents(root))
        assert made[-1].sends
        return made[-1]

    yield start
    for each in made:
        each.events.stop()


def test_a_commit_is_reported(repo: Repo, watch: Watch) -> None:
    answer = watch(repo.root)
    repo.commit("one")
    assert answer.once()
    repo.commit("two")
    assert answer.once()


def test_a_checkout_is_reported_and_the_new_branch_is_watched(
    repo: Repo, watch: Watch
) -> None:
    repo.git("checkout", "-q", "-b", "some/deep/branch")
    repo.commit("one")
    answer = watch(repo.root)
    repo.git("checkout", "-q", "main")
    assert answer.once()
    repo.commit("two")
    assert answer.once()
    repo.git("checkout", "-q", "some/deep/branch")
    assert answer.once()
    repo.commit("three")
    assert answer.once()


def test_changes_that_do_not_move_head_are_not_reported(
    repo: Repo, watch: Watch
) -> None:
    answer = watch(repo.root)
    repo.git("checkout", "-q", "-b", "other")
    repo.git("branch", "further")
    repo.git("tag", "v1")
    repo.git("pack-refs", "--all", "--prune")
    repo.write("a.txt", "a line of it\n")
    repo.git("add", "-A")
    repo.git("status")
    repo.commit("one")
    assert answer.once()


def test_changes_of_tracked_ignored_files_are_reported(
    repo: Repo, tmp_path: Path, watch: Watch
) -> None:
    repo.commit("one", {".gitignore": "*.log\n", "b.md": "b\n"})
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    answer, elsewhere = watch(repo.root), watch(tmp_path / "tree")
    repo.write("a.log", "a line of it\n")
    repo.write("b.md", "c\n")
    repo.git("add", "-A")
    repo.git("add", "-f", "a.log")
    assert answer.once()
    repo.git("rm", "-q", "--cached", "b.md")
    repo.git("rm", "-q", "--cached", "a.log")
    assert answer.once()
    (tmp_path / "tree/a.log").touch()
    repo.git("-C", str(tmp_path / "tree"), "add", "-f", "a.log")
    assert elsewhere.once()


def test_a_linked_worktree_gets_events_of_its_own_head_only(
    repo: Repo, tmp_path: Path, watch: Watch
) -> None:
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    answer = watch(tmp_path / "tree")
    repo.commit("Not in the worktree")
    repo.git("-C", str(tmp_path / "tree"), "commit", "-q", "--allow-empty", "-m", "one")
    assert answer.once()
    repo.git("-C", str(tmp_path / "tree"), "checkout", "-q", "--detach", "main")
    assert answer.once()


def test_a_repository_created_later_is_reported(tmp_path: Path, watch: Watch) -> None:
    answer = watch(tmp_path)
    repo = Repo(tmp_path)
    repo.commit("one")
    assert answer.once()
    repo.commit("two")
    assert answer.once()


def test_folders_that_come_just_before_the_watch_begins_are_watched(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The watch reported a repository that was restored between the two calls, but none
    # of its later commits.
    answer: queue.SimpleQueue[bool] = queue.SimpleQueue()
    events = HeadEvents(str(repo.root), lambda: answer.put(True))
    watched, early = events._watched, iter([(str(repo.root),)])
    monkeypatch.setattr(events, "_watched", lambda: next(early, None) or watched())
    assert events.start()
    repo.commit("one")
    assert answer.get(timeout=_PATIENCE_SECONDS)
    events.stop()


def test_tables_of_refs_are_watched_though_only_git_can_read_them(
    repo: Repo, watch: Watch
) -> None:
    tables = repo.write(".git/reftable/tables.list", "one\n")
    (repo.root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    answer = watch(repo.root)
    tables.write_text("one\ntwo\n")
    assert answer.once()


def test_a_refusal_of_the_system_is_no_error(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def refuse(*_: object, **__: object) -> Iterable[object]:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", refuse)
    assert not ReportedEvents(repo.root).sends
