"""What a hook had no time for is done by whoever comes next, and it is done once."""

from __future__ import annotations

import errno
import json
import os

import pytest
from desk import Desk

from cuedeck.app.hooks.late import run_late
from cuedeck.app.hooks.run import LOCK, run
from cuedeck.app.sessions.listing import status
from cuedeck.app.sessions.resume import resume
from cuedeck.app.sessions.state import open_session
from cuedeck.cli.hook.quick import begin_turn, turn_of
from cuedeck.model.errors import StorageError
from cuedeck.model.hook import Told
from cuedeck.model.record import CHECKPOINT_TEXT
from cuedeck.store.lock import locked
from cuedeck.store.waiting import Waiting

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


@pytest.fixture
def shop(desk: Desk) -> Desk:
    desk.card("aaaaaa", "title: One", "status: active")
    desk.activate("aaaaaa")
    for name in ("a", "b", AWS):
        desk.write(f"src/{name}.py", "x = 1\n")
    desk.ok("session", "start")
    return desk


def tool(name: str, role: str = "write") -> Told:
    return Told("post-tool", "claude", session="s", role=role, files=(f"src/{name}.py",))


def last_words(text: str) -> Told:
    return Told("stop", "claude", session="s", message=text)


def bare(event: str) -> Told:
    return Told(event, "claude", session="s")


def is_open(desk: Desk) -> bool:
    return open_session(desk.project()) is not None


def touched(desk: Desk) -> dict[str, str]:
    return {each["path"]: each["role"] for each in status(desk.project())["working_set"]}


def said(desk: Desk) -> list[str]:
    place = desk.place(".cuedeck/MEMORY.md")
    lines = place.read_text().splitlines() if place.exists() else []
    return [json.loads(line[2:])["text"] for line in lines if line.startswith("- {")]


def log(desk: Desk) -> str:
    return desk.place(".cuedeck/cache/log.jsonl").read_text()


def in_time(desk: Desk, told: Told) -> list[str]:
    heard: list[str] = []
    if told.event == "stop":
        told.turn = turn_of(str(desk.root), told)
    run(str(desk.root), told, desk.environ, heard.append)
    return heard


def too_late(desk: Desk, told: Told, how: str) -> None:
    """Let an event come to nothing: its time is over, or somebody holds the lock `how`."""
    if how == "late":
        run_late(str(desk.root), told, desk.environ)
    else:
        with locked(desk.project().workspace, how):
            (heard,) = in_time(desk, told)
        assert "Locked" in heard


def test_files_of_a_tool_that_met_a_lock_are_known_to_the_next_look(shop: Desk) -> None:
    with locked(shop.project().workspace, LOCK):
        (heard,) = in_time(shop, tool("a"))
    assert "Locked" in heard and '"hook": "post-tool"' in log(shop)
    assert touched(shop) == {"src/a.py": "write"}
    assert not list(shop.place(".cuedeck/sessions").glob("*.jsonl"))


def test_what_ran_out_of_time_is_logged_and_known_to_a_resume(shop: Desk) -> None:
    run_late(str(shop.root), tool("a"), shop.environ)
    run_late(str(shop.root), tool("b", "read"), shop.environ)
    assert log(shop).count("no answer in time") == 2
    resumed = resume(shop.project())
    assert {each["path"]: each["role"] for each in resumed["working_set"]} == {"src/a.py": "write", "src/b.py": "read"}


def test_the_last_words_of_a_turn_are_remembered_by_the_next_hook_once(shop: Desk) -> None:
    run_late(str(shop.root), last_words(f"Done with {AWS}."), shop.environ)
    assert AWS not in shop.place(".cuedeck/sessions/waiting.jsonl").read_text()
    assert in_time(shop, tool("a")) == []
    assert in_time(shop, tool("b")) == []
    assert said(shop) == ["Done with <secret:aws-key:1>."]
    assert touched(shop) == {"src/a.py": "write", "src/b.py": "write"}


def test_what_is_done_already_does_not_wait(shop: Desk) -> None:
    told = last_words("Done.")
    assert in_time(shop, told) == []
    run_late(str(shop.root), told, shop.environ)
    touched(shop)
    assert said(shop) == ["Done."]


def test_a_name_that_is_a_secret_does_not_wait(shop: Desk) -> None:
    with locked(shop.project().workspace, LOCK):
        in_time(shop, tool(AWS))
    assert not shop.place(".cuedeck/sessions/waiting.jsonl").exists()
    assert AWS not in log(shop)


def test_a_name_that_nobody_had_the_time_to_look_at_goes_no_further_when_it_is_a_secret(shop: Desk) -> None:
    run_late(str(shop.root), tool(AWS), shop.environ)
    assert shop.place(".cuedeck/sessions/waiting.jsonl").stat().st_mode & 0o077 == 0
    assert touched(shop) == {}
    assert not any(AWS in place.read_text("utf-8", "replace") for place in shop.place(".cuedeck/sessions").iterdir())
    assert AWS not in log(shop)


@pytest.mark.parametrize("is_late", [True, False])
def test_of_a_tool_no_words_wait(shop: Desk, is_late: bool) -> None:
    """The answer of a tool was written raw, with the keys in it."""
    told = Told("post-tool", "vscode", session="s", role="write", files=("src/a.py",), message=f"key {AWS}")
    if is_late:
        run_late(str(shop.root), told, shop.environ)
    else:
        with locked(shop.project().workspace, LOCK):
            in_time(shop, told)
    (line,) = shop.place(".cuedeck/sessions/waiting.jsonl").read_text().splitlines()
    assert AWS not in line and json.loads(line)["files"] == ["src/a.py"]
    assert touched(shop) == {"src/a.py": "write"}


def test_words_that_met_a_busy_session_are_of_the_turn_in_which_they_were_said(shop: Desk) -> None:
    """The mark of the turn was gone before the lock was met: the same words, tried again, counted as said before."""
    words = last_words("All tests pass now, done.")
    assert in_time(shop, words) == []
    begin_turn(str(shop.root), words)
    with locked(shop.project().workspace, "sessions"):
        (heard,) = in_time(shop, last_words("All tests pass now, done."))
    assert "Locked" in heard
    in_time(shop, tool("a"))
    in_time(shop, last_words("All tests pass now, done."))
    assert said(shop) == ["All tests pass now, done."] * 2


def test_words_that_wait_are_of_their_own_turn_though_another_began_since(shop: Desk) -> None:
    """The mark of the turn that had begun went with them: the same words at its end counted as said before."""
    assert in_time(shop, tool("a")) == []
    begin_turn(str(shop.root), last_words(""))
    with locked(shop.project().workspace, LOCK):
        in_time(shop, last_words("Done."))
    begin_turn(str(shop.root), last_words(""))
    in_time(shop, tool("b"))
    for _ in range(2):
        in_time(shop, last_words("Done."))
    assert said(shop) == ["Done."] * 2


def test_words_that_wait_twice_are_said_once(shop: Desk) -> None:
    assert in_time(shop, tool("a")) == []
    begin_turn(str(shop.root), last_words(""))
    with locked(shop.project().workspace, LOCK):
        for _ in range(2):
            in_time(shop, last_words("Done."))
    in_time(shop, last_words("Done."))
    begin_turn(str(shop.root), last_words(""))
    in_time(shop, tool("b"))
    assert said(shop) == ["Done."]


def test_a_broken_line_is_passed_over_and_what_was_taken_before_a_crash_comes_first(shop: Desk) -> None:
    run_late(str(shop.root), tool("a"), shop.environ)
    waiting = shop.place(".cuedeck/sessions/waiting.jsonl")
    waiting.rename(shop.place(".cuedeck/sessions/taken.jsonl"))
    waiting.write_text('{"event"\n[]\n')
    run_late(str(shop.root), tool("b"), shop.environ)
    assert list(touched(shop)) == ["src/a.py", "src/b.py"]


def test_what_meets_another_lock_goes_on_waiting(shop: Desk) -> None:
    run_late(str(shop.root), tool("a"), shop.environ)
    with locked(shop.project().workspace, "sessions"):
        in_time(shop, tool("b"))
    assert touched(shop) == {"src/a.py": "write", "src/b.py": "write"}


def test_a_workspace_that_is_gone_is_not_made_again(shop: Desk) -> None:
    os.rename(shop.place(".cuedeck"), shop.root.parent / "away")
    run_late(str(shop.root), tool("a"), shop.environ)
    assert not shop.place(".cuedeck").exists()


def test_a_disk_that_fills_leaves_no_half_line(shop: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Waiting(shop.project().workspace)
    waiting.add(b'{"n":1}')
    write = os.write
    calls = iter([lambda handle, data: write(handle, data[:4])])

    def full(handle: int, data: bytes) -> int:
        for first in calls:
            return first(handle, data)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(StorageError):
            waiting.add(b'{"n":2}')
    waiting.add(b'{"n":3}')
    assert waiting.take() == [b'{"n":1}', b'{"n":3}']


def test_what_waits_outlives_settings_that_cannot_be_read(shop: Desk) -> None:
    """The next hook threw it away: only a lock and a disk let it go on waiting."""
    shop.write(".cuedeck/config.toml", "budget = [\n")
    assert "ConfigurationError" in in_time(shop, last_words("All done."))[0]
    in_time(shop, tool("a"))
    in_time(shop, Told("prompt", "claude", session="s", prompt="Go on."))
    shop.write(".cuedeck/config.toml", "")
    assert touched(shop) == {"src/a.py": "write"} and said(shop) == ["All done."]


@pytest.mark.parametrize("how", [LOCK, "sessions", "late"])
def test_an_end_that_was_not_handled_is_the_end_of_the_session_for_the_next_hook(shop: Desk, how: str) -> None:
    """It was dropped, and the session stayed open."""
    assert in_time(shop, tool("a")) == []
    too_late(shop, bare("session-end"), how)
    assert is_open(shop)
    in_time(shop, Told("prompt", "claude", session="other", agent="a", prompt="Look at it."))
    assert not is_open(shop)
    assert not list(shop.place(".cuedeck/sessions").glob("*.jsonl"))


@pytest.mark.parametrize("how", [LOCK, "sessions", "late"])
def test_a_compaction_that_was_not_handled_leaves_its_checkpoints_once(shop: Desk, how: str) -> None:
    """It was dropped: no record, no checkpoint, and the next prompt gave no brief."""
    in_time(shop, bare("session-start"))
    too_late(shop, bare("pre-compact"), how)
    assert said(shop) == []
    heard: list[str] = []
    told = Told("prompt", "claude", session="s", prompt="Go on with it.")
    assert "## Task" in run(str(shop.root), told, shop.environ, heard.append)
    in_time(shop, tool("b"))
    assert heard == [] and said(shop) == [CHECKPOINT_TEXT]


def test_an_end_that_waits_is_not_that_of_a_session_begun_by_hand_since(shop: Desk) -> None:
    assert in_time(shop, tool("a")) == []
    too_late(shop, bare("session-end"), "late")
    begun = shop.answer("session", "start")["session"]
    assert status(shop.project())["session"] == begun and is_open(shop)


def test_an_end_that_was_handled_does_not_wait(shop: Desk) -> None:
    told = bare("session-end")
    assert in_time(shop, told) == []
    shop.ok("session", "start")
    run_late(str(shop.root), told, shop.environ)
    assert status(shop.project())["session"] and is_open(shop)
