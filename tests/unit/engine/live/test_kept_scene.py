"""The scene that an engine keeps up to date."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox
from stepped_engine import SteppedEngine

from cuedeck.context.scene import build_scene
from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.deliver_scene import verify_scene
from cuedeck.engine.live import scene_keeper
from cuedeck.model.errors import CueDeckError, Stale


def look(sandbox: Sandbox) -> dict[str, tuple[int, int]]:
    """Return the inode and the time of modification of every file, by path; without the
    cache.
    """
    files = (
        path
        for path in sandbox.root.rglob("*")
        if path.is_file() and "cache" not in path.parts
    )
    states = (
        (path.relative_to(sandbox.root).as_posix(), path.stat()) for path in files
    )
    return {path: (state.st_ino, state.st_mtime_ns) for path, state in states}


def is_true(engine: SteppedEngine) -> bool:
    """Return whether SCENE.md matches the files."""
    return verify_scene(engine.sandbox.workspace(), Request()) == ""


@pytest.fixture
def watched(sandbox: Sandbox) -> SteppedEngine:
    sandbox.card("aaaaaa", "refs: [docs/a.md]")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/a.md", "# A\n")
    sandbox.write("docs/b.md", "# B\n")
    return SteppedEngine(sandbox)


def kinds(reports: Iterable[dict[str, Any]]) -> list[str]:
    return [each["event"] for each in reports]


def test_a_save_is_a_scene(watched: SteppedEngine) -> None:
    watched.sandbox.write("docs/a.md", "# A\n\nmore\n")
    (event,) = watched.burst("docs/a.md")
    assert list(event) == [
        "event",
        "changed",
        "more",
        "card",
        "ms",
        "tokens",
        "written",
        "writes",
    ]
    assert (event["changed"], event["card"], event["written"]) == (
        ["docs/a.md"],
        ".cuedeck/cards/aaaaaa.md",
        True,
    )
    assert set(event["ms"]) == {"scan", "build", "write", "all"}
    assert is_true(watched)


def test_an_event_without_a_change_is_no_scene(watched: SteppedEngine) -> None:
    watched.sandbox.place("docs/a.md").touch()
    assert watched.burst("docs/a.md", "docs") == []


def test_a_change_that_does_not_show_writes_nothing(watched: SteppedEngine) -> None:
    watched.sandbox.write("docs/b.md", "# B\n\nmore\n")
    before = look(watched.sandbox)
    assert watched.burst("docs/b.md") == []
    assert look(watched.sandbox) == before


def test_a_moved_head_is_a_scene_though_no_file_changed(watched: SteppedEngine) -> None:
    watched.sandbox.scene.unlink()  # the next build restores it, and so is seen
    move_head(watched.sandbox)
    (event,) = watched.burst(".git/HEAD")
    assert (event["changed"], event["written"]) == ([".git/HEAD"], True)
    watched.sandbox.scene.unlink()
    assert watched.burst(".git/HEAD") == [], "it did not move"


def move_head(sandbox: Sandbox) -> None:
    sandbox.git("init", "-q")
    sandbox.git("commit", "-q", "--allow-empty", "-m", "Move")


def test_a_moved_head_is_nothing_where_history_is_no_input(
    watched: SteppedEngine,
) -> None:
    watched.sandbox.write(".cuedeck/config.toml", "[scene]\nrelated = false\n")
    watched.burst(".cuedeck/config.toml")
    move_head(watched.sandbox)
    assert watched.burst(".git/HEAD") == []


def test_a_move_of_head_during_a_build_causes_a_rebuild(watched: SteppedEngine) -> None:
    watched.sandbox.write("docs/a.md", "# One\n")
    watched.notice("docs/a.md")
    move_head(watched.sandbox)
    watched.burst(".git/HEAD")
    assert [each["changed"] for each in watched.reports] == [["docs/a.md", ".git/HEAD"]]


def test_a_hidden_file_is_no_scene(watched: SteppedEngine) -> None:
    watched.sandbox.write(".gitignore", "*.log\n")
    watched.burst(".gitignore")
    watched.sandbox.scene.unlink()  # a build would restore it
    watched.sandbox.write("x.log", "x")
    assert watched.burst("x.log") == []
    assert not watched.sandbox.scene.exists()


def test_the_original_failed_after_a_deleted_file_and_a_save(
    watched: SteppedEngine,
) -> None:
    """The watch of the original panicked, since the graph still contained the deleted
    file.
    """
    watched.sandbox.place("docs/a.md").unlink()
    assert kinds(watched.burst("docs/a.md")) == ["scene"]
    assert is_true(watched)
    watched.sandbox.write("docs/b.md", "# B\n\n[a](a.md)\n")
    watched.burst("docs/b.md")
    assert is_true(watched)
    watched.sandbox.write("docs/a.md", "# Back\n")
    assert kinds(watched.burst("docs/a.md")) == ["scene"]
    assert is_true(watched)


def test_a_second_save_of_the_same_file_while_the_first_is_built_arrives(
    watched: SteppedEngine,
) -> None:
    """The original lost the second of two quick saves."""
    watched.sandbox.write("docs/a.md", "# One\n")
    watched.notice("docs/a.md")
    watched.sandbox.write("docs/a.md", "# Two\n")
    watched.burst("docs/a.md")
    assert "# Two" in watched.sandbox.scene.read_text()
    assert kinds(watched.reports) == ["scene"]


def test_a_failure_while_more_comes_is_tried_again(
    watched: SteppedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = build_scene.build
    turns: list[int] = []

    def fail_once(*arguments: object) -> object:
        turns.append(1)
        if len(turns) == 1:
            raise Stale("docs/a.md")
        return build(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(build_scene, "build", fail_once)
    watched.sandbox.write("docs/a.md", "# One\n")
    watched.notice("docs/a.md")
    watched.burst("docs/a.md")
    assert kinds(watched.reports) == ["scene"]
    assert is_true(watched)


def test_a_file_that_was_just_emptied_is_waited_for(watched: SteppedEngine) -> None:
    """The original often kept the empty file that an editor leaves between truncating
    and writing.
    """
    watched.sandbox.write("docs/a.md", "")
    watched.notice("docs/a.md")
    assert watched.engine._debounce.seconds_left > 0.01
    watched.sandbox.write("docs/a.md", "# Whole\n")
    assert kinds(watched.burst("docs/a.md")) == ["scene"]
    assert "# Whole" in watched.sandbox.scene.read_text()


def test_an_engine_with_patience_answers_before_it_builds(
    watched: SteppedEngine,
) -> None:
    engine = watched.engine
    engine._patience = 1_000
    engine._scene.is_early = False
    watched.sandbox.write("docs/a.md", "# Patient\n")
    watched.notice("docs/a.md")
    assert engine._scene._built is None
    assert engine._seconds_left() > 900
    engine._patience = 0
    assert engine._seconds_left() < 1


def test_a_build_gives_way_to_a_call(watched: SteppedEngine) -> None:
    scene = watched.engine._scene
    scene.is_early = False
    calls = iter([False, True])
    scene.is_called = lambda: next(calls, False)
    watched.sandbox.write("docs/a.md", "# Later\n")
    assert kinds(watched.burst("docs/a.md")) == []
    assert kinds(watched.finish()) == ["scene"]
    assert is_true(watched)


@pytest.mark.parametrize("path", ["src/a.py", ".env"])
def test_a_belief_that_a_save_makes_false_is_noted_without_a_session(
    watched: SteppedEngine, path: str
) -> None:
    sandbox = watched.sandbox
    sandbox.write(".gitignore", ".env\n")
    sandbox.write(path, "TOKEN=1\n")
    check = f'{{ file_exists = "{path}" }}'
    sandbox.write(
        ".cuedeck/assumptions.toml",
        f'[[assumption]]\nid = "a"\ntext = "It is there"\ncheck = {check}\n',
    )
    watched.burst(path, ".gitignore", ".cuedeck/assumptions.toml")
    watched.idle()
    assert "no longer hold" not in sandbox.scene.read_text()
    sandbox.place(path).unlink()
    watched.burst(path)
    watched.idle()
    assert "no longer hold" in sandbox.scene.read_text()
    assert '"invalidated"' in sandbox.place(".cuedeck/assumptions.jsonl").read_text()
    assert is_true(watched)


def test_broken_settings_leave_the_scene_and_their_mending_updates_it(
    watched: SteppedEngine,
) -> None:
    before = watched.sandbox.scene.read_bytes()
    watched.sandbox.write(".cuedeck/config.toml", "[scene\n")
    (event,) = watched.burst(".cuedeck/config.toml")
    assert (event["event"], event["code"]) == ("error", 1012)
    watched.sandbox.write("docs/a.md", "# While broken\n")
    assert kinds(watched.burst("docs/a.md")) == ["error"]
    assert watched.sandbox.scene.read_bytes() == before
    watched.sandbox.write(".cuedeck/config.toml", "")
    assert kinds(watched.burst(".cuedeck/config.toml")) == ["scene"]
    assert "# While broken" in watched.sandbox.scene.read_text()
    assert is_true(watched)


def test_another_card_becomes_active(watched: SteppedEngine) -> None:
    watched.sandbox.card("bbbbbb", "refs: [docs/b.md]")
    watched.burst(".cuedeck/cards/bbbbbb.md")
    watched.sandbox.activate("bbbbbb")
    (event,) = watched.burst(".cuedeck/active")
    assert (event["card"], event["changed"]) == (".cuedeck/cards/bbbbbb.md", [])
    assert is_true(watched)


def test_without_an_active_card_the_scene_reports_it(watched: SteppedEngine) -> None:
    watched.sandbox.activate("zzzzzz")
    answer = watched.burst(".cuedeck/active")
    assert sorted(kinds(answer)) == ["error", "scene"]
    assert "no active card" in watched.sandbox.scene.read_text()
    watched.sandbox.activate("aaaaaa")
    assert kinds(watched.burst(".cuedeck/active")) == ["scene"]
    assert is_true(watched)


def test_a_folder_moves_in_one_event(watched: SteppedEngine) -> None:
    watched.sandbox.place("docs").rename(watched.sandbox.place("texts"))
    watched.burst("docs", "texts")
    assert is_true(watched)
    watched.sandbox.place("texts").rename(watched.sandbox.place("docs"))
    watched.burst("docs", "texts")
    assert is_true(watched)


def test_files_added_unnoticed_to_a_new_folder_are_found_when_idle(
    watched: SteppedEngine,
) -> None:
    watched.sandbox.place("new").mkdir()
    watched.sandbox.write("docs/a.md", "[[late]]\n")
    watched.burst("new", "docs/a.md")
    watched.sandbox.write("new/late.md", "# Late\n")
    (event,) = watched.idle()
    assert event["changed"] == ["new/late.md"]
    assert is_true(watched)
    assert watched.idle() == []


def test_files_indexed_by_another_command_are_built(watched: SteppedEngine) -> None:
    """The index is shared: `cuedeck list` may have seen the change first."""
    watched.sandbox.write("docs/a.md", "# Changed\n")
    watched.sandbox.workspace().refresh()
    assert kinds(watched.burst("docs/a.md")) == ["scene"]
    assert is_true(watched)


def test_the_cache_may_be_cleaned_meanwhile(watched: SteppedEngine) -> None:
    shutil.rmtree(watched.sandbox.place(".cuedeck/cache"))
    watched.sandbox.write("docs/a.md", "# Changed\n")
    assert kinds(watched.burst("docs/a.md")) == ["scene"]
    assert is_true(watched)


@pytest.mark.parametrize("act", ["delete", "edit"])
def test_an_edited_scene_is_restored_by_the_next_build(
    watched: SteppedEngine, act: str
) -> None:
    if act == "delete":
        watched.sandbox.scene.unlink()
    else:
        watched.sandbox.scene.write_text("mine")
    watched.sandbox.write("docs/b.md", "# Not shown\n")
    (event,) = watched.burst("docs/b.md")
    assert event["written"]
    assert is_true(watched)


def test_a_scene_that_could_not_be_written_is_still_owed(
    watched: SteppedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bool:
        raise CueDeckError("disk full")

    watched.sandbox.write("docs/a.md", "# Changed\n")
    with monkeypatch.context() as patch:
        patch.setattr(scene_keeper, "write_scene", refuse)
        assert kinds(watched.burst("docs/a.md")) == ["error"]
    watched.sandbox.write("x.txt", "unrelated")
    watched.burst("x.txt")
    assert is_true(watched)


def test_an_internal_error_is_reported_and_survived(
    watched: SteppedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("x")

    watched.sandbox.write("docs/a.md", "# Changed\n")
    with monkeypatch.context() as patch:
        patch.setattr(build_scene, "build", fail)
        (event,) = watched.burst("docs/a.md")
    assert (event["event"], event["code"]) == ("error", 1000)
    assert "ZeroDivisionError" in event["message"]
    assert kinds(watched.burst(".cuedeck/active")) == ["scene"]
    assert is_true(watched)


def test_a_command_uses_the_cached_scene_of_the_watcher(watched: SteppedEngine) -> None:
    watched.sandbox.write("docs/a.md", "# Changed\n")
    watched.burst("docs/a.md")
    assert (
        make_scene(watched.sandbox.workspace(), Request()).text
        == watched.sandbox.scene.read_text()
    )


def age_session(sandbox: Sandbox) -> Path:
    """Start a session whose last checkpoint is an hour old; return its file."""
    sandbox.ok("session", "start")
    (place,) = (
        path
        for path in sandbox.place(".cuedeck/sessions").glob("*.json")
        if ".backup" not in path.name
    )
    value = json.loads(place.read_text())
    hour_ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    value["createdAt"] = value["lastAccess"] = value["checkpoints"][0]["timestamp"] = (
        hour_ago
    )
    place.write_text(json.dumps(value))
    return place


def test_a_scene_after_an_error_is_reported_though_it_is_unchanged(
    watched: SteppedEngine,
) -> None:
    watched.sandbox.write(".cuedeck/config.toml", "[scene\n")
    assert kinds(watched.burst(".cuedeck/config.toml")) == ["error"]
    watched.sandbox.write(".cuedeck/config.toml", "")
    (event,) = watched.burst(".cuedeck/config.toml")
    assert (event["event"], event["written"]) == ("scene", False)
    watched.sandbox.write(".cuedeck/config.toml", "# nothing\n")
    assert watched.burst(".cuedeck/config.toml") == []


def run(engine: SteppedEngine, seen: dict[str, Any], seconds: int) -> list[str]:
    """Process the events of many seconds without waiting; return the paths that were
    written, one entry per write.
    """
    engine.reports.clear()
    written: list[str] = []
    for _ in range(seconds):
        now = look(engine.sandbox)
        changed = {
            path for path in now.keys() | seen.keys() if now.get(path) != seen.get(path)
        }
        written += sorted(changed)
        seen.clear()
        seen.update(now)
        engine.notice(*changed - {".cuedeck/SCENE.md"})
        engine.finish()
        engine.engine._tick()
        engine.finish()
    return written


@pytest.mark.slow
def test_an_idle_watcher_with_an_old_session_writes_and_reports_nothing(
    sandbox: Sandbox,
) -> None:
    sandbox.card("aaaaaa", "status: active", "refs: [docs/a.md]")
    sandbox.write("docs/a.md", "# A\n")
    place = age_session(sandbox)
    watch = SteppedEngine(sandbox)
    seen = look(sandbox)
    assert run(watch, seen, 600) == []
    assert watch.reports == []
    sandbox.write("docs/a.md", "# A\n\nmore\n")
    written = run(watch, seen, 600)
    assert kinds(watch.reports) == ["scene"]
    assert watch.reports[0]["changed"] == ["docs/a.md"]
    assert written.count(".cuedeck/SCENE.md") == 1
    checkpoints = json.loads(place.read_text())["checkpoints"]
    assert [each["written"] for each in checkpoints] == [[], ["docs/a.md"]]
    assert run(watch, seen, 600) == []
    assert watch.reports == []
