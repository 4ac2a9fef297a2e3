"""One-line reminders of decisions and attempts."""

from __future__ import annotations

from typing import Any

import pytest

from cuedeck.ledger.kinds.attempt_kind import ATTEMPT
from cuedeck.ledger.kinds.decision_kind import DECISION
from cuedeck.model.entry_node import LedgerEntry


def reminder_of(decision: str, rationale: str = "", **fields: Any) -> str:
    row = {"id": "a", "decision": decision, "rationale": rationale, **fields}
    return DECISION.reminder(DECISION.read([LedgerEntry("a", "", row, 1, "")])[0])


def test_seed_decision_reads_as_a_reminder() -> None:
    line = reminder_of("Use bcrypt for password hashing.", "Industry standard, proven secure.",
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
def test_verb_of_the_chosen_option_is_dropped(decision: str, rest: str) -> None:
    assert reminder_of(decision) == f"Remember: We chose {rest}"


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
def test_text_that_is_not_a_choice_is_quoted_whole(decision: str, rest: str) -> None:
    assert reminder_of(decision) == f"Remember: We chose {rest}"
    assert (
        reminder_of(decision, status="rejected")
        == f"Remember: We decided against {rest}"
    )


def test_because_inside_a_reason_is_kept() -> None:
    assert (
        reminder_of("Use x", "Fast because small")
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
def test_reason_begins_in_lower_case_unless_with_a_name(
    rationale: str, reason: str
) -> None:
    assert reminder_of("Use x", rationale) == f"Remember: We chose x because {reason}."


def test_affected_parts_are_named_by_impact_else_by_address() -> None:
    assert reminder_of("Use x", impact=["a", "b.", "c"]).endswith(
        "x. This affects a, b and c."
    )
    assert reminder_of("Use x", affects=["src/a.py", "src/b.py#F"]).endswith(
        "x. This affects `src/a.py` and `src/b.py#F`."
    )
    assert reminder_of("Use x", impact=["a"], affects=["src/a.py"]).endswith(
        "x. This affects a."
    )


def test_rejected_decision_is_not_described_as_chosen() -> None:
    assert (
        reminder_of("Use x", "Too slow", status="rejected")
        == "Remember: We decided against x because too slow."
    )


def test_reminder_of_an_attempt_names_target_action_and_failure() -> None:
    row = {
        "id": "a",
        "on": ["src/a.py#f", "src/b.py"],
        "tried": "A retry loop.",
        "failed": "the token\nis gone",
    }
    (attempt,) = ATTEMPT.read([LedgerEntry("a", "", row, 1, "")])
    assert (
        ATTEMPT.line(attempt)
        == "Tried on `src/a.py#f` and `src/b.py`: A retry loop. It failed: the token is gone."
    )
