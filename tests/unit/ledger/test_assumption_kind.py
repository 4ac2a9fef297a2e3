"""The status of assumptions and the message about a changed one."""

from __future__ import annotations

import pytest

from cuedeck.ledger.kinds.assumption_kind import State, next_status, sentence, states
from cuedeck.model.assumption import STATUSES, Assumption, Verdict
from cuedeck.model.entry_node import LedgerEntry

HOLDS = Verdict(True, "Found `x` (a.py:1)", "", "a.py", 1)
FAILS = Verdict(False, "Not found: `x` in a.py", "", "a.py")
BROKEN = Verdict(False, "", "`a.py` is not a text file")


@pytest.mark.parametrize(
    ("current", "verdict", "after"),
    [
        ("active", HOLDS, "active"),
        ("active", FAILS, "invalidated"),
        ("invalidated", FAILS, "invalidated"),
        ("invalidated", HOLDS, "active"),
        ("resolved", FAILS, "resolved"),
        ("resolved", HOLDS, "active"),
        *((status, BROKEN, status) for status in STATUSES),
    ],
)
def test_status_follows_from_the_verdict(
    current: str, verdict: Verdict, after: str
) -> None:
    assert next_status(current, verdict) == after


def test_message_has_the_wording_of_the_strategy() -> None:
    found = Verdict(
        False, "Found `GraphQL endpoint` (src/api.py:12)", "", "src/api.py", 12
    )
    message = sentence(
        Assumption("a", "API uses REST", "the auth implementation.", (), None, 1), found
    )
    assert message == (
        '⚠️ "Assumption changed: Found `GraphQL endpoint` (src/api.py:12). This may affect the auth implementation."'
    )


@pytest.mark.parametrize(
    ("affects", "end"),
    [
        (("src/a.py", "docs/b.md#C"), "This may affect src/a.py, docs/b.md#C."),
        ((), "This may affect this assumption: The project uses React."),
    ],
)
def test_message_without_an_impact_names_affected_files(
    affects: tuple[str, ...], end: str
) -> None:
    message = sentence(
        Assumption("a", "The project\nuses React.", "", affects, None, 1), FAILS
    )
    assert message == f'⚠️ "Assumption changed: Not found: `x` in a.py. {end}"'


def test_journal_is_folded_and_invalid_entries_are_ignored() -> None:
    rows = [
        ("a", "2026-01-01T00:00:00Z", {"status": "invalidated", "evidence": "gone"}),
        ("a", "2026-01-03T00:00:00Z", {"status": "active", "evidence": "back"}),
        ("a", "2026-01-02T00:00:00Z", {"status": "resolved", "evidence": "done"}),
        ("a", "2026-01-04T00:00:00Z", {"status": "sideways"}),
        ("b", "2026-01-01T00:00:00Z", {"evidence": "x"}),
        ("c", "", {"status": "resolved", "evidence": 3}),
    ]
    entries = [
        LedgerEntry(identity, at, value, line, str(line))
        for line, (identity, at, value) in enumerate(rows, 1)
    ]
    assert states(entries) == {
        "a": State("active", "2026-01-03T00:00:00Z", "back"),
        "c": State("resolved", "", ""),
    }
