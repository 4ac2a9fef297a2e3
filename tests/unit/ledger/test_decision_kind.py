"""Decisions in force, independent of the order of ledger lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.codecs import parse_log
from cuedeck.ledger.kinds.decision_kind import (
    DECISION,
    Decision,
    accepted_decisions,
    ancestry,
    conflicts,
    replaced,
    replacement,
    subject_key,
)


def pairs_in_conflict(found: Iterable[Decision]) -> list[tuple[Decision, Decision]]:
    return list(conflicts(tuple(found)))


def read_rows(*rows: dict[str, Any]) -> dict[str, Decision]:
    """Read ledger rows; rows without a time get ascending times."""
    timed = [
        {"timestamp": f"2026-01-01T10:00:{at:02}Z", **row}
        for at, row in enumerate(rows)
    ]
    data = "".join(json.dumps(row) + "\n" for row in timed).encode()
    return {each.id: each for each in DECISION.read(parse_log(data, "x").entries)}


def decision_row(identity: str, **fields: Any) -> dict[str, Any]:
    return {"id": identity, "decision": f"Use {identity}", **fields}


def accepted_ids(found: dict[str, Decision]) -> str:
    return "".join(each.id for each in accepted_decisions(found.values()))


def replacement_id(found: dict[str, Decision], identity: str) -> str:
    other = replacement(found[identity], found.values())
    return other.id if other else ""


def test_lines_of_the_seed_are_read() -> None:
    row = {
        "timestamp": "2025-01-15T10:05:00Z",
        "decision": "Use bcrypt for password hashing",
        "rationale": "Industry standard, proven secure",
        "alternatives": ["argon2 (slower)", "simple hash (insecure)"],
        "file": "src/auth.ts",
        "impact": ["user model", "password reset flow"],
    }
    (found,) = read_rows(row).values()
    assert len(found.id) == 12
    assert (found.status, found.affects, found.subject) == (
        "accepted",
        ("src/auth.ts",),
        row["decision"],
    )
    assert found.alternatives == ("argon2 (slower)", "simple hash (insecure)")
    assert found.impact == ("user model", "password reset flow")
    again = read_rows(row, {"id": found.id, "status": "superseded"})[found.id]
    assert (again.status, again.decision) == ("superseded", row["decision"])


def test_file_is_the_first_affected_address() -> None:
    found = read_rows(
        decision_row(
            "a", file="src/b.py", affects=["src/a.py", "src/b.py", "", 3, " src/a.py"]
        )
    )["a"]
    assert found.affects == ("src/b.py", "src/a.py")


@pytest.mark.parametrize(
    "odd",
    [
        {
            "status": 3,
            "affects": "src/a.py",
            "alternatives": {},
            "proof": [1],
            "impact": None,
            "supersedes": ["b"],
        },
        {"rationale": None, "card": 7, "commit": False, "proof": {"src/a.py": 5}},
    ],
)
def test_fields_of_the_wrong_kind_hide_no_decision(odd: dict[str, Any]) -> None:
    found = read_rows(decision_row("a", **odd))["a"]
    assert (found.status, found.proof, found.rationale, found.supersedes) == (
        "accepted",
        {},
        "",
        "",
    )


def test_line_without_a_decision_is_skipped() -> None:
    assert (
        read_rows(
            {"id": "a", "status": "accepted"},
            {"id": "b", "decision": "  "},
            {"id": "c", "decision": 1},
        )
        == {}
    )


def test_decision_that_another_supersedes_is_superseded() -> None:
    found = read_rows(decision_row("a"), decision_row("b", supersedes="a"))
    assert (found["a"].status, found["a"].superseded_by, found["b"].supersedes) == (
        "superseded",
        "b",
        "a",
    )
    assert accepted_ids(found) == "b"
    assert [each.id for each in replaced(found["b"], found.values())] == ["a"]


def test_rejected_decision_supersedes_nothing_and_is_not_in_force() -> None:
    assert (
        accepted_ids(
            read_rows(
                decision_row("a"), decision_row("b", supersedes="a", status="rejected")
            )
        )
        == "a"
    )


def test_superseded_decision_stays_superseded_after_later_changes() -> None:
    found = read_rows(
        decision_row("a"),
        decision_row("b", supersedes="a"),
        decision_row("c", supersedes="b"),
    )
    assert accepted_ids(found) == "c"
    assert (
        found["a"].superseded_by,
        replacement_id(found, "a"),
        replacement_id(found, "b"),
        replacement_id(found, "c"),
    ) == ("b", "c", "c", "")
    dropped = read_rows(
        decision_row("a"),
        decision_row("b", supersedes="a"),
        {"id": "b", "status": "superseded"},
    )
    assert (accepted_ids(dropped), replacement_id(dropped, "a")) == ("", "")


def test_own_status_of_a_decision_names_its_replacement() -> None:
    found = read_rows(
        decision_row("a"),
        decision_row("b"),
        decision_row("c"),
        {"id": "a", "status": "superseded", "superseded_by": "c"},
    )
    assert (accepted_ids(found), replacement_id(found, "a")) == ("bc", "c")
    unknown = read_rows(
        decision_row("a"),
        decision_row("b", supersedes="a"),
        {"id": "a", "status": "superseded", "superseded_by": "zz"},
    )
    assert replacement_id(unknown, "a") == "b"


def test_cycles_of_decisions_terminate() -> None:
    found = read_rows(
        decision_row("a", supersedes="b"),
        decision_row("b", supersedes="a"),
        decision_row("c", supersedes="c"),
    )
    assert (
        accepted_ids(found),
        replacement_id(found, "a"),
        replacement_id(found, "b"),
    ) == ("c", "", "")


ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.sampled_from("abcd"),
            "timestamp": st.sampled_from(
                ["2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", "soon", ""]
            ),
        },
        optional={
            "decision": st.sampled_from(["Use X", "Use Y."]),
            "status": st.sampled_from(["accepted", "superseded", "rejected"]),
            "supersedes": st.sampled_from("abcdz"),
            "superseded_by": st.sampled_from("abcdz"),
            "affects": st.lists(
                st.sampled_from(["a.py", "a.py#f", "b.py"]), max_size=2
            ),
        },
    ),
    max_size=10,
)


@given(ROWS, st.randoms())
def test_decisions_in_force_do_not_depend_on_order_or_repetition_of_lines(
    rows: list[dict[str, Any]], chance: Random
) -> None:
    turned = [*rows, *rows[:3]]
    chance.shuffle(turned)
    one, other = read_rows(*rows), read_rows(*turned)
    assert accepted_decisions(one.values()) == accepted_decisions(other.values())
    assert list(one.values()) == list(other.values())
    assert pairs_in_conflict(one.values()) == pairs_in_conflict(other.values())


@given(ROWS)
def test_replacement_of_a_decision_is_in_force(rows: list[dict[str, Any]]) -> None:
    found = read_rows(*rows)
    for each in found.values():
        other = replacement(each, found.values())
        assert other is None or (
            other in accepted_decisions(found.values())
            and each not in accepted_decisions(found.values())
        )


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        (["src/a.py"], ["src/a.py"], True),
        (["src/a.py"], ["docs/b.md", "src/a.py#Login"], True),
        (["src/a.py#Login"], ["src/a.py"], True),
        (["src/a.py#Login"], ["src/a.py#Logout"], False),
        (["src/a.py"], ["src/a.pyi"], False),
        ([], [], False),
    ],
)
def test_two_decisions_on_one_subject_and_place_conflict(
    one: list[str], other: list[str], meet: bool
) -> None:
    found = read_rows(
        decision_row("a", subject="Hashing", affects=one),
        decision_row("b", subject=" hashing: ", affects=other),
    )
    pairs = [
        (first.id, second.id) for first, second in pairs_in_conflict(found.values())
    ]
    assert pairs == ([("a", "b")] if meet else [])


def test_only_decisions_in_force_conflict_and_the_text_is_a_subject() -> None:
    place = {"affects": ["src/a.py"]}
    same = {"decision": "Use bcrypt"}
    assert pairs_in_conflict(
        read_rows(
            decision_row("a", **place), decision_row("b", subject="use A.", **place)
        ).values()
    )
    for change in ({"supersedes": "a"}, {"status": "rejected"}):
        assert not pairs_in_conflict(
            read_rows(
                decision_row("a", **place, **same),
                decision_row("b", **place, **same, **change),
            ).values()
        )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (" «Hashing» of\n Passwords. ", "«hashing» of passwords"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("`x`!", "x"),
        ("…", "…"),
    ],
)
def test_subjects_are_compared_by_their_words(text: str, key: str) -> None:
    assert subject_key(text) == key


def test_a_decision_inherits_from_those_that_it_superseded() -> None:
    rows = [
        {"id": "c", "decision": "C"},
        {"id": "d", "decision": "D", "supersedes": "c"},
        {"id": "e", "decision": "E", "supersedes": "c"},
    ]
    data = "".join(
        json.dumps({**row, "timestamp": f"2026-01-01T00:00:0{at}Z"}) + "\n"
        for at, row in enumerate(rows)
    )
    found = DECISION.read(parse_log(data.encode(), "x").entries)
    older = {each: [old.id for old in ancestry(found)[each]] for each in "de"}
    assert older == {"d": [], "e": ["c"]}
