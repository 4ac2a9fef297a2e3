"""Sessions of a host, without a command of anybody: the pipelines of the memory."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from agent_host import SimulatedAgent, transcript_rows
from sandbox import Sandbox

SETTINGS = """
[compaction]
enabled = true
threshold_records = 5
target_records = 4
min_age_days = 0
interval_minutes = 1

[experiences]
enabled = true
"""
RULE = "Always round prices to five cents, the till has no smaller coins."
CAUSE = "The cause is that the chapel worker reads the totals of an empty drawer."
PLACES = ("harbour", "bakery", "orchard", "foundry", "brewery", "quarry")


def hold(agent: SimulatedAgent, transcript: Path, place: str) -> None:
    """Hold one session about a shop, and end it."""
    session = transcript.stem
    fields = {"session_id": session, "transcript_path": str(transcript)}
    agent.send("start", **fields)
    reply = (
        f"The cause is that the {place} worker retries after a timeout.\n\n"
        f"I decided to keep an idempotency key for each {place} receipt.\n\n"
        f"Fixed the printing of receipts in src/{place}.py, all tests pass."
    )
    said = [
        f"The receipts of the {place} are printed twice since Monday, please find out.",
        reply,
        RULE,
        f"Added the rounding of prices to the totals of the {place} receipts.",
    ]
    for at, text in enumerate(said):
        transcript.write_text(rows_of(agent.sandbox, said[: at + 1]))
        if not at % 2:
            agent.send("prompt", prompt=text, **fields)
        else:
            agent.send("stop", **fields, **agent.last_message_fields(text))
    agent.send("end", **fields)


def rows_of(sandbox: Sandbox, said: list[str]) -> str:
    """Return the lines of a transcript: the user begins, the agent replies."""
    roles = ("user", "assistant") * len(said)
    return transcript_rows(zip(roles, said, strict=False), cwd=str(sandbox.root))


def hold_killed(agent: SimulatedAgent, transcript: Path) -> None:
    """Hold a session that is killed before the end of its second turn. No hook saw the
    first words in its transcript.
    """
    fields = {"session_id": transcript.stem, "transcript_path": str(transcript)}
    said = ["Print the receipts of the chapel in two columns.", "Fixed the columns."]
    said += ["Find out why the chapel prints no totals.", CAUSE]
    unseen = ["hello", "Hello."]
    agent.send("start", **fields)
    agent.send("prompt", prompt=said[0], **fields)
    transcript.write_text(rows_of(agent.sandbox, [*unseen, *said[:2]]))
    agent.send("stop", **fields, **agent.last_message_fields(said[1]))
    agent.send("prompt", prompt=said[2], **fields)
    transcript.write_text(rows_of(agent.sandbox, [*unseen, *said]))


def age(sandbox: Sandbox, transcript: Path) -> None:
    """Let half an hour pass since the last sign of life of a session."""
    state = sandbox.private("hooks") / f"{transcript.stem}.json"
    said = sandbox.place(f".cuedeck/sessions/{transcript.stem}.statements.jsonl")
    for place in (transcript, state, said):
        seconds = place.stat().st_mtime - 3600
        os.utime(place, (seconds, seconds))


def summaries(sandbox: Sandbox) -> list[str]:
    """Return the records of the turns about the totals of the chapel."""
    records = sandbox.answer("memory", "list")["records"]
    return [each["text"] for each in records if "prints no totals" in each["text"]]


def texts_below(folder: Path) -> str:
    """Return the texts of all files below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return "\n".join(path.read_text("utf-8", "replace") for path in files)


def test_sessions_reach_every_memory(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.write(".cuedeck/config.toml", SETTINGS)
    agent = SimulatedAgent(sandbox, "claude")
    for place in PLACES:
        hold(agent, tmp_path / f"{place}.jsonl", place)
        sandbox.ok("memory", "tick")  # started by the end of a session
        if place == PLACES[1]:
            hold_killed(agent, tmp_path / "chapel.jsonl")
            age(sandbox, tmp_path / "chapel.jsonl")
    home = sandbox.place(".cuedeck")
    long_memory = (home / "LONGMEMORY.md").read_text()
    assert "harbour" in long_memory
    assert "totals of an empty drawer" in long_memory
    logs = list((home / "memory").glob("20*.md"))
    assert any("quarry" in log.read_text() for log in logs)
    assert "retries after a timeout" in (home / "experiences.jsonl").read_text()
    user = texts_below(home / "cortex" / "user")
    agents = texts_below(home / "cortex" / "agent")
    assert "round prices to five cents" in user + agents
    assert "retries after a timeout" in agents
    assert "Always round prices" in agent.send_for_context("start", session_id="next")

    again = sandbox.answer("cortex", "commit")
    assert (again["statements"], again["made"], again["updated"]) == (0, [], [])
    wanted = "idempotency key for each quarry receipt"
    assert wanted in user
    hits = sandbox.answer("recall", wanted, "--kind", "statement")["hits"]
    (address,) = (hit["address"] for hit in hits if wanted in hit["snippet"])
    sandbox.ok("memory", "forget", address)
    assert wanted not in texts_below(home / "cortex" / "user")


@pytest.fixture
def killed(sandbox: Sandbox, tmp_path: Path) -> tuple[SimulatedAgent, Path]:
    """An agent that was killed, and the transcript of its session."""
    sandbox.git("init")
    sandbox.ok("init")
    sandbox.git("add", ".")
    sandbox.git("commit", "-m", "All")
    sandbox.ok("capture", "on")
    transcript = tmp_path / "hosts" / "killed.jsonl"
    transcript.parent.mkdir()
    agent = SimulatedAgent(sandbox, "claude")
    hold_killed(agent, transcript)
    return agent, transcript


def start_next(agent: SimulatedAgent, transcript: Path, session: str) -> str:
    own = transcript.with_name(f"{session}.jsonl")
    own.write_text("")
    fields = {"session_id": session, "transcript_path": str(own)}
    return agent.send_for_context("start", **fields)


def test_a_killed_turn_has_one_record_when_its_session_is_over(
    killed: tuple[SimulatedAgent, Path],
) -> None:
    agent, transcript = killed
    sandbox = agent.sandbox
    brief = start_next(agent, transcript, "second")
    assert "## Interrupted work\n\n- The user asked: “Find out why the chapel" in brief
    assert "empty drawer" in brief and summaries(sandbox) == []
    age(sandbox, transcript)
    sandbox.git("worktree", "add", "../tree", "-b", "topic")
    tree = Sandbox(sandbox.root.parent / "tree", sandbox.environ)
    for at, each in enumerate((sandbox, tree, sandbox)):
        start_next(SimulatedAgent(each, "claude"), transcript, f"later{at}")
        os.utime(transcript)  # changed by the host without a word
    sandbox.ok("backfill", "claude", "--from", str(transcript.parent))
    (text,) = summaries(sandbox)
    assert text == f"Asked: Find out why the chapel prints no totals. Found: {CAUSE}"
    said = sandbox.place(".cuedeck/sessions/killed.statements.jsonl").read_text()
    rows = [json.loads(line) for line in said.splitlines()]
    marks = [row["id"] for row in rows if row["kind"].startswith("turn-")]
    assert marks == ["turn-end-1", "turn-end-2", "turn-record-2"]
    # The session was alive, but silent.
    fields = {"session_id": "killed", "transcript_path": str(transcript)}
    agent.send("stop", **fields, **agent.last_message_fields(CAUSE))
    assert summaries(sandbox) == [text]


def test_a_session_that_ended_in_a_turn_has_a_record_at_once(
    killed: tuple[SimulatedAgent, Path],
) -> None:
    agent, transcript = killed
    agent.send("end", session_id="killed", transcript_path=str(transcript))
    start_next(agent, transcript, "second")
    assert len(summaries(agent.sandbox)) == 1
