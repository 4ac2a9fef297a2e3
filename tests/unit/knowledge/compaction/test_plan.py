"""The plan of a compaction of many records: which facts remain readable, and that none
is lost or repeated.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from random import Random
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.knowledge.compaction.plan import NOTHING, Files, Limits, Plan, make_plan
from cuedeck.knowledge.compaction.select_records import select
from cuedeck.ledger.records.record_file import format_record, parse_records

NOW = datetime(2026, 11, 21, tzinfo=UTC)
_NAMES = """
    alpha parser login token session cache index budget scene deploy server branch review
    commit merge schema query worker thread socket buffer render layout plugin config
    secret archive record summary memory context reader writer signal
"""
WORDS = _NAMES.split()


def record(
    chance: Random,
    text: str,
    days: int,
    category: str = "note",
    label: str = "operational",
) -> str:
    at = f"{date(2026, 11, 21) - timedelta(days=days)}T01:31:39.005Z"
    return format_record(
        {
            "id": str(UUID(int=chance.getrandbits(128), version=4)),
            "sessionId": chance.choice(["main", "s-2026-11-01-a1b2", "heartbeat:main"]),
            "category": category,
            "text": text,
            "provenance": {"sourceChannel": "main", "confidence": 0.8, "timestamp": at, "sensitivity": label},
        }
    )  # fmt: skip


def random_sentence(chance: Random, length: int = 200) -> str:
    message = ""
    while len(message) < length:
        message += f"{chance.choice(WORDS)}{chance.choice(['', '', ' 7', ' not', ',', ' auth.py'])} "
    return f"{message[: length - 8].strip()} {chance.getrandbits(24):06x}"


def apply_plan_once(files: Files, limits: Limits) -> tuple[Plan, Files]:
    """Apply the plan of a compaction. It must keep every line that stays, archive every
    record that leaves, and meet its limits.
    """
    chosen = select(files.memory, NOW, 7)
    plan = make_plan(files, chosen, limits)
    if plan.reason:
        return plan, files
    archive = files.archive + "".join(f"{line}\n" for line in plan.archive)
    after = Files(plan.memory, plan.long_memory, archive)
    gone = {chosen.lines[row.at] for row in chosen.gone}
    stay = [line for line in chosen.lines if line not in gone]
    assert [line for line in plan.memory.split("\n") if line in stay] == stay
    archived = archive.split("\n")
    left = [row for row in chosen.gone if not row.is_digest]
    assert all(chosen.lines[row.at] in archived for row in left)
    assert plan.records <= limits.records and len(plan.memory) <= limits.chars
    assert len(plan.long_memory) <= max(limits.long_chars, len(files.long_memory))
    assert len(plan.memory) < len(files.memory)
    return plan, after


def thousand_records() -> Files:
    chance = Random(7)
    lines = [
        record(
            chance,
            random_sentence(chance),
            10 + number // 5,
            chance.choice(["note", "turn-summary"]),
        )
        for number in range(1_000)
    ]
    return Files(
        "# MEMORY.md — Long-term memory\n\n---\n\n" + "\n".join(lines) + "\n", "", ""
    )


@pytest.mark.parametrize(
    ("chars", "long_chars"), [(20_000, 16_000), (100_000, 16_000), (20_000, 4_000)]
)
def test_facts_fill_the_available_room_and_all_records_are_archived(
    chars: int, long_chars: int
) -> None:
    files = thousand_records()
    plan, after = apply_plan_once(files, Limits(200, chars, long_chars))
    assert len(after.memory) <= chars and len(after.long_memory) <= long_chars
    before = parse_records(files.memory).records
    assert [(each.id, each.text) for each in parse_records(after.archive).records] == [
        (each.id, each.text) for each in before
    ]
    capacity = (chars + long_chars) / (
        sum(len(each.text) for each in before) / len(before)
    )
    near = after.long_memory + "\n".join(
        each.text for each in parse_records(after.memory).records
    )
    stored = sum(f"- {each.text} [{each.id[:8]}" in near for each in before)
    assert stored == plan.facts_in_memory + plan.facts_in_long_memory
    assert stored >= 0.8 * capacity
    assert apply_plan_once(after, Limits(200, chars, long_chars))[0].reason == NOTHING


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 4),
    st.sampled_from(
        [
            Limits(5, 2_000, 500),
            Limits(1, 3_000, 1_000),
            Limits(40, 8_000, 3_000),
            Limits(3, 600, 500),
        ]
    ),
)
def test_no_fact_is_lost_and_a_second_run_changes_nothing(
    seed: int, rounds: int, limits: Limits
) -> None:
    chance = Random(seed)
    files = Files("by hand\n", "", "")
    message: list[str] = []
    for turn in range(rounds):
        lines = [
            record(
                chance,
                chance.choice(
                    [
                        random_sentence(chance, chance.randint(20, 900)),
                        "The same thing.",
                        "the same things",
                    ]
                ),
                30 - turn - chance.randint(0, 15),
                chance.choice(["note", "turn-summary", "heartbeat", "odd"]),
                chance.choice(["public", "operational", "private-user"]),
            )
            for _ in range(chance.randint(0, 25))
        ]
        message += lines
        files = files._replace(
            memory=files.memory + "".join(f"{line}\n" for line in lines)
        )
        plan, files = apply_plan_once(files, limits)
        if not plan.reason:
            assert apply_plan_once(files, limits) == (Plan(NOTHING), files)
    left = parse_records(files.memory).records
    archived = {each.id for each in parse_records(files.archive).records}
    assert {
        each.id for each in parse_records("\n".join(message)).records
    } <= archived | {each.id for each in left}
    assert len(files.archive.split("\n")) == len(set(files.archive.split("\n")))
