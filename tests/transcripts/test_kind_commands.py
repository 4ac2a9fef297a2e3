"""Commands of each kind of entry: add, list, read, forget, refuse."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from sandbox import Sandbox


class Commands(NamedTuple):
    """The commands of a kind of entry; TEXT is the text of an entry."""

    add: str
    listing: str
    path: str
    forget: str = ""

    @property
    def key(self) -> str:
        """Key of the list in JSON."""
        kind = self.listing.split()[0]
        return "records" if kind == "memory" else f"{kind}s"


ATTEMPT = "attempt add --on src/auth.py --failed it --tried TEXT"
LEARN = "experience add TEXT"
KINDS = {
    "decision": Commands("decide TEXT", "decision list", ".cuedeck/decisions.jsonl"),
    "attempt": Commands(ATTEMPT, "attempt list", ".cuedeck/attempts.jsonl"),
    "assumption": Commands(
        "assumption add TEXT", "assumption list", ".cuedeck/assumptions.toml"
    ),
    "record": Commands(
        "memory add TEXT", "memory list", ".cuedeck/MEMORY.md", "memory forget"
    ),
    "experience": Commands(
        LEARN, "experience list", ".cuedeck/experiences.jsonl", "experience forget"
    ),
}
FORGETTING = [name for name, commands in KINDS.items() if commands.forget]
TEXT = "the zebra sleeps at noon"
OTHER = "a walrus sings in the harbour"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write("src/auth.py", "x = 1\n")
    return sandbox


def add(shop: Sandbox, kind: str, text: str) -> str:
    words = [text if word == "TEXT" else word for word in KINDS[kind].add.split()]
    return str(shop.answer(*words)["id"])


def listed(shop: Sandbox, kind: str) -> list[dict[str, Any]]:
    commands = KINDS[kind]
    found: list[dict[str, Any]] = shop.answer(*commands.listing.split())[commands.key]
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_added_entry_is_listed_read_and_found(shop: Sandbox, kind: str) -> None:
    one, other = add(shop, kind, TEXT), add(shop, kind, OTHER)
    assert [row["id"] for row in listed(shop, kind)] == [one, other]
    printed = shop.ok(*KINDS[kind].listing.split()).out
    assert "zebra" in printed and "walrus" in printed
    read = shop.answer("read", f"{kind}:{one}")
    assert (read["kind"], read["path"]) == (kind, KINDS[kind].path)
    assert TEXT in read["text"] and OTHER not in read["text"]
    hits = shop.answer("recall", "zebra noon")["hits"]
    assert f"{kind}:{one}" in [hit["address"] for hit in hits]
    error = shop.answer("read", f"{kind}:{one}x", code=1)["error"]
    assert error["hint"]


@pytest.mark.parametrize("kind", KINDS)
def test_entry_without_a_text_is_refused_without_a_trace(
    shop: Sandbox, kind: str
) -> None:
    before = shop.bytes()
    words = [" " if word == "TEXT" else word for word in KINDS[kind].add.split()]
    ran = shop.run(*words)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: ")
    assert shop.bytes() == before


@pytest.mark.parametrize("kind", FORGETTING)
def test_forgotten_entry_leaves_only_its_id(shop: Sandbox, kind: str) -> None:
    one, other = add(shop, kind, TEXT), add(shop, kind, OTHER)
    shop.card("aaaaaa", f"refs: ['{kind}:{one}']")
    shop.activate("aaaaaa")
    shop.ok("scene")
    assert "zebra" in shop.scene.read_text()
    shop.ok(*KINDS[kind].forget.split(), f"{kind}:{one}")
    assert [row["id"] for row in listed(shop, kind)] == [other]
    assert shop.answer("recall", "zebra", code=1)["hits"] == []
    data = shop.bytes()
    assert not [path for path, content in data.items() if b"zebra" in content]
    shop.answer("read", f"{kind}:{one}", code=1)


@pytest.mark.parametrize("kind", FORGETTING)
def test_unknown_and_ambiguous_ids_are_refused_with_the_nearest(
    shop: Sandbox, kind: str
) -> None:
    ids = [f"e389d362-{digit}de6-466b-aa3a-1a0f4d52db89" for digit in (4, 5)]
    mark = "- " if kind == "record" else ""
    rows = [f"{mark}{json.dumps({'id': each, 'text': each[9]})}\n" for each in ids]
    shop.write(KINDS[kind].path, "".join(rows))
    before = shop.bytes()
    forget = KINDS[kind].forget.split()
    for text, candidates in (("e389", ids), (f"{ids[0]}x", ids[:1])):
        error = shop.answer(*forget, text, code=1)["error"]
        assert error["candidates"][: len(candidates)] == candidates
    refused = shop.run(*forget, "e389")
    assert "  - e389d362-4\n  - e389d362-5\n" in refused.err
    assert shop.bytes() == before
    assert "e389d362-4" in shop.ok(*KINDS[kind].listing.split()).out
    shop.ok(*forget, "e389d362-4")
    assert [row["id"] for row in listed(shop, kind)] == ids[1:]
