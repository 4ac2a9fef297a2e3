"""The memory of ClawCode, feature by feature, with real commands, hooks and tools."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from agent_host import SimulatedAgent
from mcp_client import McpClient, connect_over_stdio
from sandbox import Sandbox
from shared_process import sandbox

__all__ = ["sandbox"]

TODAY = date.today()


def day(age: int) -> str:
    return (TODAY - timedelta(days=age)).isoformat()


def record(text: str, identity: str, age: int = 0) -> str:
    provenance = {"timestamp": f"{day(age)}T10:00:00.000Z", "sensitivity": "public"}
    return f"- {json.dumps({'id': identity, 'text': text, 'provenance': provenance})}\n"


def write_records(sandbox: Sandbox, *texts: str, age: int = 0) -> None:
    rows = [record(text, f"r{at}", age) for at, text in enumerate(texts)]
    sandbox.write(".cuedeck/MEMORY.md", "".join(rows))


def write_log(sandbox: Sandbox, age: int, *paragraphs: str) -> str:
    path = f".cuedeck/memory/{day(age)}.md"
    sandbox.write(path, "\n\n".join(paragraphs) + "\n")
    return path


def hits(sandbox: Sandbox, query: str, *options: str) -> list[dict[str, Any]]:
    ran = sandbox.run("recall", query, "--json", *options)
    assert ran.code in (0, 1), ran
    found: list[dict[str, Any]] = ran.json["hits"]
    return found


def snippets(sandbox: Sandbox, query: str, *options: str) -> list[str]:
    return [hit["snippet"] for hit in hits(sandbox, query, *options)]


def configure(sandbox: Sandbox, *lines: str) -> None:
    sandbox.write(".cuedeck/config.toml", "\n".join(("[recall]", *lines, "")))


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[McpClient]:
    with connect_over_stdio(sandbox, "--compat") as connected:
        yield connected


def test_prose_by_hand_is_found(sandbox: Sandbox) -> None:
    sandbox.ok("remember", "Deploys go out on Fridays")
    memory = sandbox.place(".cuedeck/MEMORY.md")
    memory.write_text(f"{memory.read_text()}\n## House\n\nThe landlord is Iago.\n")
    log = write_log(sandbox, 2, "The kubernetes deadline moved to March.")
    sandbox.write(".cuedeck/LONGMEMORY.md", "- The cat is called Miso.\n")
    sandbox.write(".cuedeck/USER.md", "- I am allergic to walnuts.\n")
    assert snippets(sandbox, "landlord") == ["The landlord is Iago."]
    assert hits(sandbox, "kubernetes deadline")[0]["path"] == log
    assert [hit["kind"] for hit in hits(sandbox, "cat Miso")] == ["long-memory"]
    assert [hit["kind"] for hit in hits(sandbox, "walnuts")] == ["user"]
    sandbox.place(log).write_text("The kubernetes deadline moved to May.\n")
    assert snippets(sandbox, "deadline") == ["The kubernetes deadline moved to May."]


def test_agents_write_the_memory(sandbox: Sandbox, client: McpClient) -> None:
    instructions = client.sdk.instructions or ""
    assert "remember" in instructions and "Recall before you answer" in instructions
    client.ok("remember", text="Prefers small commits")
    agent = SimulatedAgent(sandbox, "claude")
    agent.send("start")
    agent.send("stop", last_assistant_message="The login works with passkeys now.")
    today = [sandbox.place(f".cuedeck/memory/{day(age)}.md") for age in (0, 1)]
    log = next(place for place in today if place.exists()).read_text()
    assert "Prefers small commits" in log
    assert "The login works with passkeys now." in log
    assert snippets(sandbox, "passkeys") == ["The login works with passkeys now."]


# --- steps of the search


def test_a_spanish_question_of_yesterday(sandbox: Sandbox) -> None:
    write_records(sandbox, "Escribo sobre todo de noche", "El proyecto Tarta es viejo")
    path = write_log(sandbox, 1, "Cookie: el cliente aprueba el diseño del proyecto.")
    write_log(sandbox, 9, "Cookie: primera idea del proyecto.")
    found = hits(sandbox, "¿qué hablamos ayer sobre el proyecto Cookie?")
    assert found[0]["path"] == path
    assert "sobre" not in found[0]["why"]
    assert hits(sandbox, "¿qué hablamos ayer?")[0]["path"] == path


def test_a_changed_value_is_before_the_old_one(sandbox: Sandbox) -> None:
    """The records around the old value are about the same subject."""
    texts = [
        "The server is in Lugo",
        "The server port is 8080",
        "Boats need paint",
        "Rope is in the shed",
        "The lamp is green",
        "The server port is 9090",
        "Nets are dry",
        "Tea is at four",
    ]
    rows = [
        record(text, f"r{at}", 40 - at).replace(
            '"text"', '"category": "learned", "text"'
        )
        for at, text in enumerate(texts)
    ]
    sandbox.write(".cuedeck/MEMORY.md", "".join(rows))
    first, second, *_ = hits(sandbox, "server port")
    assert (first["address"], second["address"]) == ("record:r5", "record:r1")
    assert first["score"] >= second["score"]
    digest = sandbox.ok("recall", "--digest", "Which port does the server have?").out
    assert digest.index("9090") < digest.index("8080")
    of_day = hits(sandbox, f"server port {day(39)}")
    assert of_day[0]["address"] == "record:r1"


def test_a_hit_is_a_paragraph_of_a_long_log(sandbox: Sandbox) -> None:
    filler = [f"Entry {at} about nothing in particular." for at in range(400)]
    path = write_log(
        sandbox, 1, "# Log", *filler, "## House", "The heron nests on the roof."
    )
    (hit,) = hits(sandbox, "heron nests")
    assert hit["snippet"] == "The heron nests on the roof."
    assert hit["citation"] == f"{path}#L805"
    assert "House" in hit["title"]


def test_a_citation_can_be_read(sandbox: Sandbox) -> None:
    path = write_log(sandbox, 1, "First.", "The heron nests\non the roof.")
    out = sandbox.ok("recall", "heron").out
    place = out.partition(": ")[0]
    assert (place, f".cuedeck/{place}") == (
        f"memory/{day(1)}.md#L3-L4",
        f"{path}#L3-L4",
    )
    assert sandbox.ok("read", place).out == "The heron nests\non the roof.\n"
    assert sandbox.ok("memory", "read", f"{path}#L3-L4").out == (
        "The heron nests\non the roof.\n"
    )
    configure(sandbox, 'citations = "on"')
    assert f"Source: {path}#L3-L4" in sandbox.ok("recall", "heron").out
    configure(sandbox, 'citations = "off"')
    assert path not in sandbox.ok("recall", "heron").out


# --- tools


def test_the_tools_have_the_known_names(sandbox: Sandbox, client: McpClient) -> None:
    path = write_log(sandbox, 1, "First.", "The heron nests.", "The last one.")
    found = client.recall("memory_search", query="heron nests", maxResults=1)
    (hit,) = found["hits"]
    assert f".cuedeck/{hit['place']}" == f"{path}#L3"
    part = client.ok("memory_get", **{"path": path, "from": 3, "lines": 2})
    assert (part["from"], part["lines"]) == (3, 2)
    assert part["content"] == "The heron nests.\n\n"
    cited = client.ok("memory_get", path=hit["place"])
    assert cited["content"] == "The heron nests.\n"
    names = {tool.name for tool in client.do(client.sdk.list_tools).tools}
    assert {"memory_search", "memory_get", "memory_context"} <= names


def test_a_message_is_answered_by_sentences(
    sandbox: Sandbox, client: McpClient
) -> None:
    write_records(sandbox, "The boiler was repaired by Nadia. It cost 90 euros.")
    message = "Hi! The boiler is cold again. Who repaired the boiler last time?"
    first = client.ok("memory_context", message=message)
    assert [line["text"] for line in first["lines"]] == [
        "The boiler was repaired by Nadia."
    ]
    assert client.ok("memory_context", message=message)["lines"] == [], "once"
    for message in ("hello", "/compact", "Sort a list in Python"):
        assert client.ok("memory_context", message=message)["digest"] == ""


def test_each_prompt_is_answered_from_the_memory(sandbox: Sandbox) -> None:
    agent = SimulatedAgent(sandbox, "claude")
    agent.send("start")
    path = write_log(sandbox, 1, "The newsletter is sent by Mailjet.")
    assert agent.send_for_context("prompt", prompt="hola") == ""
    assert agent.send_for_context("prompt", prompt="/help") == ""
    shown = agent.send_for_context("prompt", prompt="/newsletter Mailjet is broken")
    assert f"(log {day(1)}, `{path}#L1`)" in shown


# --- dreaming


def test_a_night_promotes_what_was_recalled_often(sandbox: Sandbox) -> None:
    path = write_log(sandbox, 1, "The staging database listens on port 5433.")
    sandbox.write(
        ".cuedeck/MEMORY.md",
        record("The staging database has a nightly dump", "dump", 2)
        + record("The staging database was moved to Hetzner", "host", 3),
    )
    configure(sandbox, "[dream]", "min_days = 1")
    for query in ("staging database port", "which port does staging listen on"):
        for _ in range(2):
            sandbox.ok("recall", query)
    before = sandbox.bytes()
    dry = sandbox.answer("dream", "run", "--dry-run")
    assert sandbox.bytes() == before
    ran = sandbox.answer("dream", "run")
    assert [each["text"] for each in dry["promoted"]] == [
        each["text"] for each in ran["promoted"]
    ]
    (promoted,) = ran["promoted"]
    assert promoted["source"] == f"{path}#L1"
    memory = sandbox.place(".cuedeck/MEMORY.md").read_text()
    assert "The staging database listens on port 5433" in memory
    diary = sandbox.place(".cuedeck/DREAMS.md").read_text()
    assert "### Promoted into MEMORY.md" in diary
    assert sandbox.answer("dream", "run")["promoted"] == [], "once"


# --- flush and repair


def test_the_end_of_a_conversation_is_saved(sandbox: Sandbox) -> None:
    agent = SimulatedAgent(sandbox, "claude")
    agent.send("start")
    transcript = sandbox.root.parent / "talk.jsonl"
    spoken = [
        ("user", "Why is the harbour page slow?"),
        ("assistant", "The tide query scans the whole table."),
        ("assistant", "An index on tide_windows makes it fast."),
    ]
    rows = [
        {"type": role, "message": {"role": role, "content": text}}
        for role, text in spoken
    ]
    transcript.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    agent.send("compacting", transcript_path=str(transcript))
    for _, text in spoken:
        assert any(text in found for found in snippets(sandbox, text)), text
