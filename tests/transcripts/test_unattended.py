"""Ten sessions of a host, without a command of anybody: the pipelines of the memory."""

from __future__ import annotations

import json
from pathlib import Path

from agent_host import SimulatedAgent
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
PLACES = (
    "harbour", "bakery", "orchard", "foundry", "brewery",
    "library", "dairy", "smithy", "vineyard", "quarry",
)  # fmt: skip


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
    rows = []
    for at, text in enumerate(said):
        role = "assistant" if at % 2 else "user"
        rows.append({"type": role, "message": {"role": role, "content": text}})
        transcript.write_text("".join(json.dumps(row) + "\n" for row in rows))
        if role == "user":
            agent.send("prompt", prompt=text, **fields)
        else:
            agent.send("stop", **fields, **agent.last_message_fields(text))
    agent.send("end", **fields)


def texts_below(folder: Path) -> str:
    """Return the texts of all files below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return "\n".join(path.read_text("utf-8", "replace") for path in files)


def test_ten_sessions_reach_every_memory(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.write(".cuedeck/config.toml", SETTINGS)
    agent = SimulatedAgent(sandbox, "claude")
    for place in PLACES:
        hold(agent, tmp_path / f"{place}.jsonl", place)
        sandbox.ok("memory", "tick")  # started by the end of a session
    home = sandbox.place(".cuedeck")
    long_memory = (home / "LONGMEMORY.md").read_text()
    assert "harbour" in long_memory
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
