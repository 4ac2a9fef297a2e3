"""Events are collected in bursts; changes by CueDeck and git are ignored."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable

import pytest
from sandbox import Sandbox, until

from cuedeck.model.errors import StorageError
from cuedeck.store.files.file_events import FileEvents, gather
from cuedeck.store.workspace_paths import WorkspacePaths


class Script:
    """A source that returns the given bursts at their times: (milliseconds since the
    last one, paths).
    """

    def __init__(self, *bursts: tuple[float, Iterable[str]]) -> None:
        self.now = 0.0
        self._bursts = [(wait / 1000, set(paths)) for wait, paths in bursts]

    def next(self, timeout_seconds: float) -> set[str] | None:
        if self._bursts and self._bursts[0][0] <= timeout_seconds:
            wait, paths = self._bursts.pop(0)
            self.now += wait
            return paths
        if self._bursts:
            wait, paths = self._bursts[0]
            self._bursts[0] = (wait - timeout_seconds, paths)
        self.now += timeout_seconds
        return None

    def clock(self) -> float:
        return self.now


def test_gathers_until_it_is_quiet() -> None:
    script = Script((1, "b"), (4, "c"), (6, "d"))
    assert gather(script, 5, 1_000, script.clock, 0.0) == {"b", "c"}
    assert script.next(1) == {"d"}


def test_gathers_no_longer_than_allowed() -> None:
    script = Script(*[(4, f"{number}") for number in range(100)])
    assert len(gather(script, 5, 50, script.clock, 0.0)) <= 13
    assert script.now <= 0.055


def test_work_time_counts_as_waiting_and_events_during_it_are_read() -> None:
    script = Script((0, "b"), (0, "c"), (1, "d"))
    script.now = 1.0
    assert gather(script, 5, 50, script.clock, 0.0) >= {"b"}


@pytest.fixture
def events(sandbox: Sandbox) -> Iterable[FileEvents]:
    made = FileEvents(WorkspacePaths(str(sandbox.root)))
    assert made.start()
    yield made
    made.stop()


def test_returns_changed_paths_without_own_files(
    sandbox: Sandbox, events: FileEvents
) -> None:
    for path in (
        ".cuedeck/SCENE.md",
        ".cuedeck/cache/x",
        ".git/index",
        ".git/refs/heads/main",
        "sub/.git/HEAD",
    ):
        sandbox.write(path, "x")
    sandbox.write(".git/info/exclude", "*.log\n")
    sandbox.write(".cuedeck/cachet.md", "x")
    sandbox.write("docs/last.md", "x")
    seen: set[str] = set()

    def last() -> bool:
        seen.update(events.next(0.1) or ())
        return "docs/last.md" in seen or "docs" in seen

    until(last)
    until(
        lambda: ".cuedeck/cachet.md" in seen or last() or ".cuedeck/cachet.md" in seen
    )
    assert not {path for path in seen if "cache/" in path or path.endswith("SCENE.md")}
    assert not {path for path in seen if ".git" in path} - {
        ".git",
        "sub/.git",
        ".git/info/exclude",
    }


def test_a_timeout_gives_nothing(events: FileEvents) -> None:
    until(lambda: events.next(0) is None)


def test_no_probe_stays(sandbox: Sandbox, events: FileEvents) -> None:
    assert os.listdir(sandbox.place(".cuedeck/cache")) == []


def test_an_end_of_events_is_an_error_and_not_silence(
    sandbox: Sandbox, events: FileEvents
) -> None:
    events.stop()

    def ended() -> bool:
        try:
            events.next(0.01)
        except StorageError as error:
            return "stopped reporting" in error.message
        return False

    assert until(ended)


def test_watching_starts_again_after_an_error(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that vanished while it was added ended a watch of a real system."""
    import watchfiles

    watch = watchfiles.watch
    is_frail = threading.Event()

    def frail(*roots: str, **options: object) -> Iterable[object]:
        for batch in watch(*roots, **options):  # type: ignore[arg-type]
            if is_frail.is_set():
                is_frail.clear()
                raise RuntimeError("a watched folder vanished")
            yield batch

    monkeypatch.setattr(watchfiles, "watch", frail)
    events = FileEvents(WorkspacePaths(str(sandbox.root)))
    events.start()
    is_frail.set()
    sandbox.write("docs/a.md", "x")
    until(lambda: "." in (events.next(0.01) or ()))
    sandbox.write("docs/b.md", "x")
    until(lambda: not {"docs", "docs/b.md"}.isdisjoint(events.next(0.1) or ()))
    events.stop()


def test_without_events_polling_serves(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on network shares."""
    import watchfiles

    watch = watchfiles.watch

    def deaf(*roots: str, **options: object) -> Iterable[object]:
        if not options["force_polling"]:
            return iter(())
        return watch(*roots, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(watchfiles, "watch", deaf)
    events = FileEvents(WorkspacePaths(str(sandbox.root)))
    assert events.start() is False
    sandbox.write("docs/a.md", "x")
    until(lambda: "docs/a.md" in (events.next(0.1) or ()))
    events.stop()


def test_without_file_events_the_reason_is_given(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def refuse(*_: object, **__: object) -> Iterable[object]:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", refuse)
    with pytest.raises(StorageError, match="reports no file changes"):
        FileEvents(WorkspacePaths(str(sandbox.root))).start()
