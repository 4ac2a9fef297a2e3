"""Ledger entries linked by a card or a doc: visits, their targets, and the open
session.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.context.graph.draw_graph import draw_scene
from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.explain import why
from cuedeck.context.search.read_address import read_address
from cuedeck.doctor.examine import examine
from cuedeck.knowledge.experiences.add_experience import add_experience
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.work.decisions.create_decision import NewDecision, decide
from cuedeck.work.decisions.failed_attempts import NewAttempt, add_attempt

CARD = ".cuedeck/cards/aaaaaa.md"
MEMORY = ".cuedeck/MEMORY.md"
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
ASSUMPTION = (
    '[[assumption]]\nid = "fast"\ntext = "Zeta is fast"\naffects = ["src/zeta.py"]\n'
)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "refs: [docs/auth.md]")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/auth.md", "# Auth\n")
    sandbox.write("src/zeta.py", "# The slow one.\n\n\ndef zeta():\n    return 1\n")
    sandbox.write("src/kappa.py", "def kappa():\n    return 2\n")
    return sandbox


def link_from_card(shop: Sandbox, *addresses: str) -> None:
    """Link addresses from the text of the card."""
    shop.card("aaaaaa", body="".join(f"[[{address}]]\n\n" for address in addresses))


def visited_addresses(shop: Sandbox) -> dict[str, dict[str, Any]]:
    made = make_scene(shop.workspace(), Request())
    return {
        row["address"]: row
        for row in made.report["visits"]
        if row["tier"] == "explicit"
    }


def row(identity: str, text: str, label: str = "public", **more: Any) -> str:
    provenance = {
        "sourceChannel": "cli",
        "timestamp": "2026-05-03T12:00:00Z",
        "sensitivity": label,
    }
    value = {
        "id": identity,
        "sessionId": "main",
        "category": "note",
        "text": text,
        "provenance": provenance,
    }
    return f"- {json.dumps({**value, **more})}\n"


def decision(shop: Sandbox, text: str = "Use zeta", **more: Any) -> str:
    return f"decision:{decide(shop.workspace(), NewDecision(text, affects=('src/zeta.py',), **more))['id']}"


def test_targets_of_a_linked_decision_are_visited_at_the_next_depth(
    shop: Sandbox,
) -> None:
    address = decision(shop)
    link_from_card(shop, address)
    found = visited_addresses(shop)
    steps = [
        (each["address"], each["depth"], each["via"], each["edge"])
        for each in found.values()
    ]
    assert steps == [
        (CARD, 0, None, None),
        (address, 1, CARD, "refs"),
        ("src/zeta.py", 2, address, "affects"),
    ]
    assert found["src/zeta.py"]["why"] == f"affected by {address}"
    answer = why(shop.workspace(), "src/zeta.py")
    assert [step["address"] for step in answer["chain"]] == [
        CARD,
        address,
        "src/zeta.py",
    ]
    drawing = draw_scene(shop.workspace())
    assert (address, "src/zeta.py", "affects") in {
        arrow[:3] for arrow in drawing.arrows
    }


def test_every_kind_of_entry_is_a_visit_followed_by_its_targets(shop: Sandbox) -> None:
    workspace = shop.workspace()
    attempt = add_attempt(workspace, NewAttempt(("src/zeta.py",), "a", "b"))["id"]
    experience = add_experience(
        workspace, memory_of(workspace), "zeta needs src/kappa.py first"
    )["id"]
    shop.write(".cuedeck/assumptions.toml", ASSUMPTION)
    shop.write(MEMORY, row("rec-1", "src/kappa.py is slow"))
    session = shop.answer("session", "start")["session"]
    shop.ok("session", "touch", "src/zeta.py", "--write")
    places = {
        f"attempt:{attempt}": ("src/zeta.py", "on"),
        f"experience:{experience}": ("src/kappa.py", "mentions"),
        "assumption:fast": ("src/zeta.py", "affects"),
        "record:rec-1": ("src/kappa.py", "mentions"),
        f"session:{session}": ("src/zeta.py", "wrote"),
    }
    for address, (place, edge) in places.items():
        link_from_card(shop, address)
        found = visited_addresses(shop)
        assert (found[address]["depth"], found[address]["kind"]) == (
            1,
            address.partition(":")[0],
        )
        assert (found[place]["depth"], found[place]["via"], found[place]["edge"]) == (
            2,
            address,
            edge,
        )


@pytest.mark.parametrize("form", ["[[{}]]", "[why]({})", "@ref[{}]"])
def test_every_form_of_link_resolves_to_an_entry(shop: Sandbox, form: str) -> None:
    address = decision(shop)
    shop.write("docs/auth.md", f"# Auth\n\nSee {form.format(address)}.\n")
    shop.card("aaaaaa", "refs: [docs/auth.md]")
    assert visited_addresses(shop)[address]["depth"] == 2
    shop.card("aaaaaa", f"refs: ['{address}']")
    assert (
        visited_addresses(shop)[address]["why"]
        == f"named in the refs of {CARD} (line 3)"
    )


def test_entry_is_shown_as_read_shows_it_with_masked_secrets(shop: Sandbox) -> None:
    shop.write(MEMORY, row("rec-1", f"the key is {AWS}"))
    link_from_card(shop, "record:rec-1", decision(shop))
    text = make_scene(shop.workspace(), Request()).text
    assert AWS not in text
    read = read_address(shop.workspace(), "record:rec-1")
    assert (
        f"### `record:rec-1`\ndepth 1, shown in full: reached by the link on line 5 of {CARD}\n"
        in text
    )
    assert f"\n```\n{read['text']}```\n" in text
    assert visited_addresses(shop)["record:rec-1"]["path"] == MEMORY


def test_visited_entry_is_not_repeated_in_the_block_of_its_ledger(
    shop: Sandbox,
) -> None:
    address = decision(shop)
    shop.write(MEMORY, row("rec-1", "src/zeta.py is slow"))
    shop.card("aaaaaa", "refs: [src/zeta.py]")
    made = make_scene(shop.workspace(), Request())
    entries = [each for block in made.report["blocks"] for each in block["entries"]]
    assert [
        (each["address"], each["depth"], each["via"], each["edge"]) for each in entries
    ] == [
        (address, 1, CARD, "decided_in"),
        ("record:rec-1", 2, "src/zeta.py", "mentions"),
    ]
    answer = why(shop.workspace(), "record:rec-1")
    assert [step["address"] for step in answer["chain"]] == [
        CARD,
        "src/zeta.py",
        "record:rec-1",
    ]
    link_from_card(shop, address, "record:rec-1")
    made = make_scene(shop.workspace(), Request())
    assert [each for block in made.report["blocks"] for each in block["entries"]] == []
    assert made.text.count(f"`{address}`") == 2  # map and heading


@pytest.mark.parametrize("budget", [600, 900, 8_000])
def test_linked_decision_is_shown_at_every_budget(shop: Sandbox, budget: int) -> None:
    address = decision(shop, because="it is the only fast one")
    shop.card("aaaaaa", body=f"[[{address}]]\n\n{'Words of the task. ' * 40}")
    made = make_scene(shop.workspace(), Request(budget=budget))
    assert made.report["tokens"] <= budget
    entries = [
        each["address"] for block in made.report["blocks"] for each in block["entries"]
    ]
    full = [each["address"] for each in made.report["visits"] if each["view"] == "full"]
    assert (address in entries) != (address in full)
    assert "Use zeta" in made.text


def test_entries_that_point_at_a_visit_are_not_walked_through(shop: Sandbox) -> None:
    decide(
        shop.workspace(), NewDecision("Both", affects=("docs/auth.md", "src/zeta.py"))
    )
    assert "src/zeta.py" not in visited_addresses(shop)


def test_link_to_a_retired_entry_is_dead_and_suggests_its_replacement(
    shop: Sandbox,
) -> None:
    old = decision(shop)
    new = decision(shop, "Use kappa", supersedes=old.partition(":")[2])
    shop.write(".cuedeck/decisions.jsonl", "\n".join([
        (shop.root / ".cuedeck/decisions.jsonl").read_text().rstrip("\n"),
        '{"id": "no", "timestamp": "2026-01-01T00:00:00Z", "decision": "x", "status": "rejected"}\n'
    ]))  # fmt: skip
    lines = [
        row("r-old", "old"),
        row("r-new", "new", supersedes=["r-old"]),
        row("r-secret", "hidden", "secret"),
    ]
    shop.write(MEMORY, "".join(lines))
    link_from_card(shop, old, "decision:no", "record:r-old", "record:r-secret")
    made = make_scene(shop.workspace(), Request())
    assert [row["address"] for row in made.report["visits"]] == [CARD]
    dead = [
        (each["ref"], each["reason"], each["suggestion"])
        for each in made.report["unresolved"]
    ]
    assert dead == [
        (old, "superseded", new),
        ("decision:no", "rejected", None),
        ("record:r-old", "superseded", "record:r-new"),
        ("record:r-secret", "secret", None),
    ]
    entries = [
        each["address"] for block in made.report["blocks"] for each in block["entries"]
    ]
    assert entries == [new, "record:r-new"]  # the blocks still show both
    assert read_address(shop.workspace(), old)["kind"] == "decision"
    found = examine(shop.workspace()).findings
    retired = [each for each in found if each.code == "retired-ref"]
    assert [each.level for each in retired] == ["warning"] * 4
    assert retired[0].hint == f"did you mean `{new}`?"


def test_change_of_another_session_changes_the_scene_that_shows_it(
    shop: Sandbox,
) -> None:
    first = shop.answer("session", "start")["session"]
    shop.ok("session", "note", "Begun")
    shop.ok("session", "close")
    shop.answer("session", "start")
    link_from_card(shop, f"session:{first}")
    before = shop.answer("scene")["receipt"]
    place = shop.root / f".cuedeck/sessions/{first}.json"
    place.write_text(place.read_text().replace('"Begun"', '"Begun again"'))
    assert shop.answer("scene")["receipt"] != before
    assert "Begun again" in shop.scene.read_text()
    receipts = {shop.answer("scene")["receipt"] for _ in range(3)}
    assert len(receipts) == 1


def test_files_of_the_open_session_are_related(shop: Sandbox) -> None:
    shop.answer("session", "start")
    assert "src/kappa.py" not in shop.ok("scene", "--print").out
    shop.ok("session", "touch", "src/kappa.py", "--write")
    answer = why(shop.workspace(), "src/kappa.py")
    assert (answer["in_scene"], answer["tier"], answer["reason"]) == (
        True,
        "related",
        "edited in this session",
    )
    assert answer["ranks"] == {"session": 1}
    assert shop.answer("resume")["unchanged"]
    shop.card("bbbbbb", "title: Something else")
    other = make_scene(shop.workspace(), Request("bbbbbb"))
    assert "src/kappa.py" not in [each["path"] for each in other.report["visits"]]


def test_facts_of_the_long_memory_are_entries(shop: Sandbox) -> None:
    facts = "## Summary (2026-01-01)\n\n- src/zeta.py is slow [f1df838f]\n- src/kappa.py is old [a2bc9911 01-02]\n"
    shop.write(".cuedeck/LONGMEMORY.md", f"# Long\n\n\n{facts}")
    shop.write(MEMORY, row("rec-1", "nothing"))
    shop.card("aaaaaa", "refs: [src/kappa.py]", body="[[record:f1df]]")
    made = make_scene(shop.workspace(), Request())
    found = {each["address"]: each for each in made.report["visits"]}
    assert (found["record:f1df838f"]["path"], found["record:f1df838f"]["lines"]) == (
        ".cuedeck/LONGMEMORY.md",
        [6, 6],
    )
    assert (found["src/zeta.py"]["via"], found["src/zeta.py"]["edge"]) == (
        "record:f1df838f",
        "mentions",
    )
    entries = [each for block in made.report["blocks"] for each in block["entries"]]
    assert [(each["address"], each["via"]) for each in entries] == [
        ("record:a2bc9911", "src/kappa.py")
    ]
    assert "“[long-memory] src/kappa.py is old”" in made.text
    shop.write(
        ".cuedeck/LONGMEMORY.md", f"# Long\n\n\n{facts.replace('is old', 'is new')}"
    )
    assert (
        "“[long-memory] src/kappa.py is new”"
        in make_scene(shop.workspace(), Request()).text
    )
