"""The state of a session is stored once before its context is compacted."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hook_contexts import hook_context
from sandbox import Sandbox

from cuedeck.app.hooks.hook_context import HookContext
from cuedeck.app.hooks.on_pre_compact import compact
from cuedeck.app.hooks.on_prompt import prompt
from cuedeck.app.hooks.on_session_start import start
from cuedeck.app.hooks.on_stop import stop
from cuedeck.app.hooks.turn_records import record_id, text_mark
from cuedeck.app.memory.add_record import NewRecord
from cuedeck.app.memory.edit_record import Correction, edit_record
from cuedeck.app.memory.forget_record import forget_record
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.model.agent_session import HostSession


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: One", "status: active")
    sandbox.activate("aaaaaa")
    return sandbox


def send_pre_compact(sandbox: Sandbox, known: HostSession, **words: Any) -> HostSession:
    return compact(hook_context(sandbox, "pre-compact", known, **words)).known


def flushed(sandbox: Sandbox) -> int:
    place = sandbox.place(".cuedeck/MEMORY.md")
    return (
        place.read_text().count("Pre-compaction memory flush checkpoint")
        if place.exists()
        else 0
    )


def test_the_session_and_its_memory_have_a_checkpoint_and_the_next_prompt_gives_the_brief(
    shop: Sandbox,
) -> None:
    known = start(hook_context(shop, "session-start")).known
    known = send_pre_compact(shop, known)
    assert known.compacted and flushed(shop) == 1
    (place,) = [
        each
        for each in shop.place(".cuedeck/sessions").glob("*.json")
        if "backup" not in each.name
    ]
    assert len(json.loads(place.read_text())["checkpoints"]) == 2
    assert send_pre_compact(shop, known) == known and flushed(shop) == 1
    outcome = prompt(hook_context(shop, "prompt", known, prompt="go"))
    assert "## Task\n\n“One”." in outcome.text and not outcome.known.compacted
    send_pre_compact(shop, outcome.known)
    assert flushed(shop) == 2


def test_nothing_is_saved_after_a_compaction_or_in_a_subagent(
    shop: Sandbox,
) -> None:
    assert send_pre_compact(shop, HostSession("codex"), name="PostCompact").compacted
    assert send_pre_compact(shop, HostSession("claude"), agent="b").compacted
    assert flushed(shop) == 0


AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
SPOKEN = [
    ("user", "Fix the login."),
    ("agent", "I look at the tests first."),
    ("agent", f"The key is {AWS}."),
]


def rows(host: str, spoken: list[tuple[str, str]]) -> list[Any]:
    """Return messages as rows of the transcript of a host, among the other rows that
    the host writes.
    """
    if host == "claude":
        return [
            {
                "type": "user",
                "isCompactSummary": True,
                "message": {"role": "user", "content": "This session goes on."},
            },
            {
                "type": "user",
                "message": {
                    "role": "user",
                    "content": "<command-name>/compact</command-name>",
                },
            },
            {
                "type": "user",
                "message": {
                    "role": "user",
                    "content": [{"type": "tool_result", "content": "x"}],
                },
            },
            *(
                {
                    "type": "user" if speaker == "user" else "assistant",
                    "message": {
                        "role": "user" if speaker == "user" else "assistant",
                        "content": text
                        if speaker == "user"
                        else [{"type": "thinking", "thinking": "hm"}, part(text)],
                    },
                }
                for speaker, text in spoken
            ),
        ]
    if host == "codex":
        twice = [
            (
                {"type": "message", "role": "user" if speaker == "user" else "assistant", "content": [
                    {"type": "input_text" if speaker == "user" else "output_text", "text": text}]},
                {"type": f"{speaker}_message", "message": text},
            )
            for speaker, text in spoken
        ]  # fmt: skip
        added = {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "<environment_context>\n</environment_context>"}]}  # fmt: skip
        both = [
            each
            for item, event in twice
            for each in (("response_item", item), ("event_msg", event))
        ]
        return [
            {"type": kind, "payload": each}
            for kind, each in (("response_item", added), *both)
        ]
    if host == "vscode":
        return [
            {
                "type": "user.message" if speaker == "user" else "assistant.message",
                "data": {"content": text},
            }
            for speaker, text in spoken
        ]
    return [
        {
            "role": "user" if speaker == "user" else "assistant",
            "message": {"content": [part(text)]},
        }
        for speaker, text in spoken
    ]


def part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def transcript(sandbox: Sandbox, host: str, spoken: list[tuple[str, str]]) -> str:
    place = sandbox.root.parent / "transcript.jsonl"
    place.write_text(
        'half a line"}\n'
        + "".join(f"{json.dumps(row)}\n" for row in rows(host, spoken))
    )
    return str(place)


def saved(sandbox: Sandbox) -> list[str]:
    """Return the texts of all records except those of checkpoints."""
    lines = sandbox.place(".cuedeck/MEMORY.md").read_text().splitlines()
    records = [json.loads(line[2:]) for line in lines if line.startswith("- {")]
    assert {each["category"] for each in records} <= {"turn-summary", "compaction"}
    return [each["text"] for each in records if each["category"] == "turn-summary"]


@pytest.mark.parametrize("host", ["claude", "codex", "cursor", "vscode"])
def test_messages_that_no_record_has_are_saved_masked_and_once(
    shop: Sandbox, host: str
) -> None:
    """The event only wrote that it had come."""
    path = transcript(shop, host, SPOKEN)
    known = send_pre_compact(shop, HostSession(host), host=host, transcript=path)
    expected = [
        "User: Fix the login.",
        "I look at the tests first.",
        "The key is <secret:aws-key:1>.",
    ]
    assert saved(shop) == expected and flushed(shop) == 1
    # A second compaction of the same turn saves the messages since the first one.
    path = transcript(shop, host, [*SPOKEN, ("agent", "All tests pass.")])
    known = send_pre_compact(shop, known, host=host, transcript=path)
    assert saved(shop) == [*expected, "All tests pass."] and flushed(shop) == 1
    # The turn ends with words that are saved already.
    known = stop(
        hook_context(
            shop, "stop", known, host=host, message="All tests pass.", turn="1"
        )
    ).known
    assert saved(shop) == [*expected, "All tests pass."]
    known = stop(
        hook_context(
            shop, "stop", known, host=host, message="All tests pass.", turn="2"
        )
    ).known
    assert saved(shop)[-2:] == ["All tests pass."] * 2


def test_messages_before_the_last_recorded_turn_are_not_saved(shop: Sandbox) -> None:
    known = stop(
        hook_context(shop, "stop", message="I look at the tests first.", turn="1")
    ).known
    send_pre_compact(shop, known, transcript=transcript(shop, "claude", SPOKEN))
    assert saved(shop) == [
        "I look at the tests first.",
        "The key is <secret:aws-key:1>.",
    ]


def test_of_a_long_transcript_the_newest_messages_are_saved_cut(shop: Sandbox) -> None:
    spoken = [("agent", f"{number} {'x' * 2_000}") for number in range(600)]
    send_pre_compact(
        shop, HostSession("claude"), transcript=transcript(shop, "claude", spoken)
    )
    assert [len(text) for text in saved(shop)] == [500] * 12
    assert [text.split()[0] for text in saved(shop)] == [
        str(number) for number in range(588, 600)
    ]


@pytest.mark.parametrize("place", ["nowhere.jsonl", ".", "/dev/zero"])
def test_a_transcript_that_cannot_be_read_is_no_trouble(
    shop: Sandbox, place: str
) -> None:
    assert send_pre_compact(
        shop, HostSession("claude"), transcript=str(shop.root / place)
    ).compacted
    assert saved(shop) == [] and flushed(shop) == 1


TALK = [
    ("user", "Fix the login."),
    ("agent", "I look first."),
    ("user", "Go on."),
    ("agent", "All tests pass."),
]
RECORDED = ["User: Fix the login.", "I look first.", "User: Go on.", "All tests pass."]


def test_a_lost_cache_or_another_session_id_records_no_message_again(
    shop: Sandbox,
) -> None:
    path = transcript(shop, "claude", TALK)
    send_pre_compact(shop, HostSession("claude"), transcript=path)
    assert saved(shop) == RECORDED
    for _ in range(4):
        send_pre_compact(shop, HostSession("claude"), transcript=path)
    assert saved(shop) == RECORDED


def test_an_answer_recorded_at_the_end_of_its_turn_is_not_recorded_again(
    shop: Sandbox,
) -> None:
    stop(hook_context(shop, "stop", message="All tests pass.", turn="1"))
    send_pre_compact(
        shop, HostSession("claude"), transcript=transcript(shop, "claude", TALK)
    )
    assert sorted(saved(shop)) == sorted(RECORDED)


def test_a_missing_last_answer_does_not_record_the_earlier_ones_again(
    shop: Sandbox,
) -> None:
    known = send_pre_compact(
        shop, HostSession("claude"), transcript=transcript(shop, "claude", TALK)
    )
    known = stop(
        hook_context(
            shop, "stop", known, message="Words the transcript lacks.", turn="2"
        )
    ).known
    send_pre_compact(shop, known, transcript=transcript(shop, "claude", TALK))
    assert saved(shop) == [*RECORDED, "Words the transcript lacks."]


def test_older_messages_are_not_added_to_recorded_ones(shop: Sandbox) -> None:
    path = transcript(
        shop, "claude", [("agent", f"Step {number}.") for number in range(40)]
    )
    send_pre_compact(shop, HostSession("claude"), transcript=path)
    before = saved(shop)
    send_pre_compact(shop, HostSession("claude"), transcript=path)
    assert saved(shop) == before and len(before) == 12


def test_a_forgotten_message_is_not_recorded_again(shop: Sandbox) -> None:
    path = transcript(shop, "claude", TALK)
    send_pre_compact(shop, HostSession("claude"), transcript=path)
    lines = shop.place(".cuedeck/MEMORY.md").read_text().splitlines()
    (record,) = [json.loads(line[2:]) for line in lines if "I look first." in line]
    workspace = shop.workspace()
    forget_record(workspace, memory_of(workspace), record["id"])
    send_pre_compact(shop, HostSession("claude"), transcript=path)
    assert saved(shop) == [text for text in RECORDED if text != "I look first."]


def test_a_later_turn_with_the_same_answer_is_recorded_after_a_lost_cache(
    shop: Sandbox,
) -> None:
    path = transcript(shop, "claude", [*TALK, ("user", "Once more.")])
    known = send_pre_compact(shop, HostSession("claude"), transcript=path)
    stop(hook_context(shop, "stop", known, message="All tests pass.", turn="2"))
    assert saved(shop) == [*RECORDED, "User: Once more.", "All tests pass."]


def record_with(sandbox: Sandbox, text: str) -> dict[str, Any]:
    lines = sandbox.place(".cuedeck/MEMORY.md").read_text().splitlines()
    (record,) = [json.loads(line[2:]) for line in lines if text in line]
    return dict(record)


def queued(sandbox: Sandbox, identity: str, event: str, **words: Any) -> HookContext:
    """Return an event with an id, as the queue returns it."""
    context = hook_context(sandbox, event, **words)
    context.event.id = identity
    return context


def test_an_answer_edited_after_its_turn_does_not_return(shop: Sandbox) -> None:
    stop(queued(shop, "e1", "stop", message="All tests pass.", turn="1"))
    workspace = shop.workspace()
    edit_record(
        workspace,
        memory_of(workspace),
        record_with(shop, "All tests")["id"],
        Correction("Two tests fail."),
    )
    compact(
        queued(shop, "e2", "pre-compact", transcript=transcript(shop, "claude", TALK))
    )
    assert sorted(saved(shop)) == sorted([*RECORDED[:-1], "Two tests fail."])


def test_an_answer_forgotten_after_its_turn_does_not_return_and_leaves_no_readable_trace(
    shop: Sandbox,
) -> None:
    stop(queued(shop, "e1", "stop", message="All tests pass.", turn="1"))
    workspace = shop.workspace()
    identity = record_with(shop, "All tests")["id"]
    forget_record(workspace, memory_of(workspace), identity)
    compact(
        queued(shop, "e2", "pre-compact", transcript=transcript(shop, "claude", TALK))
    )
    assert saved(shop) == RECORDED[:-1]
    # Whoever lacks the key of the user cannot confirm a guess of the text.
    guess = hashlib.sha256(b"All tests pass.").hexdigest()[:12]
    for place in shop.place(".cuedeck").rglob("*"):
        data = place.read_bytes() if place.is_file() else b""
        assert b"All tests pass." not in data and guess.encode() not in data


def test_ids_of_messages_depend_on_the_key_of_the_user(
    shop: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = NewRecord("All tests pass.", "turn-summary")
    ids = {record_id(wanted), record_id(wanted, "e1"), record_id(wanted, "e2")}
    assert len(ids) == 3 and len({text_mark(each) for each in ids}) == 1
    folder = tmp_path / "state/cuedeck"
    folder.mkdir(0o700, parents=True)
    (folder / "index-key").write_bytes(b"k" * 32)
    (folder / "index-key").chmod(0o600)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert text_mark(record_id(wanted)) not in map(text_mark, ids)
