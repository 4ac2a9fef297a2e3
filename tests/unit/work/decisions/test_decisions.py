"""Decisions and attempts on disk: written once, by many, across branches; nothing
written when refused.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.ledger.kinds.attempt_kind import MOST_ERROR
from cuedeck.model.errors import Invalid, NotFound, UsageError
from cuedeck.work.decisions.create_decision import (
    NewDecision,
    confirm,
    decide,
    supersede,
)
from cuedeck.work.decisions.failed_attempts import (
    NewAttempt,
    add_attempt,
    list_attempts,
)
from cuedeck.work.decisions.list_decisions import list_decisions, show_decision

TOKEN = f"ghp_{'a' * 36}"
SOURCE = (
    "def hash_password(text):\n    return bcrypt(text)\n\n\ndef other():\n    pass\n"
)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write("src/auth.py", SOURCE)
    sandbox.write("docs/auth.md", "# Auth\n\n## Login Flow\n\nText.\n")
    return sandbox


def lines(sandbox: Sandbox, name: str = "decisions") -> list[dict[str, Any]]:
    place = sandbox.place(f".cuedeck/{name}.jsonl")
    return (
        [json.loads(line) for line in place.read_text().splitlines()]
        if place.exists()
        else []
    )


def choose(sandbox: Sandbox, text: str, **fields: Any) -> str:
    return str(decide(sandbox.workspace(), NewDecision(text, **fields))["id"])


def states(sandbox: Sandbox, **options: Any) -> dict[str, list[str]]:
    rows = list_decisions(sandbox.workspace(), **options)["decisions"]
    return {row["id"]: [each["state"] for each in row["freshness"]] for row in rows}


def test_a_full_line_has_its_fields_in_their_order(shop: Sandbox) -> None:
    shop.git("init", "-q")
    shop.git("add", "-A")
    shop.git("commit", "-qm", "x")
    shop.card("aaaaaa")
    shop.activate("aaaaaa")
    old = choose(shop, "Use md5")
    identity = choose(
        shop, " Use bcrypt\n for passwords ", because="Proven secure", alternatives=("argon2 (slower)", " "),
        file="src/auth.py", affects=("docs/auth.md#Login Flow", "src/auth.py#hash_password", "src"),
        impact=("user model",), subject="hashing", supersedes=old[:5],
    )  # fmt: skip
    row = lines(shop)[-1]
    order = ("id timestamp decision subject rationale alternatives file impact affects card status supersedes commit "
             "proof")  # fmt: skip
    assert list(row) == order.split()
    assert (row["id"], row["decision"], row["subject"]) == (
        identity,
        "Use bcrypt for passwords",
        "hashing",
    )
    assert row["affects"] == [
        "src/auth.py",
        "docs/auth.md#Login Flow",
        "src/auth.py#hash_password",
        "src/",
    ]
    assert (row["alternatives"], row["card"], row["supersedes"]) == (
        ["argon2 (slower)"],
        "aaaaaa",
        old,
    )
    assert row["commit"] == shop.git("rev-parse", "HEAD").strip()
    assert list(row["proof"]) == row["affects"]
    assert all(re.fullmatch("[0-9a-f]{64}", each) for each in row["proof"].values())


def test_a_superseded_decision_cannot_be_superseded_and_names_its_successor(
    shop: Sandbox,
) -> None:
    # Fixed ids: a misspelt random id can be as near to another decision as to its own.
    first, rejected, second = "aaaaaa", "rrrrrr", "bbbbbb"
    rows = [
        {"id": first, "decision": "Use a"},
        {"id": rejected, "decision": "Use r", "status": "rejected"},
        {"id": first, "status": "superseded", "superseded_by": second},
        {"id": second, "decision": "Use b", "supersedes": first},
    ]
    shop.write(
        ".cuedeck/decisions.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows)
    )
    before = shop.place(".cuedeck/decisions.jsonl").read_bytes()
    with pytest.raises(Invalid) as caught:
        choose(shop, "Use c", supersedes=first)
    assert caught.value.candidates == (second,)
    assert second in caught.value.hint
    with pytest.raises(Invalid):
        choose(shop, "Use c", supersedes=rejected)
    for unknown in ("", "zzzzzz"):
        with pytest.raises(NotFound):
            choose(shop, "Use c", supersedes=unknown)
    with pytest.raises(NotFound) as near:
        choose(shop, "Use c", supersedes=second[:4] + "u" + second[5])
    assert near.value.candidates == (second,)
    with pytest.raises(UsageError):
        choose(shop, "Use c", supersedes=second, status="rejected")
    refused = [
        (first, None),
        (first, second),
        (second, first),
        (second, second),
        (second, rejected),
        (rejected, second),
    ]
    for old, new in refused:
        with pytest.raises(Invalid):
            supersede(shop.workspace(), old, new)
    with pytest.raises(NotFound):
        supersede(shop.workspace(), second, "zzzzzz")
    assert shop.place(".cuedeck/decisions.jsonl").read_bytes() == before


def test_superseding_marks_both_decisions_with_one_time(shop: Sandbox) -> None:
    a, b, c = (choose(shop, "Use a"), choose(shop, "Use b"), choose(shop, "Use c"))
    supersede(shop.workspace(), a, c, " too\nslow ")
    old, new = lines(shop)[-2:]
    stamp = old.pop("timestamp")
    assert old == {
        "id": a,
        "status": "superseded",
        "superseded_by": c,
        "because": "too slow",
    }
    assert new == {"id": c, "timestamp": stamp, "supersedes": a}
    supersede(shop.workspace(), b, c)
    assert list(states(shop)) == [c]
    rows = {
        row["id"]: row
        for row in list_decisions(shop.workspace(), everything=True)["decisions"]
    }
    assert (
        rows[a]["superseded_by"],
        rows[b]["superseded_by"],
        rows[c]["supersedes"],
    ) == (c, c, a)
    shown = show_decision(shop.workspace(), c)["decision"]
    assert (shown["replaces"], shown["replacement"]) == ([a, b], None)
    history = show_decision(shop.workspace(), a)["decision"]["history"]
    assert [
        (each["change"], each["status"], each["by"], each["because"])
        for each in history
    ] == [("decided", "accepted", None, None), ("status", "superseded", c, "too slow")]


def test_a_decision_is_fresh_until_cited_code_changes_or_it_is_confirmed(
    shop: Sandbox,
) -> None:
    shop.git("init", "-q")
    shop.git("add", "-A")
    shop.git("commit", "-qm", "x")
    first = shop.git("rev-parse", "HEAD").strip()
    identity = choose(
        shop, "Use bcrypt", file="src/auth.py#hash_password", affects=("docs/auth.md",)
    )
    assert states(shop)[identity] == ["fresh", "fresh"]
    shop.write("src/auth.py", f"# more\n{SOURCE}".replace("    pass", "    return"))
    assert states(shop)[identity] == ["fresh", "fresh"]
    shop.write("src/auth.py", SOURCE.replace("bcrypt", "md5"))
    assert states(shop)[identity] == ["cited code changed in the working tree", "fresh"]
    shop.git("commit", "-qam", "y")
    assert states(shop)[identity] == [f"cited code changed since {first[:7]}", "fresh"]
    shop.place("docs/auth.md").unlink()
    assert confirm(shop.workspace(), identity)["warnings"] == [
        "warning: `docs/auth.md` has no target any more"
    ]
    assert states(shop)[identity] == ["fresh", "cited code is gone"]
    row = lines(shop)[-1]
    assert list(row) == ["id", "timestamp", "commit", "proof"]
    assert row["commit"] == shop.git("rev-parse", "HEAD").strip() != first
    assert [
        each["change"]
        for each in show_decision(shop.workspace(), identity)["decision"]["history"]
    ] == ["decided", "confirmed"]
    choose(shop, "Use argon2", supersedes=identity)
    with pytest.raises(Invalid):
        confirm(shop.workspace(), identity)


def test_lists_are_narrowed_by_card_place_and_subject(shop: Sandbox) -> None:
    shop.card("aaaaaa")
    a = choose(
        shop,
        "Use a",
        affects=("src/auth.py#hash_password",),
        card="aaa",
        subject="Hashing of passwords",
    )
    b = choose(shop, "Use b", affects=("src/auth.py",), card="aaaaaa")
    c = choose(shop, "Use c", affects=("docs/auth.md",), status="rejected")
    assert list(states(shop)) == [a, b]
    assert list(states(shop, everything=True)) == [a, b, c]
    assert list(states(shop, card="aaa")) == [a, b]
    places = {
        "src/auth.py": [a, b],
        "src/auth.py#hash_password": [a, b],
        "src/auth.py#other": [b],
        "src/": [a, b],
    }
    for place, found in (places | {"docs": [c], "src/none.py": []}).items():
        assert list(states(shop, affects=place, everything=True)) == found, place
    assert list(states(shop, subject="hashing")) == [a]
    shop.place(".cuedeck/cards/aaaaaa.md").unlink()
    assert list(states(shop, card="aaaaaa")) == [a, b]
    with pytest.raises(NotFound):
        states(shop, card="bbbbbb")


def test_an_attempt_keeps_the_end_of_the_output(shop: Sandbox) -> None:
    shop.card("aaaaaa")
    shop.activate("aaaaaa")
    error = "x" * 300_000 + f"\r\n\tE  {TOKEN}\n" + "é" * 3_900 + "\n"
    wanted = NewAttempt(
        ("src/auth.py#hash_password", "src/none.py"),
        " a retry loop ",
        "the token is gone",
        error,
    )
    answer = add_attempt(shop.workspace(), wanted)
    (row,) = lines(shop, "attempts")
    assert list(row) == [
        "id",
        "timestamp",
        "on",
        "tried",
        "failed",
        "error",
        "card",
        "proof",
    ]
    assert len(row["error"]) == MOST_ERROR
    assert (
        row["error"].endswith("é" * 3_900 + "\n")
        and "\r\n\tE  <secret:" in row["error"]
    )
    assert (row["tried"], row["card"], list(row["proof"])) == (
        "a retry loop",
        "aaaaaa",
        ["src/auth.py#hash_password"],
    )
    assert len(answer["warnings"]) == 1
    (shown,) = list_attempts(shop.workspace(), "src/auth.py")["attempts"]
    assert (shown["id"], shown["mark"]) == (answer["id"], "missing")
    assert list_attempts(shop.workspace(), "docs/")["attempts"] == []
