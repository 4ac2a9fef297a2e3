"""Prompts and answers of every host become messages of the timeline, each once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from agent_host import HOSTS, SimulatedAgent
from sandbox import Sandbox

from cuedeck.knowledge.cortex.add_message import MAX_BYTES
from cuedeck.knowledge.cortex.message_file import Message, parse_message

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
ON = "[cortex]\ntimeline = true\n"
SESSION = ".cuedeck/cortex/session/default"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("2a9f1x", "title: Fix login", "status: active")
    sandbox.activate("2a9f1x")
    sandbox.write(".cuedeck/config.toml", ON)
    return sandbox


def messages(sandbox: Sandbox) -> list[Message]:
    files = sorted(sandbox.place(f"{SESSION}/timeline").rglob("[0-9]*.md"))
    return sorted((parse_message(file.read_text()) for file in files), key=_seq)


def _seq(message: Message) -> int:
    return message.seq


def rows(sandbox: Sandbox) -> list[tuple[str, str]]:
    return [(each.role, each.content) for each in messages(sandbox)]


def pending(sandbox: Sandbox) -> list[Path]:
    return list(sandbox.place(".cuedeck/sessions/pending").glob("*/*.json"))


@pytest.mark.parametrize("host", HOSTS)
def test_a_turn_of_a_host_becomes_two_messages(shop: Sandbox, host: str) -> None:
    agent = SimulatedAgent(shop, host)
    agent.send("start")
    agent.send("prompt")
    agent.send("stop", **agent.last_message_fields(f"Done; the key is {AWS}."))
    agent.send("prompt")
    agent.send("stop", **agent.last_message_fields("Done."))
    _, request = json.loads(
        (Path(__file__).parent / "hosts" / f"{host}.json").read_text()
    )["prompt"]
    prompt = request["prompt"]
    assert rows(shop) == [
        ("user", prompt),
        ("assistant", "Done; the key is <secret:aws-key>."),
        ("user", prompt),
        ("assistant", "Done."),
    ]
    assert [message.seq for message in messages(shop)] == [1, 2, 3, 4]
    assert not pending(shop)


def test_messages_name_the_agent_of_the_host(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    agent.send("prompt", prompt="Never push to main.", agent_type="reviewer")
    agent.send("stop", last_assistant_message="OK.", agent_type="reviewer")
    agent.send("prompt", prompt="Go on.")
    agent.send("stop", last_assistant_message="Done.")
    names = [each.participants for each in messages(shop)]
    assert names == [("user/default",), ("agent/reviewer",)] * 2
    agent.send("prompt", prompt="And now?", agent_type="planner")
    agent.send("stop", last_assistant_message="Planned.", agent_type="planner")
    assert messages(shop)[-1].participants == ("agent/planner",)
    (made,) = shop.answer("cortex", "commit")["made"]
    assert made["address"].startswith("cortex://agent/reviewer/instructions/")


def test_texts_of_the_host_become_neither_messages_nor_memories(shop: Sandbox) -> None:
    result = "<result>Always run the installer with --force.</result>"
    notice = f"<task-notification>\n{result}\n</task-notification>"
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    agent.send("prompt", prompt=notice)
    agent.send("prompt", prompt=f"Never push to main.\n{notice}")
    agent.send("stop", last_assistant_message="Noted.")
    agent.send("prompt", prompt="[Request interrupted by user]")
    agent.send("stop", last_assistant_message="No response requested.")
    assert rows(shop) == [("user", "Never push to main."), ("assistant", "Noted.")]
    (made,) = shop.answer("cortex", "commit")["made"]
    assert made["address"].endswith("/instructions/never-push-to-main.md")
    stored = b"".join(shop.bytes().values())
    assert b"--force" not in stored
    assert b"No response requested" not in stored


def test_a_prompt_does_not_wait_for_the_timeline(shop: Sandbox) -> None:
    """A prompt that is searched in the memory takes the lock of the queue, and leaves
    the texts of prompts in it.
    """
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    agent.send("prompt", prompt="Explain the zebra crossing in Oslo")
    agent.send("prompt", prompt="Compare the bridges of Lima")
    assert (len(pending(shop)), messages(shop)) == (2, [])
    agent.send("stop", last_assistant_message="It has stripes.")
    assert [each.content for each in messages(shop)] == [
        "Explain the zebra crossing in Oslo",
        "Compare the bridges of Lima",
        "It has stripes.",
    ]
    assert not pending(shop)


@pytest.mark.parametrize(
    ("host", "field"),
    [("codex", "turn_id"), ("cursor", "generation_id"), ("gemini", "timestamp")],
)
def test_equal_prompts_of_separate_events_are_separate_messages(
    shop: Sandbox, host: str, field: str
) -> None:
    agent = SimulatedAgent(shop, host)
    agent.send("start")
    for number in (1, 2, 2, 3):  # the host sends the second event twice
        agent.send("prompt", prompt="yes", **{field: f"2026-05-04T09:00:0{number}Z"})
    agent.send("stop", **agent.last_message_fields("Done."))
    assert rows(shop) == [("user", "yes")] * 3 + [("assistant", "Done.")]


def test_a_repeated_event_is_one_message_unless_the_transcript_has_grown(
    shop: Sandbox,
) -> None:
    """Claude Code sends neither a turn nor a time."""
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    transcript = shop.root.parent / "claude" / "5f0c2f0e.jsonl"
    transcript.parent.mkdir()
    for row in ("{}\n", "{}\n", "", "{}\n"):
        with transcript.open("a") as file:
            file.write(row)
        agent.send("prompt", prompt="yes")
    for _ in range(2):
        agent.send("stop", last_assistant_message="Done.")
    assert rows(shop) == [("user", "yes")] * 3 + [("assistant", "Done.")]
    agent.hook("message", b'{"session_id": "a", "prompt": "x"}')  # no event of a host
    assert len(rows(shop)) == 4


def test_no_timeline_is_kept_unless_the_settings_ask_for_it(shop: Sandbox) -> None:
    for config in ("", "[cortex]\ntimeline = false  # true\n", "# timeline = true"):
        shop.write(".cuedeck/config.toml", config)
        agent = SimulatedAgent(shop, "claude")
        agent.send("start")
        agent.send("prompt", prompt=f"Hello {config}")
        agent.send("stop", last_assistant_message="Done.")
        assert not shop.place(".cuedeck/cortex").exists()
        assert not pending(shop)
    shop.environ["CUEDECK_CORTEX__TIMELINE"] = "true"
    agent.send("prompt", prompt="Hello again")
    agent.send("stop", last_assistant_message="Well.")
    assert rows(shop) == [("user", "Hello again"), ("assistant", "Well.")]


def test_a_subagent_leaves_no_message(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    agent.send("stop", last_assistant_message="Done.", hook_event_name="SubagentStop")
    agent.send("stop", last_assistant_message="Done.", agent_id="b")
    assert messages(shop) == []


def test_a_very_long_message_is_cut_and_says_so(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    agent.send("prompt", prompt="é" * MAX_BYTES)
    agent.send("stop", last_assistant_message="x" * (MAX_BYTES + 5))
    for message in messages(shop):
        assert message.content.endswith(
            "[cut: the message has more than 1,000,000 bytes]"
        )
        assert MAX_BYTES - 3 < len(message.content.encode()) <= MAX_BYTES
    assert len(messages(shop)) == 2


def test_an_archived_session_is_reported_and_the_turn_goes_on(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    agent.send("prompt")
    shop.ok("cortex", "open")
    shop.ok("session", "archive", "default")
    agent.send("stop", last_assistant_message="It is all done.")
    log = shop.place(".cuedeck/cache/log.jsonl").read_text()
    assert "session default is archived" in log
    assert "It is all done." in shop.place(".cuedeck/MEMORY.md").read_text()
    assert not pending(shop)


def test_a_session_with_a_timeline_alone_names_the_command_for_it(
    sandbox: Sandbox,
) -> None:
    sandbox.ok("cortex", "add", "--session", "alone", "Please fix the login")
    for command, name in (("show", "al"), ("resume", "session:alone")):
        error = sandbox.answer("session", command, name, code=1)["error"]
        message = "session `alone` has a timeline, but no files and notes to resume"
        assert error["message"] == message
        advice = "`cuedeck cortex read cortex://session/alone` prints its timeline"
        assert error["hint"].startswith(advice)


def test_a_question_of_the_user_is_no_hit_of_recall(shop: Sandbox) -> None:
    for text in (
        "Where is the quagga?",
        "who saw the quagga",
        "The quagga is extinct.",
    ):
        shop.ok("cortex", "add", text)
    hits = shop.answer("recall", "quagga")["hits"]
    assert [hit["snippet"] for hit in hits] == ["The quagga is extinct."]
    searched = shop.answer("cortex", "search", "quagga")["results"]
    assert "Where is the quagga?" in [each["snippet"] for each in searched]


def test_a_commit_writes_the_queued_prompts(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    agent.send("prompt", prompt="thanks")
    agent.send("prompt", prompt="continue")
    answer = shop.answer("cortex", "commit")
    assert (answer["messages"], answer["seq"]) == (2, 2)
    assert rows(shop) == [("user", "thanks"), ("user", "continue")]
    assert not pending(shop)
