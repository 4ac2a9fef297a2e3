"""Failed attempts and their places."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cuedeck.ledger.decisions.attempt_log import read_attempts
from cuedeck.ledger.jsonl_ledger import parse_ledger
from cuedeck.model.address import is_within, overlaps
from cuedeck.model.attempt import Attempt


def read_rows(*rows: dict[str, Any]) -> tuple[Attempt, ...]:
    return read_attempts(
        parse_ledger(
            "".join(json.dumps(row) + "\n" for row in rows).encode(), "x"
        ).entries
    )


def test_attempts_are_read_oldest_first() -> None:
    later = {
        "id": "b",
        "timestamp": "2026-01-02T00:00:00Z",
        "tried": "x",
        "failed": "y",
        "on": ["a.py"],
    }
    first = {
        **later,
        "id": "a",
        "timestamp": "2026-01-01T00:00:00Z",
        "error": "  E\n\n",
        "proof": {"a.py": "1"},
    }
    found = read_rows(
        later,
        first,
        {"id": "c", "failed": "nothing was tried"},
        {"id": "d", "tried": 1},
    )
    assert [each.id for each in found] == ["a", "b"]
    assert (found[0].error, found[0].proof, found[1].error, found[1].on) == (
        "  E\n\n",
        {"a.py": "1"},
        "",
        ("a.py",),
    )


def test_attempts_are_found_by_their_place() -> None:
    found = read_rows(
        {"id": "a", "tried": "x", "on": ["src/a.py#f"]},
        {"id": "b", "tried": "x", "on": ["src/a.py"]},
        {"id": "c", "tried": "x", "on": ["src/a.py#g", "src/b.py"]},
    )

    def on(address: str) -> str:
        return "".join(
            sorted(
                each.id
                for each in found
                if any(overlaps(place, address) for place in each.on)
            )
        )

    assert (on("src/a.py"), on("src/a.py#f"), on("src/b.py#h"), on("src/")) == (
        "abc",
        "ab",
        "c",
        "",
    )


@pytest.mark.parametrize(("address", "wanted", "within"), [
    ("src/a.py#f", "src/", True), ("src/a.py", "src/a.py#f", True), ("srcs/a.py", "src/", False),
    ("src/a", "src", False),
])  # fmt: skip
def test_folder_includes_its_files(address: str, wanted: str, within: bool) -> None:
    assert is_within(address, wanted) == within
