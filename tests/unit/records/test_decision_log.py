"""Which decisions stand, whatever the order of the lines that say so."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.decision import Decision
from cuedeck.parse.jsonl_ledger import parse_ledger
from cuedeck.records.decision_log import (
    accepted_decisions,
    ancestry,
    conflicts,
    in_circle,
    read_decisions,
    replaced,
    replacement,
    rival_successors,
    subject_key,
)


def read(*rows: dict[str, Any]) -> dict[str, Decision]:
    """Read lines; those without a time are written one after the other."""
    timed = [
        {"timestamp": f"2026-01-01T10:00:{at:02}Z", **row}
        for at, row in enumerate(rows)
    ]
    data = "".join(json.dumps(row) + "\n" for row in timed).encode()
    return {each.id: each for each in read_decisions(parse_ledger(data, "x").entries)}


def made(identity: str, **fields: Any) -> dict[str, Any]:
    return {"id": identity, "decision": f"Use {identity}", **fields}


def stand(found: dict[str, Decision]) -> str:
    return "".join(each.id for each in accepted_decisions(found.values()))


def heir(found: dict[str, Decision], identity: str) -> str:
    other = replacement(found[identity], found.values())
    return other.id if other else ""


def test_the_lines_of_the_seed_are_read() -> None:
    row = {
        "timestamp": "2025-01-15T10:05:00Z",
        "decision": "Use bcrypt for password hashing",
        "rationale": "Industry standard, proven secure",
        "alternatives": ["argon2 (slower)", "simple hash (insecure)"],
        "file": "src/auth.ts",
        "impact": ["user model", "password reset flow"],
    }
    (found,) = read(row).values()
    assert len(found.id) == 12
    assert (found.status, found.affects, found.subject) == (
        "accepted",
        ("src/auth.ts",),
        row["decision"],
    )
    assert found.alternatives == ("argon2 (slower)", "simple hash (insecure)")
    assert found.impact == ("user model", "password reset flow")
    again = read(row, {"id": found.id, "status": "superseded"})[found.id]
    assert (again.status, again.decision) == ("superseded", row["decision"])


def test_the_file_is_the_first_affected_address() -> None:
    found = read(
        made("a", file="src/b.py", affects=["src/a.py", "src/b.py", "", 3, " src/a.py"])
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
    found = read(made("a", **odd))["a"]
    assert (found.status, found.proof, found.rationale, found.supersedes) == (
        "accepted",
        {},
        "",
        "",
    )


def test_a_line_without_a_decision_is_skipped() -> None:
    assert (
        read(
            {"id": "a", "status": "accepted"},
            {"id": "b", "decision": "  "},
            {"id": "c", "decision": 1},
        )
        == {}
    )


def test_a_decision_that_another_names_is_superseded() -> None:
    found = read(made("a"), made("b", supersedes="a"))
    assert (found["a"].status, found["a"].superseded_by, found["b"].supersedes) == (
        "superseded",
        "b",
        "a",
    )
    assert stand(found) == "b"
    assert [each.id for each in replaced(found["b"], found.values())] == ["a"]


def test_a_rejected_decision_supersedes_nothing_and_is_not_in_force() -> None:
    assert stand(read(made("a"), made("b", supersedes="a", status="rejected"))) == "a"


def test_a_dropped_decision_does_not_come_back_with_the_next_change() -> None:
    found = read(made("a"), made("b", supersedes="a"), made("c", supersedes="b"))
    assert stand(found) == "c"
    assert (
        found["a"].superseded_by,
        heir(found, "a"),
        heir(found, "b"),
        heir(found, "c"),
    ) == ("b", "c", "c", "")
    dropped = read(
        made("a"), made("b", supersedes="a"), {"id": "b", "status": "superseded"}
    )
    assert (stand(dropped), heir(dropped, "a")) == ("", "")


def test_a_status_of_its_own_names_what_came_instead() -> None:
    found = read(
        made("a"),
        made("b"),
        made("c"),
        {"id": "a", "status": "superseded", "superseded_by": "c"},
    )
    assert (stand(found), heir(found, "a")) == ("bc", "c")
    unknown = read(
        made("a"),
        made("b", supersedes="a"),
        {"id": "a", "status": "superseded", "superseded_by": "zz"},
    )
    assert heir(unknown, "a") == "b"


def test_circles_end() -> None:
    found = read(
        made("a", supersedes="b"), made("b", supersedes="a"), made("c", supersedes="c")
    )
    assert (stand(found), heir(found, "a"), heir(found, "b")) == ("c", "", "")


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
    one, other = read(*rows), read(*turned)
    assert accepted_decisions(one.values()) == accepted_decisions(other.values())
    assert list(one.values()) == list(other.values())
    assert conflicts(one.values()) == conflicts(other.values())


@given(ROWS)
def test_the_successor_of_a_decision_is_in_force(rows: list[dict[str, Any]]) -> None:
    found = read(*rows)
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
    found = read(
        made("a", subject="Hashing", affects=one),
        made("b", subject=" hashing: ", affects=other),
    )
    pairs = [(first.id, second.id) for first, second in conflicts(found.values())]
    assert pairs == ([("a", "b")] if meet else [])


def test_only_decisions_in_force_conflict_and_the_text_is_a_subject() -> None:
    place = {"affects": ["src/a.py"]}
    same = {"decision": "Use bcrypt"}
    assert conflicts(
        read(made("a", **place), made("b", subject="use A.", **place)).values()
    )
    for change in ({"supersedes": "a"}, {"status": "rejected"}):
        assert not conflicts(
            read(
                made("a", **place, **same), made("b", **place, **same, **change)
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


def test_cycles_and_rival_successors_of_decisions_are_found() -> None:
    rows = [
        {"id": "a", "decision": "A", "supersedes": "b"},
        {"id": "b", "decision": "B", "supersedes": "a"},
        {"id": "c", "decision": "C"},
        {"id": "d", "decision": "D", "supersedes": "c"},
        {"id": "e", "decision": "E", "supersedes": "c"},
    ]
    data = "".join(
        json.dumps({**row, "timestamp": f"2026-01-01T00:00:0{at}Z"}) + "\n"
        for at, row in enumerate(rows)
    )
    found = read_decisions(parse_ledger(data.encode(), "x").entries)
    assert [each.id for each in found if in_circle(each, found)] == ["a", "b"]
    assert [(one.id, other.id) for one, other in rival_successors(found)] == [
        ("d", "e")
    ]
    assert [each.id for each in ancestry(found)["d"]] == [] and [
        each.id for each in ancestry(found)["e"]
    ] == ["c"]
