"""Reminders of one line."""

from __future__ import annotations

from typing import Any

import pytest

from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.records.attempt_log import read_attempts
from cuedeck.records.decision_log import read_decisions
from cuedeck.records.decision_text import attempt_line, reminder


def said(decision: str, rationale: str = "", **fields: Any) -> str:
    row = {"id": "a", "decision": decision, "rationale": rationale, **fields}
    return reminder(read_decisions([LedgerEntry("a", "", row, 1, "")])[0])


def test_the_decision_of_the_seed_reads_as_a_reminder() -> None:
    line = said("Use bcrypt for password hashing.", "Industry standard, proven secure.",
                impact=["user model", "password reset flow"], affects=["src/auth.ts"])  # fmt: skip
    assert line == (
        "Remember: We chose bcrypt for password hashing because industry standard, proven secure. "
        "This affects user model and password reset flow."
    )


@pytest.mark.parametrize(
    ("decision", "rest"),
    [
        ("Use Redis", "Redis."),
        ("use Redis.", "Redis."),
        ("We chose Redis", "Redis."),
        ("Choose Redis", "Redis."),
        ("Adopt Redis", "Redis."),
        ("we use Redis", "Redis."),
        ("Go with Redis over Memcached", "Redis over Memcached."),
        ("Use  blanks\nand lines …", "blanks and lines …"),
    ],
)
def test_the_chosen_option_begins_without_its_verb(decision: str, rest: str) -> None:
    assert said(decision) == f"Remember: We chose {rest}"


@pytest.mark.parametrize(
    ("decision", "rest"),
    [
        ("Use", '"Use".'),
        ("User names are unique", '"User names are unique".'),
        ("Wait for it...", '"Wait for it...".'),
        ("Limit per IP", '"Limit per IP".'),
        ("Decision number 3: use the age", '"Decision number 3: use the age".'),
        ('Say "no" to use of globals', "\"Say 'no' to use of globals\"."),
    ],
)
def test_a_text_that_is_not_a_choice_is_quoted_whole(decision: str, rest: str) -> None:
    assert said(decision) == f"Remember: We chose {rest}"
    assert said(decision, status="rejected") == f"Remember: We decided against {rest}"


def test_a_reason_keeps_a_because_in_its_middle() -> None:
    assert (
        said("Use x", "Fast because small")
        == "Remember: We chose x because fast because small."
    )


@pytest.mark.parametrize(
    ("rationale", "reason"),
    [
        ("It's fast.", "it's fast"),
        ("Because it is fast", "it is fast"),
        ("HTTP is everywhere", "HTTP is everywhere"),
        ("OAuth2 is hard", "OAuth2 is hard"),
        ("Redis is there", "Redis is there"),
        ("I said so", "I said so"),
        ("A is b", "a is b"),
        ("`Login` calls it", "`Login` calls it"),
        ("Speed", "speed"),
        ("Żółw jest wolny", "Żółw jest wolny"),
    ],
)
def test_a_reason_goes_on_in_small_letters_unless_it_is_a_name(
    rationale: str, reason: str
) -> None:
    assert said("Use x", rationale) == f"Remember: We chose x because {reason}."


def test_affected_parts_are_words_else_addresses_else_nothing() -> None:
    assert said("Use x", impact=["a", "b.", "c"]).endswith(
        "x. This affects a, b and c."
    )
    assert said("Use x", affects=["src/a.py", "src/b.py#F"]).endswith(
        "x. This affects `src/a.py` and `src/b.py#F`."
    )
    assert said("Use x", impact=["a"], affects=["src/a.py"]).endswith(
        "x. This affects a."
    )


def test_a_rejected_decision_is_not_described_as_chosen() -> None:
    assert (
        said("Use x", "Too slow", status="rejected")
        == "Remember: We decided against x because too slow."
    )


def test_an_attempt_names_target_action_and_failure() -> None:
    row = {
        "id": "a",
        "on": ["src/a.py#f", "src/b.py"],
        "tried": "A retry loop.",
        "failed": "the token\nis gone",
    }
    (attempt,) = read_attempts([LedgerEntry("a", "", row, 1, "")])
    assert (
        attempt_line(attempt)
        == "Tried on `src/a.py#f` and `src/b.py`: A retry loop. It failed: the token is gone."
    )
