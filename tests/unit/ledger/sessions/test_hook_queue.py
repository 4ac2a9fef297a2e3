"""The queue of hook events: durable, private, in order, and never through a link."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from cuedeck.ledger.sessions import hook_queue
from cuedeck.ledger.sessions.hook_queue import HookQueue
from cuedeck.model.errors import StorageError
from cuedeck.model.hook_event import HookEvent
from cuedeck.store.files import private_folder


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    tmp_path = tmp_path / "work"
    tmp_path.mkdir()
    (tmp_path / ".cuedeck").mkdir()
    return Path(os.path.realpath(tmp_path))


def stop(text: str) -> HookEvent:
    return HookEvent(
        "stop",
        "claude",
        session="s",
        message=text,
        turn="t",
        folder="/elsewhere",
        prompt="go",
    )


def pending(root: Path) -> list[Path]:
    return sorted((root / ".cuedeck/sessions/pending").glob("*/*"))


def test_an_event_is_one_private_file_with_the_fields_that_are_needed(
    root: Path,
) -> None:
    event = HookQueue(str(root)).add(stop("  Done.\n"))
    (place,) = pending(root)
    assert place.name == event.name == f"{event.id}.0.json"
    assert (
        stat.S_IMODE(place.stat().st_mode) == 0o600
        and stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    )
    kept = json.loads(place.read_text())
    assert kept["message"] == "Done." and {"folder", "prompt", "source"}.isdisjoint(
        kept
    )


def test_events_come_in_the_order_in_which_they_were_added_though_the_clock_goes_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = HookQueue(str(root))
    moments = iter([3_000, 1_000, 1_000, 2_000])
    monkeypatch.setattr(hook_queue.time, "time_ns", lambda: next(moments))
    added = [queue.add(stop(str(number))).id for number in range(4)]
    assert [each.id for each in queue.events()] == added
    assert [
        answer.message for each in queue.events() if (answer := queue.read(each))
    ] == ["0", "1", "2", "3"]


def test_a_try_is_counted_before_and_taken_back(root: Path) -> None:
    queue = HookQueue(str(root))
    started = queue.begin(queue.add(stop("Done.")))
    (seen,) = queue.events()
    answer = queue.read(seen)
    assert (
        seen.tries == started.tries == 1
        and answer is not None
        and answer.is_retry
        and answer.id == started.id
    )
    queue.put_back(started)
    assert [each.tries for each in queue.events()] == [0]


def test_an_event_is_removed_or_set_aside_and_kept(root: Path) -> None:
    queue = HookQueue(str(root))
    first, second = queue.add(stop("1")), queue.add(stop("2"))
    queue.remove(first)
    queue.remove(first)
    queue.set_aside(second)
    assert queue.is_empty
    assert [each.name for each in pending(root)] == [f"{second.name}.aside"]
    assert queue.aside() == [str(pending(root)[0].relative_to(root))]


@pytest.mark.parametrize("link", [".cuedeck/sessions", ".cuedeck/sessions/pending"])
def test_nothing_is_written_through_a_link(root: Path, link: str) -> None:
    outside = root / "outside"
    outside.mkdir()
    (root / link).parent.mkdir(exist_ok=True)
    (root / link).symlink_to(outside)
    queue = HookQueue(str(root))
    with pytest.raises(StorageError):
        queue.add(stop("Done."))
    assert list(outside.iterdir()) == [] and queue.is_empty


def test_a_workspace_that_is_gone_is_not_made_again(root: Path) -> None:
    (root / ".cuedeck").rmdir()
    with pytest.raises(StorageError):
        HookQueue(str(root)).add(stop("Done."))
    assert list(root.iterdir()) == []


def test_a_long_queue_refuses_files_of_tools_and_nothing_else(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook_queue, "MOST_DROPPABLE", 2)
    queue = HookQueue(str(root))
    tool = HookEvent("post-tool", "claude", session="s", files=("src/a.py",))
    queue.add(tool)
    queue.add(tool)
    with pytest.raises(StorageError, match="2 hook events are already queued"):
        queue.add(tool)
    for event in ("stop", "pre-compact", "session-end"):
        queue.add(HookEvent(event, "claude", session="s"))
    assert len(queue.events()) == 5


def test_foreign_files_in_the_queue_are_ignored(root: Path) -> None:
    queue = HookQueue(str(root))
    queue.add(stop("Done."))
    folder = pending(root)[0].parent
    stamped = (
        f"{'9' * 235}-a.0.json",
        f"{'9' * 20}-aaaaaaaa.0.json",
        f"0{'1' * 19}-aaaaaaaa.{'1' * 9}.json",
    )
    for name in (
        "notes.txt",
        ".x.json.7.tmp",
        "x.json",
        "1-a.b.json",
        "1-$(x).0.json",
        *stamped,
    ):
        (folder / name).write_text("{}")
    queue.remove(queue.add(stop("After it.")))
    broken = folder / "00000000000000000001-aaaaaaaa.0.json"
    for text in ("", "{", "[]", "[" * 9_999, '{"files": 7}'):
        broken.write_text(text)
        first, second = queue.events()
        assert queue.read(first) is None and queue.read(second) is not None


def test_the_last_stamp_is_the_largest(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = HookQueue(str(root))
    monkeypatch.setattr(hook_queue.time, "time_ns", lambda: 10**30)
    added = {queue.add(stop("1")).id, queue.add(stop("2")).id}
    assert {each.id for each in queue.events()} == added


def test_without_a_key_no_event_is_queued_and_the_error_names_the_reason(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        private_folder, "state_folders", lambda: iter([str(root / ".cuedeck/no/such")])
    )
    monkeypatch.setattr(private_folder, "_make", lambda folder: None)
    queue = HookQueue(str(root))
    assert queue.is_empty and list(queue.aside()) == []
    with pytest.raises(StorageError, match="no folder for the key"):
        queue.add(stop("Done."))
