"""A workspace in a thread of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sandbox import PATIENCE_SECONDS, Sandbox, until

from cuedeck.context.search.read_address import read_address
from cuedeck.engine.active_card import cards
from cuedeck.engine.server.workspace_worker import Changes, Worker, open_worker
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.errors import NotFound, StorageError, WorkspaceMissing
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.work.cards.edit_card import set_status
from cuedeck.work.cards.list_cards import list_cards
from cuedeck.work.sessions.list_sessions import status
from cuedeck.work.sessions.start_session import start_session


class WorkerHarness:
    """A worker and its reports."""

    def __init__(self, sandbox: Sandbox, *, writes: bool = True) -> None:
        self.sandbox = sandbox
        self.reports: queue.Queue[Changes] = queue.Queue()
        self.worker: Worker = open_worker(
            str(sandbox.root), {}, self.reports.put, writes=writes
        )

    def ask(self, act: Callable[..., Any]) -> Any:
        return self.worker.ask(act).result(PATIENCE_SECONDS)

    def read(self, address: str) -> str:
        text: str = self.ask(lambda workspace: read_address(workspace, address))["text"]
        return text

    def next(self, holds: Callable[[Changes], Any]) -> Changes:
        """Return the next report that satisfies a condition."""
        while True:
            changes = self.reports.get(timeout=PATIENCE_SECONDS)
            if holds(changes):
                return changes

    def close(self) -> None:
        self.worker.close(PATIENCE_SECONDS)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("2a9f1x", "title: Fix login", "status: active", "refs: [docs/auth.md]")
    sandbox.write("docs/auth.md", "# Auth\n\ntext\n")
    return sandbox


@pytest.fixture
def rig(shop: Sandbox) -> Iterator[WorkerHarness]:
    made = WorkerHarness(shop)
    yield made
    made.close()


def test_every_way_of_saving_is_seen_by_the_next_call(rig: WorkerHarness) -> None:
    place = rig.sandbox.place("docs/auth.md")
    rig.read("docs/auth.md")
    for turn in range(10):
        place.write_text(f"# Auth\n\nwritten {turn}\n")
        assert f"written {turn}" in rig.read("docs/auth.md")
        aside = rig.sandbox.write("docs/.auth.swp", f"# Auth\n\nmoved {turn}\n")
        aside.rename(place)
        assert f"moved {turn}" in rig.read("docs/auth.md")
        place.unlink()
        with pytest.raises(NotFound):
            rig.read("docs/auth.md")
        place.write_text("# Auth\n")
        assert rig.read("docs/auth.md") == "# Auth\n"


def test_a_folder_that_moves_is_seen_by_the_next_call(rig: WorkerHarness) -> None:
    rig.sandbox.write("old/deep/page.md", "# Page\n")
    assert rig.read("old/deep/page.md") == "# Page\n"
    rig.sandbox.place("old").rename(rig.sandbox.place("new"))
    assert rig.read("new/deep/page.md") == "# Page\n"
    with pytest.raises(NotFound):
        rig.read("old/deep/page.md")


def test_new_ignore_rules_are_seen_by_the_next_call(rig: WorkerHarness) -> None:
    rig.read("docs/auth.md")
    rig.sandbox.write(".gitignore", "docs/\n")
    with pytest.raises(NotFound):
        rig.read("docs/auth.md")
    rig.sandbox.place(".gitignore").unlink()
    assert rig.read("docs/auth.md").startswith("# Auth")


def test_the_next_call_sees_writes_of_a_command(rig: WorkerHarness) -> None:
    rig.ask(lambda workspace: workspace.refresh())
    made = rig.sandbox.answer("card", "new", "--", "Second")
    assert made["path"] in {
        file.path
        for file in rig.ask(
            lambda workspace: (workspace.refresh(), cards(workspace.index))[1]
        )
    }
    rig.sandbox.ok("memory", "add", "thing")
    assert rig.ask(lambda workspace: len(memory_of(workspace).primary.records)) == 1


def test_calls_are_answered_in_turn_and_their_errors_are_theirs(
    rig: WorkerHarness,
) -> None:
    seen: list[int] = []
    answers = [
        rig.worker.ask(lambda workspace, at=at: seen.append(at)) for at in range(50)
    ]
    with pytest.raises(NotFound):
        rig.read("docs/none.md")
    assert [answer.result(PATIENCE_SECONDS) for answer in answers] == [None] * 50
    assert seen == list(range(50))


def test_a_call_that_is_cancelled_in_time_is_not_done(rig: WorkerHarness) -> None:
    started, go = threading.Event(), threading.Event()
    done: list[str] = []
    first = rig.worker.ask(lambda workspace: (started.set(), go.wait(PATIENCE_SECONDS)))
    second = rig.worker.ask(lambda workspace: done.append("second"))
    started.wait(PATIENCE_SECONDS)
    assert second.cancel()
    go.set()
    first.result(PATIENCE_SECONDS)
    rig.ask(lambda workspace: done.append("third"))
    assert done == ["third"]


def test_calls_that_wait_when_it_closes_fail(shop: Sandbox) -> None:
    rig = WorkerHarness(shop)
    started, go = threading.Event(), threading.Event()
    first = rig.worker.ask(lambda workspace: (started.set(), go.wait(PATIENCE_SECONDS)))
    second = rig.worker.ask(lambda workspace: None)
    started.wait(PATIENCE_SECONDS)
    rig.worker.close(0)
    go.set()
    first.result(PATIENCE_SECONDS)
    with pytest.raises(StorageError):
        second.result(PATIENCE_SECONDS)
    rig.close()
    assert not rig.worker._thread.is_alive()


def test_changes_are_reported(rig: WorkerHarness) -> None:
    rig.ask(lambda workspace: workspace.refresh())
    rig.sandbox.write("docs/auth.md", "# Auth\n\nmore\n")
    assert not rig.next(lambda changes: "docs/auth.md" in changes.paths).listing
    rig.sandbox.write("docs/new.md", "# New\n")
    assert rig.next(lambda changes: "docs/new.md" in changes.paths).listing


def test_the_scene_follows(rig: WorkerHarness) -> None:
    until(rig.sandbox.scene.exists, "the first scene")
    rig.sandbox.write("docs/auth.md", "# Auth\n\nanother text\n")
    assert rig.next(lambda changes: changes.scene)
    assert "another text" in rig.sandbox.scene.read_text()
    rig.sandbox.card("2a9f1x", "title: Fix login", "status: done")
    until(
        lambda: (
            "No card is active" in rig.sandbox.scene.read_text()
            or "another text" not in rig.sandbox.scene.read_text()
        )
    )


@pytest.mark.parametrize("is_warm", [True, False])
def test_the_scene_contains_writes_of_the_last_call(
    shop: Sandbox, is_warm: bool
) -> None:
    """A client that activated a card and left had the scene of the card before."""
    shop.card("7bk2qq", "title: Second")
    rig = WorkerHarness(shop)
    if is_warm:
        until(shop.scene.exists, "the first scene")
    rig.ask(lambda workspace: set_status(workspace, "7bk2qq", "active"))
    rig.close()
    assert shop.scene.read_text().startswith("# Scene: “Second")


def test_files_that_are_written_are_noted_for_the_session(rig: WorkerHarness) -> None:
    rig.ask(start_session)
    rig.sandbox.write("src/login.py", "def enter():\n    return 1\n")
    rig.sandbox.write(".cuedeck/cache/scratch", "nothing")

    def written() -> bool:
        found = rig.ask(status)["working_set"]
        return {"path": "src/login.py", "role": "write"} in [
            {key: row[key] for key in ("path", "role")} for row in found
        ]

    until(written, "it is noted while nothing happens")
    assert {row["path"] for row in rig.ask(status)["working_set"]} == {"src/login.py"}


def test_where_another_one_watches_nothing_is_written_until_it_ends(
    shop: Sandbox,
) -> None:
    with locked(WorkspacePaths(str(shop.root)), "watch"):
        rig = WorkerHarness(shop)
        rig.worker.watch_scene(True)
        rig.read("docs/auth.md")
        rig.sandbox.write("docs/auth.md", "# Auth\n\nanother text\n")
        rig.next(lambda changes: "docs/auth.md" in changes.paths)
        assert not shop.scene.exists()
    until(shop.scene.exists, "it takes over")
    rig.close()
    with locked(WorkspacePaths(str(shop.root)), "watch", patience_seconds=0):
        pass


def test_a_worker_that_only_reads_writes_no_scene(shop: Sandbox) -> None:
    rig = WorkerHarness(shop, writes=False)
    rig.worker.watch_scene(True)
    rig.read("docs/auth.md")
    rig.sandbox.write("docs/auth.md", "# Auth\n\nanother text\n")
    rig.next(lambda changes: changes.paths)
    rig.sandbox.write("docs/auth.md", "# Auth\n\nyet another text\n")
    assert rig.next(lambda changes: changes.scene)
    rig.close()
    assert not shop.scene.exists()


def test_broken_settings_are_reported_until_corrected(rig: WorkerHarness) -> None:
    until(rig.sandbox.scene.exists, "the first scene")
    rig.sandbox.write(".cuedeck/config.toml", "[scene\n")
    assert "config.toml" in rig.next(lambda changes: changes.error).error
    rig.sandbox.write(".cuedeck/config.toml", "")
    rig.sandbox.write("docs/auth.md", "# Auth\n\nafter all\n")
    until(
        lambda: "after all" in rig.sandbox.scene.read_text(), "the scene follows again"
    )
    log = rig.sandbox.place(".cuedeck/cache/log.jsonl").read_text()
    assert '"code": 1012' in log


def test_an_answer_is_kept_until_something_changes(rig: WorkerHarness) -> None:
    made: list[int] = []

    def question(workspace: Any) -> int:
        answer: int = workspace.kept(
            "how many",
            ".cuedeck/cards",
            lambda: made.append(1) or len(list_cards(workspace)["cards"]),
        )
        return answer

    assert [rig.ask(question), rig.ask(question)] == [1, 1]
    assert len(made) == 1
    rig.sandbox.card("7bk2qq", "title: Second")
    assert rig.ask(question) == 2
    rig.sandbox.activate("7bk2qq")
    assert rig.ask(question) == 2
    assert len(made) == 3


def test_writes_of_calls_are_durable_when_they_are_answered(rig: WorkerHarness) -> None:
    identity = rig.ask(
        lambda workspace: add_records(
            workspace, memory_of(workspace), [NewRecord("kept")]
        )
    )[0]
    assert identity in rig.sandbox.place(".cuedeck/MEMORY.md").read_text()


def test_without_a_workspace_there_is_no_worker(sandbox: Sandbox) -> None:
    with pytest.raises(WorkspaceMissing):
        open_worker(str(sandbox.root.parent), {}, lambda changes: None, writes=True)
