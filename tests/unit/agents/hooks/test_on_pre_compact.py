"""The state of a session is stored once before its context is compacted."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hook_contexts import hook_context
from sandbox import Sandbox

from cuedeck.agents.hooks.on_prompt import prompt
from cuedeck.agents.hooks.on_session_start import start
from cuedeck.agents.hooks.on_stop import compact, stop
from cuedeck.knowledge.memory.forget_record import forget_record
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.ledger.statement_files import StatementFiles
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


def test_nothing_is_saved_after_a_compaction_or_in_a_subagent(shop: Sandbox) -> None:
    assert send_pre_compact(shop, HostSession("codex"), name="PostCompact").compacted
    assert send_pre_compact(shop, HostSession("claude"), agent="b").compacted
    assert flushed(shop) == 0


AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
SPOKEN = [
    ("user", "Fix the login form."),
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
    """Return the texts of the statements of all sessions."""
    files = StatementFiles(sandbox.workspace().paths)
    rows = [row.value for path in files.paths() for row in files.rows(path)]
    return [str(row["text"]) for row in rows if row.get("text")]


def turn_summaries(sandbox: Sandbox) -> list[str]:
    lines = sandbox.place(".cuedeck/MEMORY.md").read_text().splitlines()
    records = [json.loads(line[2:]) for line in lines if line.startswith("- {")]
    return [each["text"] for each in records if each["category"] == "turn-summary"]


@pytest.mark.parametrize("host", ["claude", "codex", "cursor", "vscode"])
def test_statements_of_an_unfinished_turn_are_saved_masked_and_once(
    shop: Sandbox, host: str
) -> None:
    """The event only wrote that it had come."""
    path = transcript(shop, host, SPOKEN)
    known = send_pre_compact(shop, HostSession(host), host=host, transcript=path)
    expected = [
        "Fix the login form.",
        "I look at the tests first.",
        "The key is <secret:aws-key:1>.",
    ]
    assert saved(shop) == expected and flushed(shop) == 1
    assert turn_summaries(shop) == []
    # A second compaction of the same turn, without the state of the agent session.
    path = transcript(shop, host, [*SPOKEN, ("agent", "All the tests pass.")])
    lost = HostSession(host)
    send_pre_compact(shop, lost, host=host, transcript=path)
    assert saved(shop) == [*expected, "All the tests pass."] and flushed(shop) == 2
    # The host rewrote the transcript, and the turn ends.
    path = transcript(shop, host, [("agent", "All the tests pass.")])
    words = {"host": host, "message": "All the tests pass.", "transcript": path}
    known = stop(hook_context(shop, "stop", known, turn="1", **words)).known
    summary = (
        "Asked: Fix the login form. I look at the tests first."
        " The key is <secret:aws-key:1>. All the tests pass."
    )
    assert turn_summaries(shop) == [summary]
    stop(hook_context(shop, "stop", known, turn="1", **words))
    assert turn_summaries(shop) == [summary]


@pytest.mark.parametrize("place", ["nowhere.jsonl", ".", "/dev/zero"])
def test_a_transcript_that_cannot_be_read_is_no_trouble(
    shop: Sandbox, place: str
) -> None:
    assert send_pre_compact(
        shop, HostSession("claude"), transcript=str(shop.root / place)
    ).compacted
    assert saved(shop) == [] and flushed(shop) == 1


def test_a_forgotten_message_is_not_recorded_again(shop: Sandbox) -> None:
    path = transcript(shop, "claude", SPOKEN)
    send_pre_compact(shop, HostSession("claude"), transcript=path)
    rest = [text for text in saved(shop) if "tests" not in text]
    stop(hook_context(shop, "stop", message="I look at the tests first.", turn="1"))
    (line,) = [
        line
        for line in shop.place(".cuedeck/MEMORY.md").read_text().splitlines()
        if "I look at" in line
    ]
    workspace = shop.workspace()
    forget_record(workspace, memory_of(workspace), json.loads(line[2:])["id"])
    assert saved(shop) == []
    send_pre_compact(shop, HostSession("claude"), transcript=path)
    assert saved(shop) == [] and len(rest) == 2
    # Whoever lacks the key of the user cannot confirm a guess of the text.
    guess = hashlib.sha256(b"I look at the tests first.").hexdigest()[:12]
    for place in shop.place(".cuedeck").rglob("*"):
        data = place.read_bytes() if place.is_file() else b""
        assert b"I look at the tests first." not in data
        assert guess.encode() not in data
