"""Scores and thresholds of recalled facts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.dreaming.score_facts import (
    RecalledText,
    Scored,
    read_statement,
    score_facts,
)
from cuedeck.model.memory_record import Record
from cuedeck.model.recall_values import RecallHit, RecallTotal
from cuedeck.model.settings_schema import DreamSettings

TODAY = date(2026, 11, 22)
SETTINGS = DreamSettings()
TEXT = "The staging database listens on port 5433"


def recalled(
    name: str = "a",
    recalls: int = 5,
    days: int = 3,
    queries: int = 3,
    age: int = 0,
    text: str = TEXT,
) -> RecalledText:
    """Return a text with recalls on as many days and by as many queries."""
    hits = []
    for at in range(recalls):
        day = (TODAY - timedelta(days=age + at % max(1, days))).isoformat()
        query = f"q{at % max(1, queries)}"
        hits.append(RecallHit(f"record:{name}", "", 1, "k", query, 0.9, day))
    record = Record(name, text)
    statement = read_statement(text)
    return RecalledText(
        RecallTotal(tuple(hits)), statement, f"record:{name}", record, False
    )


def scored(of: RecalledText, settings: DreamSettings = SETTINGS) -> Scored:
    (fact,) = score_facts([of], settings, TODAY)
    return fact


@pytest.mark.parametrize("worse", [{"recalls": 3}, {"days": 2}, {"queries": 2}])
def test_each_signal_changes_the_score(worse: dict[str, int]) -> None:
    assert scored(recalled(**worse)).score < scored(recalled()).score


@pytest.mark.parametrize(
    ("less", "fault"),
    [
        ({}, ""),
        ({"recalls": 1, "days": 1}, "1 of 2 recalls in 14 days"),
        ({"days": 1}, "recalled on 1 of 2 days"),
        ({"queries": 1}, "recalled by 1 of 2 queries"),
    ],
)
def test_the_first_missed_threshold_is_named(less: dict[str, int], fault: str) -> None:
    assert scored(recalled(**less)).fault == fault  # type: ignore[arg-type]


def test_a_low_score_is_a_fault() -> None:
    strict = SETTINGS.replace(min_score=0.99)
    assert scored(recalled(), strict).fault.endswith("of 0.99")


def test_facts_above_the_limit_of_a_night_wait() -> None:
    texts = [
        recalled(name, recalls=9 - at, text=f"{name * 4} listens on port {name * 3}")
        for at, name in enumerate("abcd")
    ]
    found = score_facts(texts, SETTINGS.replace(max_promotions=2), TODAY)
    assert [each.text.record.id for each in found] == list("abcd")
    assert [bool(each.fault) for each in found] == [False, False, True, True]


@given(
    st.integers(1, 60),
    st.integers(0, 30),
    st.integers(0, 50),
    st.integers(0, 400),
)
def test_scores_stay_between_0_and_1(
    recalls: int, days: int, queries: int, age: int
) -> None:
    fact = scored(recalled("a", recalls, days, queries, age))
    assert all(0 <= value <= 1 for value in fact.signals.values())
    assert 0 <= fact.score <= 1


def test_a_fact_of_one_query_is_not_promoted_after_one_chance_hit() -> None:
    often = recalled(recalls=5, queries=1)
    once = recalled(recalls=1)
    hits = (*often.total.hits, once.total.hits[0]._replace(query_key="other"))
    by_chance = replace(often, total=RecallTotal(hits))
    assert "of one query" in scored(by_chance).fault
    anything = SETTINGS.replace(min_queries=1)
    assert scored(by_chance, anything).fault == ""
