"""The system reports moves of HEAD, wherever git stores it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from repo import Repo
from sandbox import until

from cuedeck.store.files.file_events import HEAD, FileEvents
from cuedeck.store.workspace_paths import WorkspacePaths

Watch = Callable[[Path], Callable[[], object]]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Return a function that watches a folder; its answer waits for a report."""
    made: list[FileEvents] = []

    def start(root: Path) -> Callable[[], object]:
        (root / ".cuedeck").mkdir(exist_ok=True)
        events = FileEvents(WorkspacePaths(str(root)), lambda: None)
        made.append(events)
        assert events.start()
        events.settled(20)
        return lambda: until(lambda: HEAD in events.pending())

    yield start
    for each in made:
        each.stop()


def test_commits_and_checkouts_are_reported(repo: Repo, watch: Watch) -> None:
    repo.git("checkout", "-q", "-b", "some/deep/branch")
    wait = watch(repo.root)
    repo.commit("one")
    wait()
    repo.git("checkout", "-q", "main")
    wait()
    repo.commit("two")
    wait()


def test_a_worktree_and_a_folder_below_the_top_are_watched(
    repo: Repo, tmp_path: Path, watch: Watch
) -> None:
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    (repo.root / "below").mkdir()
    waits = watch(tmp_path / "tree"), watch(repo.root / "below")
    repo.git("-C", str(tmp_path / "tree"), "commit", "-q", "--allow-empty", "-m", "one")
    waits[0]()
    repo.git("-C", str(tmp_path / "tree"), "checkout", "-q", "--detach", "main")
    waits[0]()
    repo.commit("two")
    waits[1]()


def test_a_repository_created_later_is_reported(tmp_path: Path, watch: Watch) -> None:
    (tmp_path / "new").mkdir()
    wait = watch(tmp_path / "new")
    repo = Repo(tmp_path / "new")
    wait()
    repo.commit("one")
    wait()


def test_tables_of_refs_are_watched_though_only_git_can_read_them(
    repo: Repo, watch: Watch
) -> None:
    tables = repo.write(".git/reftable/tables.list", "one\n")
    (repo.root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    wait = watch(repo.root)
    tables.write_text("one\ntwo\n")
    wait()
