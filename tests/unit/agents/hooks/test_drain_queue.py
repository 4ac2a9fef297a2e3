"""Events in the queue are processed by the next process that has the lock, in order and
in effect once.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.agents.hooks import dispatch
from cuedeck.agents.hooks.dispatch import process_queue, run
from cuedeck.agents.hooks.enqueue_event import QUEUED, enqueue
from cuedeck.agents.hooks.hook_context import HookContext
from cuedeck.engine.open_session import open_session
from cuedeck.ledger.sessions.hook_queue import LOCK, HookQueue
from cuedeck.model.hook_event import HookEvent
from cuedeck.model.memory_record import CHECKPOINT_TEXT
from cuedeck.model.statement import Statement
from cuedeck.shells.hook.fast_path import begin_turn, turn_of
from cuedeck.store.files.file_lock import locked
from cuedeck.work.sessions.list_sessions import status

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
POISON = "This is a poison."


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: One", "status: active")
    sandbox.activate("aaaaaa")
    for name in ("a", "b", AWS):
        sandbox.write(f"src/{name}.py", "x = 1\n")
    sandbox.ok("session", "start")
    return sandbox


def tool(name: str, role: str = "write") -> HookEvent:
    return HookEvent(
        "post-tool", "claude", session="s", role=role, files=(f"src/{name}.py",)
    )


def last_words(text: str) -> HookEvent:
    return HookEvent("stop", "claude", session="s", message=text)


def plain_event(event: str) -> HookEvent:
    return HookEvent(event, "claude", session="s")


def is_open(sandbox: Sandbox) -> bool:
    return open_session(sandbox.workspace().sessions) is not None


def touched(sandbox: Sandbox) -> dict[str, str]:
    return {
        each["path"]: each["role"]
        for each in status(sandbox.workspace())["working_set"]
    }


def record_texts(sandbox: Sandbox) -> list[str]:
    place = sandbox.place(".cuedeck/MEMORY.md")
    lines = place.read_text().splitlines() if place.exists() else []
    return [json.loads(line[2:])["text"] for line in lines if line.startswith("- {")]


def checkpoints(sandbox: Sandbox) -> int:
    """Return the number of checkpoints of all sessions."""
    places = (
        place
        for place in sandbox.place(".cuedeck/sessions").glob("*.json")
        if "backup" not in place.name
    )
    return sum(len(json.loads(place.read_text())["checkpoints"]) for place in places)


def log(sandbox: Sandbox) -> str:
    return sandbox.place(".cuedeck/cache/log.jsonl").read_text()


def add(sandbox: Sandbox, event: HookEvent) -> None:
    """Put an event into the queue, as a hook does that is killed then."""
    if event.event == "stop":
        event.turn = turn_of(str(sandbox.root), event)
    assert enqueue(str(sandbox.root), event) == ""


def in_time(sandbox: Sandbox, event: HookEvent) -> list[str]:
    """Run a hook; return the problems that it reports."""
    received: list[str] = []
    if event.event in QUEUED:
        add(sandbox, event)
    run(str(sandbox.root), event, sandbox.environ, received.append)
    return received


def too_late(sandbox: Sandbox, event: HookEvent, how: str) -> None:
    """Run a hook that cannot process its event: it is killed, or another process holds
    the lock `how`.
    """
    if how == "killed":
        add(sandbox, event)
        return
    with locked(sandbox.workspace().paths, how):
        received = in_time(sandbox, event)
    assert bool(received) == (how != LOCK)


def queued(sandbox: Sandbox) -> Path:
    """Return the folder of the queue."""
    return sandbox.place(".cuedeck/sessions/pending") / sandbox.private("").name


def pending(sandbox: Sandbox) -> list[str]:
    """Return the texts of the events in the queue."""
    folder = sandbox.place(".cuedeck/sessions/pending")
    return [place.read_text() for place in sorted(folder.glob("*/*.json"))]


def test_files_of_a_tool_that_met_the_lock_of_the_queue_are_known_to_the_next_look(
    shop: Sandbox,
) -> None:
    with locked(shop.workspace().paths, LOCK):
        assert in_time(shop, tool("a")) == []
    assert len(pending(shop)) == 1
    assert touched(shop) == {"src/a.py": "write"}
    assert pending(shop) == []


@pytest.mark.parametrize(
    "command", [("resume",), ("session", "status"), ("memory", "tick")]
)
def test_a_command_that_opens_the_session_processes_the_events_that_wait(
    shop: Sandbox, command: tuple[str, ...]
) -> None:
    add(shop, last_words("The parser works now."))
    shop.ok(*command)
    assert record_texts(shop) == ["The parser works now."] and pending(shop) == []


def test_the_last_words_of_a_turn_are_remembered_by_the_next_hook_once_and_masked(
    shop: Sandbox,
) -> None:
    add(shop, last_words(f"I am done with {AWS}."))
    assert in_time(shop, tool("a")) == []
    assert in_time(shop, tool("b")) == []
    assert record_texts(shop) == ["I am done with <secret:aws-key:1>."]
    assert touched(shop) == {"src/a.py": "write", "src/b.py": "write"}
    assert not any(
        AWS.encode() in data
        for path, data in shop.bytes().items()
        if not path.startswith("src/")
    )


def test_the_name_of_a_file_that_is_a_secret_goes_no_further_than_the_queue(
    shop: Sandbox,
) -> None:
    add(shop, tool(AWS))
    assert touched(shop) == {} and pending(shop) == []
    private = (place for place in shop.place(".cuedeck").rglob("*") if place.is_file())
    assert not any(
        AWS.encode() in place.read_bytes()
        for place in private
        if "index.sqlite" not in place.name
    )


def test_words_of_a_transcript_are_those_of_the_moment_when_the_turn_ended(
    shop: Sandbox,
) -> None:
    place = shop.root.parent / "conversation.jsonl"
    rows = [
        {"role": role, "content": f"It was {when} this."}
        for role, when in (
            ("assistant", "before"),
            ("user", ""),
            ("assistant", "after"),
        )
    ]
    lines = [f"{json.dumps(row)}\n" for row in rows]
    place.write_text(lines[0])
    add(shop, HookEvent("stop", "cursor", session="s", transcript=str(place)))
    place.write_text("".join(lines))
    touched(shop)
    assert record_texts(shop) == ["It was before this."]


def test_messages_queued_by_a_busy_session_belong_to_their_turn(shop: Sandbox) -> None:
    """The mark of the turn was removed before the lock was tried, so that the message
    of the second attempt counted as a repetition.
    """
    words = last_words("All tests pass now, done.")
    assert in_time(shop, words) == []
    begin_turn(str(shop.root), words)
    with locked(shop.workspace().paths, "sessions"):
        (received,) = in_time(shop, last_words("All tests pass now, done."))
    assert "Locked" in received and '"hook": "stop"' in log(shop)
    in_time(shop, tool("a"))
    in_time(shop, last_words("All tests pass now, done."))
    assert record_texts(shop) == ["All tests pass now, done."] * 2


def test_an_event_that_cannot_be_queued_is_processed_all_the_same(
    shop: Sandbox,
) -> None:
    shop.write(".cuedeck/sessions/pending", "")
    answer = last_words("The parser works now.")
    assert "cannot write" in enqueue(str(shop.root), answer) and answer.id == ""
    assert run(str(shop.root), answer, shop.environ, lambda text: None) == ""
    assert record_texts(shop) == ["The parser works now."]


def test_queued_events_survive_invalid_settings(shop: Sandbox) -> None:
    """The next hook discarded the event: only a held lock or a failing disk left an
    event in the queue.
    """
    shop.write(".cuedeck/config.toml", "budget = [\n")
    assert "ConfigurationError" in in_time(shop, last_words("It is all done."))[0]
    in_time(shop, tool("a"))
    in_time(shop, HookEvent("prompt", "claude", session="s", prompt="Go on."))
    shop.write(".cuedeck/config.toml", "")
    assert touched(shop) == {"src/a.py": "write"} and record_texts(shop) == [
        "It is all done."
    ]


@pytest.mark.parametrize("how", [LOCK, "sessions", "killed"])
def test_an_end_that_was_not_handled_is_the_end_of_the_session_for_the_next_hook(
    shop: Sandbox, how: str
) -> None:
    """The end of the session was dropped, and the session stayed open."""
    assert in_time(shop, tool("a")) == []
    too_late(shop, plain_event("session-end"), how)
    assert is_open(shop)
    in_time(
        shop,
        HookEvent("prompt", "claude", session="other", agent="a", prompt="Look at it."),
    )
    assert not is_open(shop)
    assert pending(shop) == []


@pytest.mark.parametrize("how", [LOCK, "sessions", "killed"])
def test_a_compaction_that_was_not_handled_leaves_its_checkpoints_once(
    shop: Sandbox, how: str
) -> None:
    """The event was dropped: no record and no checkpoint were written, and the next
    prompt gave no brief.
    """
    in_time(shop, plain_event("session-start"))
    too_late(shop, plain_event("pre-compact"), how)
    assert record_texts(shop) == []
    received: list[str] = []
    answer = HookEvent("prompt", "claude", session="s", prompt="Go on with it.")
    assert "## Task" in run(str(shop.root), answer, shop.environ, received.append)
    in_time(shop, tool("b"))
    assert received == [] and record_texts(shop) == [CHECKPOINT_TEXT]


def test_an_end_that_waits_is_not_that_of_a_session_that_was_gone_on_with_since(
    shop: Sandbox,
) -> None:
    """A holder of the lock kept the queue, and the host started the same session
    again.
    """
    in_time(shop, plain_event("session-start"))
    event = HookQueue(str(shop.root)).add(plain_event("session-end"))
    place = queued(shop) / event.name
    kept = place.read_bytes()
    place.unlink()
    in_time(shop, plain_event("session-start"))
    place.write_bytes(kept)
    in_time(shop, tool("a"))
    assert is_open(shop) and pending(shop) == []


@pytest.mark.parametrize(
    "event",
    [
        last_words("The parser works now."),
        tool("a"),
        plain_event("pre-compact"),
        plain_event("session-end"),
    ],
)
def test_an_event_that_was_processed_but_not_removed_has_no_second_effect(
    shop: Sandbox, event: HookEvent
) -> None:
    """A process was killed at the last moment, after the state was written, or just
    before that.
    """
    in_time(shop, plain_event("session-start"))
    add(shop, event)
    (name,) = os.listdir(queued(shop))
    states = {
        place: place.read_bytes() for place in shop.private("hooks").glob("*.json")
    }
    place = queued(shop) / name
    kept = place.read_bytes()
    process_queue(shop.workspace())
    after = (record_texts(shop), is_open(shop), checkpoints(shop))
    assert len(after[0]) == (event.event in ("stop", "pre-compact"))
    for is_state_lost in (False, True):
        place.with_name(name.replace(".0.", ".1.")).write_bytes(kept)
        for state, data in states.items():
            if is_state_lost:
                state.write_bytes(data)
        process_queue(shop.workspace())
        assert (
            record_texts(shop),
            is_open(shop),
            checkpoints(shop),
        ) == after and pending(shop) == []


def test_an_event_that_fails_is_set_aside_and_stops_no_other_session(
    shop: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cuedeck.agents.hooks import on_stop

    real = on_stop.capture_turn

    def failing_capture(context: HookContext, message: str) -> list[Statement]:
        if message == POISON:
            raise ZeroDivisionError("poison")
        return real(context, message)

    monkeypatch.setattr(on_stop, "capture_turn", failing_capture)
    (received,) = in_time(shop, last_words(POISON))
    assert "ZeroDivisionError" in received
    in_time(shop, last_words("It came after it."))
    in_time(
        shop,
        HookEvent("stop", "claude", session="other", message="It was somewhere else."),
    )
    assert record_texts(shop) == ["It was somewhere else."]
    for _ in range(dispatch.MOST_TRIES):
        process_queue(shop.workspace())
    assert (
        record_texts(shop) == ["It was somewhere else.", "It came after it."]
        and pending(shop) == []
    )
    (aside,) = queued(shop).glob("*.aside")
    assert "poison" in aside.read_text() and aside.stat().st_mode & 0o077 == 0
    assert "is set aside" in log(shop)
    # The doctor names the file and the command that tries it again.
    (found,) = [
        each
        for each in shop.answer("doctor")["findings"]
        if each["code"] == "event-aside"
    ]
    monkeypatch.setattr(on_stop, "capture_turn", real)
    _, source, target = found["hint"].split("`")[1].split()
    shop.place(source).rename(shop.place(target))
    process_queue(shop.workspace())
    assert record_texts(shop)[-1] == POISON


def test_a_file_that_holds_no_event_is_set_aside(shop: Sandbox) -> None:
    add(shop, tool("a"))
    (queued(shop) / "00000000000000000001-aaaaaaaa.0.json").write_text("{")
    assert touched(shop) == {"src/a.py": "write"}
    assert len(list(queued(shop).glob("*.aside"))) == 1


def test_an_event_that_comes_while_the_holder_works_is_processed_by_the_holder(
    shop: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook that finds the lock held answers at once, and no other hook follows."""
    real = dispatch.drain

    def drain(*given: object) -> object:
        drained = real(*given)  # type: ignore[arg-type]
        if not record_texts(shop)[1:]:
            add(shop, last_words("It came just now."))
        return drained

    monkeypatch.setattr(dispatch, "drain", drain)
    assert in_time(shop, last_words("It was before this.")) == []
    assert (
        record_texts(shop) == ["It was before this.", "It came just now."]
        and pending(shop) == []
    )


def test_the_queue_is_private_outlives_clean_and_is_shown_nowhere(
    shop: Sandbox,
) -> None:
    add(shop, last_words(f"The word is xylophone, the key is {AWS}."))
    before = pending(shop)
    shop.ok("clean")
    assert pending(shop) == before
    shown = shop.ok("scene", "--print").out + shop.ok("doctor").out
    assert AWS not in shown and "The word is" not in shown
    workspace = shop.workspace()
    workspace.refresh()
    assert not any("pending" in path for path in workspace.index.paths())
