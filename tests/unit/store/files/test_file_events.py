"""Events are collected; changes by CueDeck and git are ignored."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import pytest
from sandbox import Sandbox, until

from cuedeck.model.errors import StorageError
from cuedeck.store.files.file_events import FileEvents
from cuedeck.store.workspace_paths import WorkspacePaths


@pytest.fixture
def events(sandbox: Sandbox) -> Iterable[FileEvents]:
    made = FileEvents(WorkspacePaths(str(sandbox.root)), lambda: None)
    assert made.start()
    yield made
    made.stop()


def test_returns_changed_paths_without_own_files(
    sandbox: Sandbox, events: FileEvents
) -> None:
    for path in (
        ".cuedeck/SCENE.md",
        ".cuedeck/cache/x",
        ".git/objects/x",
        "sub/.git/HEAD",
    ):
        sandbox.write(path, "x")
    sandbox.write(".git/info/exclude", "*.log\n")
    sandbox.write(".cuedeck/cachet.md", "x")
    sandbox.write("docs/last.md", "x")
    seen: set[str] = set()

    def last() -> bool:
        seen.update(events.pending())
        return "docs/last.md" in seen or "docs" in seen

    until(last)
    until(
        lambda: ".cuedeck/cachet.md" in seen or last() or ".cuedeck/cachet.md" in seen
    )
    assert not {path for path in seen if "cache/" in path or path.endswith("SCENE.md")}
    assert {path for path in seen if ".git" in path} <= {".git/HEAD", "sub/.git"}


def test_the_barrier_waits_for_earlier_writes(
    sandbox: Sandbox, events: FileEvents
) -> None:
    for number in range(20):
        sandbox.write("docs/a.md", str(number))
        changed = events.settled(20)
        assert changed is not None and {"docs", "docs/a.md"} & changed


def test_an_end_of_events_is_noticed(events: FileEvents) -> None:
    assert not events.has_ended
    events.stop()
    assert until(lambda: events.has_ended)


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
    events = FileEvents(WorkspacePaths(str(sandbox.root)), lambda: None)
    events.start()
    is_frail.set()
    sandbox.write("docs/a.md", "x")
    until(lambda: "." in events.pending())
    sandbox.write("docs/b.md", "x")
    until(lambda: not {"docs", "docs/b.md"}.isdisjoint(events.pending()))
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
    events = FileEvents(WorkspacePaths(str(sandbox.root)), lambda: None)
    assert events.start() is False
    sandbox.write("docs/a.md", "x")
    until(lambda: "docs/a.md" in events.pending())
    events.stop()


def test_without_file_events_the_reason_is_given(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def refuse(*_: object, **__: object) -> Iterable[object]:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", refuse)
    with pytest.raises(StorageError, match="reports no file changes"):
        FileEvents(WorkspacePaths(str(sandbox.root)), lambda: None).start()
