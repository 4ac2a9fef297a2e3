"""An engine in its thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sandbox import PATIENCE_SECONDS, Sandbox, until

from cuedeck.context.search.read_address import read_address
from cuedeck.engine.active_card import cards
from cuedeck.engine.live.change import Change
from cuedeck.engine.live.engine import Engine, open_engine
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.model.errors import NotFound, StorageError, WorkspaceMissing
from cuedeck.work.cards.edit_card import set_status


class EngineHarness:
    """An engine and its reports."""

    def __init__(self, sandbox: Sandbox, *, writes: bool = True) -> None:
        self.sandbox = sandbox
        self.reports: queue.Queue[Change] = queue.Queue()
        self.wants_scene = False
        self.engine: Engine = open_engine(str(sandbox.root), {}, writes=writes)
        self.engine.subscribe(self.reports.put, lambda: self.wants_scene)
        self.engine.start()

    def ask(self, act: Callable[..., Any]) -> Any:
        return self.engine.call(act).result(PATIENCE_SECONDS)

    def read(self, address: str) -> str:
        text: str = self.ask(lambda workspace: read_address(workspace, address))["text"]
        return text

    def next(self, holds: Callable[[Change], Any]) -> Change:
        """Return the next report that satisfies a condition."""
        while True:
            change = self.reports.get(timeout=PATIENCE_SECONDS)
            if holds(change):
                return change

    def close(self) -> None:
        self.engine.close(PATIENCE_SECONDS)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("2a9f1x", "title: Fix login", "status: active", "refs: [docs/auth.md]")
    sandbox.write("docs/auth.md", "# Auth\n\ntext\n")
    return sandbox


@pytest.fixture
def rig(shop: Sandbox) -> Iterator[EngineHarness]:
    made = EngineHarness(shop)
    yield made
    made.close()


def test_every_way_of_saving_is_seen_by_the_next_call(rig: EngineHarness) -> None:
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


def test_new_ignore_rules_are_seen_by_the_next_call(rig: EngineHarness) -> None:
    rig.read("docs/auth.md")
    rig.sandbox.write(".gitignore", "docs/\n")
    with pytest.raises(NotFound):
        rig.read("docs/auth.md")
    rig.sandbox.place(".gitignore").unlink()
    assert rig.read("docs/auth.md").startswith("# Auth")


def test_the_next_call_sees_writes_of_a_command(rig: EngineHarness) -> None:
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
    rig: EngineHarness,
) -> None:
    seen: list[int] = []
    answers = [
        rig.engine.call(lambda workspace, at=at: seen.append(at)) for at in range(50)
    ]
    with pytest.raises(NotFound):
        rig.read("docs/none.md")
    assert [answer.result(PATIENCE_SECONDS) for answer in answers] == [None] * 50
    assert seen == list(range(50))


def test_a_call_that_is_cancelled_in_time_is_not_done(rig: EngineHarness) -> None:
    started, go = threading.Event(), threading.Event()
    done: list[str] = []
    first = rig.engine.call(
        lambda workspace: (started.set(), go.wait(PATIENCE_SECONDS))
    )
    second = rig.engine.call(lambda workspace: done.append("second"))
    started.wait(PATIENCE_SECONDS)
    assert second.cancel()
    go.set()
    first.result(PATIENCE_SECONDS)
    rig.ask(lambda workspace: done.append("third"))
    assert done == ["third"]


def test_calls_that_wait_when_it_closes_fail(shop: Sandbox) -> None:
    rig = EngineHarness(shop)
    started, go = threading.Event(), threading.Event()
    first = rig.engine.call(
        lambda workspace: (started.set(), go.wait(PATIENCE_SECONDS))
    )
    second = rig.engine.call(lambda workspace: None)
    started.wait(PATIENCE_SECONDS)
    rig.engine.close(0)
    go.set()
    first.result(PATIENCE_SECONDS)
    with pytest.raises(StorageError):
        second.result(PATIENCE_SECONDS)
    rig.close()
    assert not rig.engine._thread.is_alive()


def test_changes_are_reported(rig: EngineHarness) -> None:
    rig.ask(lambda workspace: workspace.refresh())
    rig.sandbox.write("docs/auth.md", "# Auth\n\nmore\n")
    assert not rig.next(lambda change: "docs/auth.md" in change.paths).listing
    rig.sandbox.write("docs/new.md", "# New\n")
    assert rig.next(lambda change: "docs/new.md" in change.paths).listing


@pytest.mark.parametrize("is_warm", [True, False])
def test_the_scene_contains_writes_of_the_last_call(
    shop: Sandbox, is_warm: bool
) -> None:
    """A client that activated a card and left had the scene of the card before."""
    shop.card("7bk2qq", "title: Second")
    rig = EngineHarness(shop)
    if is_warm:
        until(shop.scene.exists, "the first scene")
    rig.ask(lambda workspace: set_status(workspace, "7bk2qq", "active"))
    rig.close()
    assert shop.scene.read_text().startswith("# Scene: “Second")


def test_a_worker_that_only_reads_writes_no_scene(shop: Sandbox) -> None:
    rig = EngineHarness(shop, writes=False)
    rig.wants_scene = True
    rig.read("docs/auth.md")
    rig.sandbox.write("docs/auth.md", "# Auth\n\nanother text\n")
    rig.next(lambda change: change.paths)
    rig.sandbox.write("docs/auth.md", "# Auth\n\nyet another text\n")
    assert rig.next(lambda change: change.kind == "scene")
    rig.close()
    assert not shop.scene.exists()


def test_writes_of_calls_are_durable_when_they_are_answered(rig: EngineHarness) -> None:
    identity = rig.ask(
        lambda workspace: add_records(
            workspace, memory_of(workspace), [NewRecord("kept")]
        )
    )[0]
    assert identity in rig.sandbox.place(".cuedeck/MEMORY.md").read_text()


def test_without_a_workspace_there_is_no_worker(sandbox: Sandbox) -> None:
    with pytest.raises(WorkspaceMissing):
        open_engine(str(sandbox.root.parent), {}, writes=True)
