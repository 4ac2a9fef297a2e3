"""A hook whose index of recall is out of date answers in time; a maintenance run reads
what the hook does not.
"""

from __future__ import annotations

import json

import pytest
from agent_host import SimulatedAgent
from sandbox import Sandbox

from cuedeck.knowledge.recall.recall_sources import MOST_IN_HOOK

QUESTION = "Which port does the staging server have?"
NOTES = ".cuedeck/memory/notes.md"
FACT = "The staging server listens on port 5433"


def line(identity: str, text: str) -> str:
    return f"- {json.dumps({'id': identity, 'text': text, 'category': 'note'})}\n"


@pytest.fixture
def large(sandbox: Sandbox) -> Sandbox:
    """A workspace whose memory is larger than what a hook reads."""
    sandbox.run("recall", "anything")
    filler = "lorem ipsum dolor sit amet " * 100
    lines = [line(f"f{number:07}", f"{number} {filler}") for number in range(1_200)]
    sandbox.write(NOTES, f"{FACT}\n\n")  # no brief contains it
    sandbox.write(".cuedeck/MEMORY.md", "".join(lines))
    assert sandbox.place(".cuedeck/MEMORY.md").stat().st_size > MOST_IN_HOOK
    return sandbox


def ask(sandbox: Sandbox, session: str) -> str:
    """Return what a new session receives with the question."""
    agent = SimulatedAgent(sandbox, "claude")
    agent.send("start", session_id=session)
    agent.send("prompt", session_id=session, prompt="Where is the form?")
    return agent.send_for_context("prompt", session_id=session, prompt=QUESTION)


def test_a_hook_leaves_a_large_memory_to_maintenance(large: Sandbox) -> None:
    assert FACT not in ask(large, "new")
    large.ok("memory", "tick")
    assert FACT in ask(large, "after maintenance")

    with large.place(".cuedeck/MEMORY.md").open("a") as file:
        file.write(line("new", "lorem ipsum"))
    with large.place(NOTES).open("a") as file:
        file.write("The staging server of Oslo has port 6000\n")
    assert "port 6000" in ask(large, "appended")

    place = large.place(".cuedeck/MEMORY.md")
    rewritten = place.read_text().replace("lorem", "Lorem") + line("z", "the end")
    place.write_text(rewritten)
    assert FACT not in ask(large, "rewritten")
    assert large.answer("recall", "staging port")["hits"]
    assert FACT in ask(large, "after recall")

    large.private("recall.sqlite").write_bytes(b"another version" * 500)
    assert FACT not in ask(large, "other version")
    large.ok("memory", "tick")
    assert FACT in ask(large, "after another maintenance")
