"""Findings about records that were not used or confirmed for a long time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from cuedeck.knowledge.integrity.scan_records import find_findings
from cuedeck.model.memory_record import Record

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def record(identity: str, days: float, category: str = "note") -> Record:
    return Record(
        identity, "", category, timestamp=(NOW - timedelta(days=days)).isoformat()
    )


def test_stale_record_of_high_value_is_a_warning() -> None:
    (found,) = find_findings([record("a", 121, "learned")], NOW)
    assert (found.kind, found.severity, found.message) == (
        "stale",
        "warning",
        "a is older than 120 days",
    )
    assert found.command == "cuedeck memory confirm a"


def test_stale_record_of_low_value_is_information() -> None:
    (found,) = find_findings([record("a", 121)], NOW)
    assert (found.severity, found.command) == ("info", "cuedeck memory forget a")


def test_record_at_the_age_limit_is_not_stale() -> None:
    assert find_findings([record("a", 120)], NOW) == ()
    assert len(find_findings([record("a", 31)], NOW, 30)) == 1


@pytest.mark.parametrize("category", ["turn-summary", "compaction", "heartbeat"])
def test_history_records_do_not_become_stale(category: str) -> None:
    assert find_findings([record("a", 999, category)], NOW) == ()


def test_stale_records_beyond_the_limit_are_counted() -> None:
    found = find_findings([record(f"r{at:04}", 2_000 - at) for at in range(1_500)], NOW)
    assert len(found) == 21
    (rest,) = [each for each in found if each.command == "cuedeck memory compact"]
    assert (
        rest.message
        == "1,480 more records of little value are older than 120 days, r0020 first"
    )


def test_unreadable_time_is_information() -> None:
    (found,) = find_findings([Record("a", "", "learned", timestamp="yesterday")], NOW)
    assert (found.kind, found.severity) == ("undated", "info")


@pytest.mark.parametrize("days", [-5, 10**9])
def test_any_number_of_days_is_accepted(days: int) -> None:
    assert len(find_findings([record("a", 400)], NOW, days)) == (1 if days < 0 else 0)


def test_confirmed_record_is_not_stale() -> None:
    old = record("a", 200, "learned")
    confirmed = replace(
        old, value={"confirmedAt": (NOW - timedelta(days=3)).isoformat()}
    )
    assert find_findings([old], NOW) != ()
    assert find_findings([confirmed], NOW) == ()
