"""A day of an agent at each host: start, prompts, tools, a compaction, stops, a crash,
a restart.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from agent_host import HOSTS, SimulatedAgent
from sandbox import Sandbox, expect

GOLDEN = Path(__file__).with_name("hosts") / "after-compaction.md"
FOOTER = re.compile(r"(\d+) tokens \w+\nsha256 (\w+)\n")
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
DECISION = {
    "id": "h4w7tn", "timestamp": "2026-05-04T09:10:00Z", "decision": "Use the age for expired tokens",
    "rationale": "A forged token has no age to trust", "alternatives": ["one error for both"],
    "affects": ["src/auth.py"], "impact": ["the login form"], "card": "2a9f1x", "status": "accepted",
}  # fmt: skip
ATTEMPT = {
    "id": "m2c8ya", "timestamp": "2026-05-04T09:20:00Z", "on": ["src/auth.py"], "tried": "raising in verify",
    "failed": "the form showed the error page",
}  # fmt: skip
TITLE = "title: Fix login for expired tokens"
BODY = """\
# Fix login

People see a blank page.

- [ ] `Login.verify` tells expired from forged
- [ ] the form shows why it is back
- [x] reproduced"""
SOURCE = '"""Tokens."""\n\n\nclass Login:\n    def verify(self, token: str) -> bool:\n        return bool(token)\n'


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """The example of the README without its history."""
    sandbox.card(
        "2a9f1x", TITLE, "status: active", "refs: ['docs/auth.md#LoginFlow']", body=BODY
    )
    sandbox.activate("2a9f1x")
    sandbox.write(
        "docs/auth.md",
        "# Auth\n\n## LoginFlow\n\nThe form posts; [Login](../src/auth.py#Login) answers.\n\n## Out\n\nend\n",
    )
    sandbox.write(
        "docs/security.md", "# Security\n\nA forged token has a wrong signature.\n"
    )
    sandbox.write("src/auth.py", SOURCE)
    return sandbox


def session_ids(sandbox: Sandbox) -> list[Any]:
    return sandbox.answer("session", "list")["sessions"]  # type: ignore[no-any-return]


ASKED = "Asked: Why is the page blank for people with an expired token? "
LONG = "One sentence tells of the login. " * 9 + "It is a long one."
"""A message of more than one statement."""


def memory_records(sandbox: Sandbox) -> list[Any]:
    place = sandbox.place(".cuedeck/MEMORY.md")
    lines = place.read_text().splitlines() if place.exists() else []
    return [json.loads(line[2:]) for line in lines if line.startswith("- {")]


def work_until_compaction(agent: SimulatedAgent) -> None:
    """Send the events of an agent up to a compaction."""
    sandbox = agent.sandbox
    agent.send("start")
    agent.send("prompt")
    if "read" in agent.events():
        agent.send("read")
    sandbox.write("src/auth.py", SOURCE.replace("bool(token)", "token != ''"))
    agent.send("write")
    agent.send("shell")
    sandbox.write(".cuedeck/decisions.jsonl", json.dumps(DECISION) + "\n")
    sandbox.write(".cuedeck/attempts.jsonl", json.dumps(ATTEMPT) + "\n")
    sandbox.ok(
        "session note 'Login.verify looks at the signature first' --next 'Show why the form is back'"
    )
    agent.send(
        "stop",
        **agent.last_message_fields(
            f"Login.verify is changed; the key {AWS} is not needed."
        ),
    )
    agent.send("compacting")


def expected_brief(sandbox: Sandbox, brief: str) -> str:
    """Return the expected brief after a compaction, with the values of this run."""
    footer = FOOTER.search(sandbox.scene.read_text())
    own = FOOTER.search(brief)
    assert footer is not None and own is not None
    day = memory_records(sandbox)[0]["provenance"]["timestamp"][:10]
    words = {
        "TOKENS": footer[1],
        "RECEIPT": footer[2],
        "DAY": day,
        "OWN-TOKENS": own[1],
        "OWN-RECEIPT": own[2],
    }
    words["ROUNDED"] = str(-(-int(own[1]) // 100) * 100)
    text = GOLDEN.read_text()
    for name, value in words.items():
        text = text.replace(f"<{name}>", value)
    return text


@pytest.mark.parametrize("host", HOSTS)
def test_brief_after_a_compaction_has_goal_files_decisions_boxes_and_next_step(
    shop: Sandbox, host: str
) -> None:
    agent = SimulatedAgent(shop, host)
    work_until_compaction(agent)
    received = agent.send_for_context("compacted")
    if host == "cursor":
        # Its hooks cannot send a context: a rule names the scene.
        assert received == ""
        return
    expected = expected_brief(shop, received)
    if "read" not in agent.events():
        expected = expected.replace("- `docs/security.md` read\n", "").replace(
            "read in this session; ", ""
        )
        expected = expected.replace("used in this session", "words in its text")
    assert received == expected
    # The brief is sent once; nothing has changed since.
    assert agent.send_for_context("compacted" if host != "claude" else "prompt") == ""


def test_prompts_receive_only_news(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    assert "Fix login for expired tokens" in agent.send_for_context("start")
    assert agent.send("prompt") == {"continue": True, "suppressOutput": True}

    # A change by another program is reported once; the agent's own change is not.
    shop.write("docs/auth.md", shop.place("docs/auth.md").read_text() + "One more.\n")
    assert "- `docs/auth.md`: changed\n" in agent.send_for_context("prompt")
    assert agent.send_for_context("prompt") == ""
    shop.write("src/auth.py", SOURCE + "\n\nX = 1\n")
    agent.send("write")
    assert agent.send_for_context("prompt") == ""

    # A decision, a failing assumption, an added ref and a removed one are reported.
    shop.write(".cuedeck/decisions.jsonl", json.dumps(DECISION) + "\n")
    check = "--check contains=docs/security.md:forged"
    shop.ok(f"assumption add 'Forged is told apart' --impact 'the form' {check}")
    shop.write("docs/security.md", "# Security\n\nNothing.\n")
    refs = "refs: ['docs/security.md']"
    shop.card("2a9f1x", TITLE, "status: active", refs, body="- [ ] one")
    received = agent.send_for_context("prompt")
    for news in (
        "- decision: “We chose the age for expired tokens because a forged token has no",
        "- “⚠️ \"Assumption changed: Not found: 'forged' in docs/security.md.",
        "- `docs/auth.md` is no longer linked\n",
        "docs/security.md`",
    ):
        assert news in received
    assert agent.send_for_context("prompt") == ""

    # Another active card is sent completely.
    shop.card("bbbbbb", "title: The other card", "status: todo")
    shop.ok("card", "activate", "bbbbbb")
    assert "“The other card”." in agent.send_for_context("prompt")


def test_only_turns_add_memory_records(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    agent.send("prompt")
    for _ in range(2):
        agent.send("stop", last_assistant_message=LONG)
    agent.send("stop", last_assistant_message="HEARTBEAT_OK")
    agent.send("stop", last_assistant_message="A subagent", agent_id="a1")
    agent.send("stop", last_assistant_message="Goes on", stop_hook_active=True)
    agent.send("stop", last_assistant_message=f"The key is {AWS}.")
    found = memory_records(shop)
    texts = [ASKED + LONG, "The key is <secret:aws-key:1>."]
    assert [each["text"] for each in found] == texts
    session = session_ids(shop)[0]["session"]
    expect(found[0], category="turn-summary", sessionId=session)
    provenance = {"sourceChannel": "claude", "confidence": 0.8}
    expect(found[0]["provenance"], **provenance, sensitivity="operational")
    agent.send("compacting")
    agent.send("compacting")
    assert [each["category"] for each in memory_records(shop)[2:]] == ["compaction"]


def test_model_request_of_gemini_is_no_compaction(shop: Sandbox) -> None:
    """Gemini CLI sends PreCompress before each request: each prompt used to receive the
    whole brief.
    """
    agent = SimulatedAgent(shop, "gemini")
    assert "Fix login for expired tokens" in agent.send_for_context("start")
    for _ in range(3):
        assert agent.send_for_context("prompt") == ""
        agent.send("compacting", trigger="auto")
        agent.send("compacting", trigger="auto")
    assert memory_records(shop) == []
    agent.send("compacting", trigger="manual")
    assert [each["category"] for each in memory_records(shop)] == ["compaction"]
    assert "Fix login for expired tokens" in agent.send_for_context("prompt")


def test_compression_by_gemini_is_detected_in_its_transcript(shop: Sandbox) -> None:
    agent, whole = SimulatedAgent(shop, "gemini"), "Project context of CueDeck"
    first: dict[str, Any] = {"id": "a", "type": "user", "content": [{"text": "Go"}]}
    summary = {"id": "b", "type": "user", "content": [{"text": "Summary"}]}
    thanks = [{"text": "Got it. Thanks for the additional context!"}]
    agreed = {"id": "c", "type": "gemini", "content": thanks}
    place = shop.root.parent / "gemini.jsonl"
    rows: list[Any] = [first]

    def prompt_after(*messages: Any) -> str:
        rows.append({"$set": {"messages": messages}})
        place.write_text("".join(json.dumps(row) + "\n" for row in rows))
        agent.send("stop", transcript_path=str(place), prompt_response="Done.")
        return agent.send_for_context("prompt", transcript_path=str(place))

    agent.send("start")
    agent.send("prompt")
    assert prompt_after(first) == ""
    assert whole in prompt_after(first, summary, agreed)
    assert prompt_after(first, summary, agreed, {"id": "d", "type": "user"}) == ""


def test_claude_code_receives_instructions_for_its_summary(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    work_until_compaction(agent)
    message = agent.send("compacting")
    assert message.startswith("Keep these facts") and len(message) <= 2_000
    for fact in (
        "- Card: “Fix login for expired tokens” (`.cuedeck/cards/2a9f1x.md`)\n",
        "> Next: “Show why the form is back”\n",
        "the age for expired tokens", "raising in verify", "- `src/auth.py` ",
    ):  # fmt: skip
        assert fact in message
    assert AWS not in message
    assert agent.send("compacting", agent_id="a1") == ""
    shop.ok("card", "done", "2a9f1x")
    assert agent.send("compacting") == ""


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_resumed_conversation_with_the_brief_receives_only_changes(
    shop: Sandbox, host: str
) -> None:
    agent = SimulatedAgent(shop, host)
    whole = "Project context of CueDeck"
    # This conversation is unknown.
    assert whole in agent.send_for_context("again", source="resume")
    assert agent.send_for_context("again", source="resume") == ""
    if "end" in agent.events():
        agent.send("end")
    shop.write("docs/auth.md", shop.place("docs/auth.md").read_text() + "One more.\n")
    received = agent.send_for_context("again", source="resume")
    assert "- `docs/auth.md`: changed\n" in received and whole not in received
    assert [each["status"] for each in session_ids(shop)] == ["open"]
    assert agent.send_for_context("prompt") == ""
    for source in ("compact", "clear", "startup"):
        assert whole in agent.send_for_context("again", source=source)
    agent.send("prompt")
    agent.send("compacting", trigger="manual")
    assert whole in agent.send_for_context("again", source="resume")


def test_gemini_receives_the_brief_when_resumed(shop: Sandbox) -> None:
    agent, whole = SimulatedAgent(shop, "gemini"), "Project context of CueDeck"
    agent.send("start")
    agent.send("prompt")
    assert whole in agent.send_for_context("again", source="resume")


def test_brief_is_sent_once_if_a_prompt_precedes_the_start_after_a_compaction(
    shop: Sandbox,
) -> None:
    """Codex compacts between them, and both used to receive the whole brief."""
    agent, whole = SimulatedAgent(shop, "codex"), "Project context of CueDeck"
    agent.send("start")
    for _ in range(2):
        agent.send("compacting")
        assert whole in agent.send_for_context("prompt")
        assert agent.send_for_context("again", source="compact") == ""
        agent.send("compacting")
        assert whole in agent.send_for_context("again", source="compact")


def test_qwen_code_receives_the_brief_with_the_first_prompt(shop: Sandbox) -> None:
    agent, whole = SimulatedAgent(shop, "qwen"), "Project context of CueDeck"
    for source, is_given in (("startup", True), ("resume", False), ("clear", True)):
        assert agent.send_for_context("start", source=source) == ""
        assert (whole in agent.send_for_context("prompt")) == is_given
    agent.send("end")
    agent.send("start", source="resume")
    shop.write("docs/auth.md", shop.place("docs/auth.md").read_text() + "One more.\n")
    received = agent.send_for_context("prompt")
    assert "- `docs/auth.md`: changed\n" in received and whole not in received


@pytest.mark.parametrize("host", ["claude", "qwen"])
def test_a_prompt_without_text_receives_nothing_and_uses_up_nothing(
    shop: Sandbox, host: str
) -> None:
    """Qwen Code sends one after each tool and does not always add the answer."""
    agent = SimulatedAgent(shop, host)
    for prompt in ("", " \n"):
        assert agent.send_for_context("prompt", prompt=prompt) == ""
    assert agent.send_for_context("prompt").count("# Project context of CueDeck\n") == 1


def test_nothing_is_lost_when_the_host_is_killed(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    work_until_compaction(agent)
    # The host and its hook are killed while the hook works; no event reports the end of
    # the session.
    for data in (b"", b'{"session_id": "5f0c2f0e", "last_assistant_message": "Half a'):
        process = agent.start_hook("stop", "--host", "claude")
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.flush()
        process.kill()
        process.communicate()
    received = agent.send_for_context("again")
    assert "> Next: “Show why the form is back”\n" in received
    assert "- `src/auth.py` changed\n" in received
    assert [each["status"] for each in session_ids(shop)] == ["open"]
    agent.send("end")
    assert [each["status"] for each in session_ids(shop)] == ["closed"]
    # The next day, another conversation continues the work.
    received = agent.send_for_context("start", session_id="another")
    assert "> Next: “Show why the form is back”\n" in received
    assert [each["status"] for each in session_ids(shop)] == ["open"]


def test_session_stays_open_while_another_host_works_in_it(shop: Sandbox) -> None:
    """A subagent whose end is not reported used to keep the session open for half an
    hour.
    """
    claude, gemini = SimulatedAgent(shop, "claude"), SimulatedAgent(shop, "gemini")
    for agent in (claude, gemini):
        agent.send("start")
    claude.send("read", agent_id="sub1")
    claude.send("end")
    assert [each["status"] for each in session_ids(shop)] == ["open"]
    gemini.send("end")
    assert [each["status"] for each in session_ids(shop)] == ["closed"]


@pytest.mark.parametrize("source", ["startup", "compact"])
def test_brief_contains_the_user_file_except_for_subagents(
    shop: Sandbox, source: str
) -> None:
    shop.write(".cuedeck/USER.md", "# About the user\n\n- Name: Ana\n- City:\n")
    agent = SimulatedAgent(shop, "claude")
    received = agent.send_for_context("again", source=source)
    assert "About the human (USER.md):" in received
    assert "- Name: Ana\n" in received and "City" not in received
    assert "Ana" not in agent.send_for_context("start", agent_id="a1")


def test_lines_that_answer_a_prompt_are_given_once(shop: Sandbox) -> None:
    log = ".cuedeck/memory/2026-11-20.md"
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    expired = "An expired token leads back to the form"
    shop.ok("experience", "add", f"{expired}, also with {AWS}")
    shop.ok("experience", "add", "The parser counts lines from one")
    shop.write(log, "Ana says that the token expired again. Lunch was good.\n")
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    asked = "Is the token expired?"
    received = agent.send_for_context("prompt", prompt=asked)
    assert received.startswith("## Relevant memory\n\n- “")
    assert f"“{expired}" in received and AWS not in received
    said = "Ana says that the token expired again."
    assert f"- “{said}” (log 2026-11-20, `{log}#L1`)\n" in received
    assert "parser" not in received and "Lunch" not in received
    assert agent.send_for_context("prompt") == ""
    counted = "What does the parser count?"
    assert "parser" in agent.send_for_context("prompt", prompt=counted)
    for at, off in enumerate(
        ("", "enabled = false", "enabled = true\nin_scene = false")
    ):
        shop.write(".cuedeck/config.toml", f"[experiences]\n{off}\n")
        fields = {"prompt": asked, "session_id": f"another {at}"}
        assert "(experience" not in agent.send_for_context("prompt", **fields)


def test_prompts_that_are_not_searched(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    shop.ok("remember", "Hola is the word on the token page")
    agent.send_for_context("prompt", prompt="continue")
    for prompt in ("hola", "Thanks a lot!", "/compact", ""):
        assert agent.send_for_context("prompt", prompt=prompt) == ""
    asked = "Which word is on the token page?"
    assert "Hola" not in agent.send_for_context("prompt", prompt=asked, agent_id="a1")
    shop.write(".cuedeck/config.toml", "[recall]\nin_prompts = false\n")
    assert "Hola" not in agent.send_for_context("prompt", prompt=asked)
    shop.write(".cuedeck/config.toml", "")
    assert "Hola" in agent.send_for_context("prompt", prompt=asked)


def test_record_in_the_brief_is_not_repeated_as_an_experience(shop: Sandbox) -> None:
    shop.ok("remember", "The form needs forty seconds to answer an expired token")
    shop.ok("memory", "compact")
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    (record,) = memory_records(shop)
    row = {"id": "e1", "text": record["text"], "recordId": record["id"]}
    other = "An expired token once led to the error page of the form"
    rows = (row, {"id": "e2", "text": other})
    lines = (json.dumps({**each, "category": "note"}) + "\n" for each in rows)
    shop.write(".cuedeck/experiences.jsonl", "".join(lines))
    agent = SimulatedAgent(shop, "claude")
    assert "forty seconds" in agent.send_for_context("start")
    asked = "What does the form do with an expired token, and in how many seconds?"
    received = agent.send_for_context("prompt", prompt=asked)
    assert "once led to the error page" in received and "forty seconds" not in received


def test_progress_is_repeated_after_five_minutes(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    shop.ok("progress", "doing", "Telling expired from forged")
    (place,) = shop.private("hooks").iterdir()
    state = json.loads(place.read_text())
    assert "Progress so far" not in agent.send_for_context("prompt")
    place.write_text(json.dumps({**state, "progress_at": state["progress_at"] - 301}))
    received = agent.send_for_context("prompt")
    head = "## Progress so far this session\n\n> Current task: “Fix login for expired"
    assert head in received
    assert "- ⏳ “Telling expired from forged”\n" in received
    assert agent.send_for_context("prompt") == ""
