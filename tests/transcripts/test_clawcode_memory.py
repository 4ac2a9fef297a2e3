"""The memory of ClawCode, feature by feature, with real commands, hooks and tools."""

from __future__ import annotations

import json
import sqlite3
from datetime import date, timedelta
from typing import Any

from agent_host import SimulatedAgent
from mcp_client import connect_over_stdio
from sandbox import Sandbox

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


def test_agents_write_the_memory(sandbox: Sandbox) -> None:
    with connect_over_stdio(sandbox, "--compat") as client:
        instructions = client.sdk.instructions or ""
        assert "remember" in instructions
        assert "Recall before you answer" in instructions
        client.ok("remember", text="Prefers small commits")
    agent = SimulatedAgent(sandbox, "claude")
    agent.send("start")
    agent.send("stop", last_assistant_message="The login works with passkeys now.")
    today = [sandbox.place(f".cuedeck/memory/{day(age)}.md") for age in (0, 1)]
    log = next(place for place in today if place.exists()).read_text()
    assert "Prefers small commits" in log
    assert "The login works with passkeys now." in log
    assert snippets(sandbox, "passkeys") == ["The login works with passkeys now."]


def test_a_spanish_question_of_yesterday(sandbox: Sandbox) -> None:
    write_records(sandbox, "Escribo sobre todo de noche", "El proyecto Tarta es viejo")
    path = write_log(sandbox, 1, "Cookie: el cliente aprueba el diseño del proyecto.")
    write_log(sandbox, 9, "Cookie: primera idea del proyecto.")
    found = hits(sandbox, "¿qué hablamos ayer sobre el proyecto Cookie?")
    assert found[0]["path"] == path
    assert "sobre" not in found[0]["why"]
    assert hits(sandbox, "¿qué hablamos ayer?")[0]["path"] == path


SYNONYMS = """
    perro perra dog, gato cat, mascota pet, almuerzo almorzar almorcé lunch, cena dinner
    desayuno breakfast, comida food, camarón camarones shrimp, mariscos marisco seafood
    mariscos shrimp, alergia allergy, alérgico alergico allergic, cumpleaños birthday
    nombre llamar llama name, mañana tomorrow, semana week, mes month, año year
    proyecto project, reunión reunion meeting, tarea task, pendiente pendientes pending
    nota note, notas notes, favorito favorita favorite, langosta lobster, cangrejo crab
    pescado fish
"""
"""Spanish words, then the English word with their meaning. `ayer` and `yesterday` are
dates.
"""


def test_every_known_synonym_is_found(sandbox: Sandbox) -> None:
    groups = [group.split() for group in SYNONYMS.replace("\n", ",").split(",")]
    # Texts of equal stems, such as `perro` and `perra`, would be shown once.
    words = enumerate(SYNONYMS.replace(",", " ").split())
    texts = {word: f"{word} {at}" for at, word in words}
    write_records(sandbox, *texts.values())
    for *spanish, english in filter(None, groups):
        found = snippets(sandbox, english, "--limit", "20")
        assert {texts[word] for word in (*spanish, english)} <= set(found)
        for word in spanish:
            assert texts[english] in snippets(sandbox, word, "--limit", "20")


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


def test_doctor_repairs_a_corrupt_index(sandbox: Sandbox) -> None:
    write_records(sandbox, "The boiler was repaired by Nadia")
    assert snippets(sandbox, "boiler")
    index = sandbox.private("recall.sqlite")
    damage = [
        lambda: index.write_bytes(b"no database" * 500),
        lambda: index.write_bytes(index.read_bytes()[:5_000]),
        lambda: empty_index(str(index)),
    ]
    for act in damage:
        act()
        findings = sandbox.run("doctor", "--json").json["findings"]
        found = [each for each in findings if each["check"] == "recall-index"]
        assert [each["code"] for each in found] == ["corrupt-index"]
        repaired = sandbox.run("doctor", "--repair", "--json").json
        assert "recall-index" not in {each["check"] for each in repaired["findings"]}
        assert snippets(sandbox, "boiler") == ["The boiler was repaired by Nadia"]


def empty_index(place: str) -> None:
    """Delete the units from the index; the files stay."""
    database = sqlite3.connect(place)
    database.execute("DELETE FROM units")
    database.commit()
    database.close()
