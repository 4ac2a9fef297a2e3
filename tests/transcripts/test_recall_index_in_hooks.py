"""A hook whose index of recall is out of date answers in time; a maintenance run reads
what the hook does not.
"""

from __future__ import annotations

import json

import pytest
from agent_host import SimulatedAgent
from sandbox import Sandbox

from cuedeck.knowledge.recall.open_recall import MOST_IN_HOOK

QUESTION = "Which port does the staging server have?"
NOTES = ".cuedeck/memory/notes.md"
FACT = "The staging server listens on port 5433"


def line(identity: str, text: str) -> str:
    return f"- {json.dumps({'id': identity, 'text': text, 'category': 'note'})}\n"


@pytest.fixture
def large(sandbox: Sandbox) -> Sandbox:
    """A workspace whose memory is larger than what a hook reads."""
    sandbox.run("recall", "anything")
    filler = "lorem ipsum dolor sit amet " * 20
    lines = [line(f"f{number:07}", f"{number} {filler}") for number in range(6_000)]
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


def test_a_prompt_has_no_digest_until_maintenance_read_the_memory(
    large: Sandbox,
) -> None:
    assert FACT not in ask(large, "a")
    large.ok("memory", "tick")
    assert FACT in ask(large, "b")


def test_an_index_of_another_version_is_built_by_maintenance(large: Sandbox) -> None:
    large.ok("memory", "tick")
    large.private("recall.sqlite").write_bytes(b"another version" * 500)
    assert FACT not in ask(large, "c")
    large.ok("memory", "tick")
    assert FACT in ask(large, "d")


def test_a_prompt_reads_what_was_appended(large: Sandbox) -> None:
    large.ok("memory", "tick")
    with large.place(".cuedeck/MEMORY.md").open("a") as file:
        file.write(line("new", "lorem ipsum"))
    with large.place(NOTES).open("a") as file:
        file.write("The staging server of Oslo has port 6000\n")
    assert "port 6000" in ask(large, "e")


def test_a_prompt_does_not_read_a_large_memory_that_was_rewritten(
    large: Sandbox,
) -> None:
    large.ok("memory", "tick")
    place = large.place(".cuedeck/MEMORY.md")
    rewritten = place.read_text().replace("lorem", "Lorem") + line("z", "the end")
    place.write_text(rewritten)
    assert FACT not in ask(large, "f")
    assert large.answer("recall", "staging port")["hits"]
    assert FACT in ask(large, "g")
