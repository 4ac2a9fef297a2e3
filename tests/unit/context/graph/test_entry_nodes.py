"""Records in the drawing of a workspace."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.context.graph.draw_graph import draw_workspace, statistics
from cuedeck.graph.draw import FORMATS
from cuedeck.model.diagram import Arrow, Drawing

MEMORY = ".cuedeck/MEMORY.md"
CARD = ".cuedeck/cards/aaaaaa.md"


def line(
    identity: str, text: str, label: str = "public", session: str = "main", **more: Any
) -> str:
    provenance = {"timestamp": "2026-05-03T12:00:00Z", "sensitivity": label}
    value = {
        "id": identity,
        "sessionId": session,
        "category": "note",
        "text": text,
        "provenance": provenance,
    }
    return f"- {json.dumps({**value, **more})}\n"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "refs: [docs/auth.md, 'record:linked']")
    sandbox.write("docs/auth.md", "# Auth\n")
    sandbox.write("src/auth.py", "class Login:\n    def verify(self):\n        pass\n")
    return sandbox


def drawing_of(sandbox: Sandbox) -> Drawing:
    return draw_workspace(sandbox.workspace(), "none")


def test_record_is_connected_with_its_mentions_and_its_links(shop: Sandbox) -> None:
    shop.write(
        ".cuedeck/decisions.jsonl",
        '{"id":"k1","timestamp":"2026-01-01T00:00:00Z","decision":"x"}\n',
    )
    shop.write(MEMORY, "".join([
        line("r1", "Login.verify and src/auth.py#Login are slow"),
        line("r2", "see docs/auth.md, card aaaaaa and decision:k1"),
        line("r3", "of nothing"),
        line("linked", "of nothing either"),
        line("secret", "src/auth.py", "secret"),
        line("old", "src/auth.py"),
        line("new", "of nothing", supersedes=["old"])
    ]))  # fmt: skip
    found = drawing_of(shop)
    assert [box.address for box in found.boxes if box.kind == "record"] == [
        "record:r1",
        "record:r2",
        "record:linked",
    ]
    assert sorted(found.arrows) == [
        Arrow(CARD, "docs/auth.md", "refs"),
        Arrow(CARD, "record:linked", "refs"),
        Arrow("record:r1", "src/auth.py", "mentions"),
        Arrow("record:r2", CARD, "mentions"),
        Arrow("record:r2", "decision:k1", "mentions"),
        Arrow("record:r2", "docs/auth.md", "mentions"),
    ]
    assert "src/auth.py" in {box.address for box in found.boxes}
    assert found.cycles == ()
    assert statistics(found)["types"] == {"mentions": 4, "refs": 2}


def test_newest_records_are_drawn_and_the_others_are_counted(shop: Sandbox) -> None:
    lines = [
        line("linked", "of nothing"),
        *(line(f"r{n}", "src/auth.py") for n in range(70)),
    ]
    shop.write(MEMORY, "".join(lines))
    found = drawing_of(shop)
    records = [box.address for box in found.boxes if box.kind == "record"]
    assert records == ["record:linked", *(f"record:r{n}" for n in range(20, 70))]
    assert found.records_left_out == 20
    assert json.loads(FORMATS["json"](found))["records_left_out"] == 20
    assert "20 older records are not drawn" in shop.ok("graph").err


def test_missing_memory_draws_no_records(shop: Sandbox) -> None:
    shop.card("aaaaaa", "refs: [docs/auth.md]")
    assert {box.kind for box in drawing_of(shop).boxes} == {"card", "doc"}
