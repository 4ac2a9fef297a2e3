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
    relevance: float = 0.9,
    age: int = 0,
    text: str = TEXT,
) -> RecalledText:
    """Return a text with recalls on as many days and by as many queries."""
    hits = []
    for at in range(recalls):
        day = (TODAY - timedelta(days=age + at % max(1, days))).isoformat()
        query = f"q{at % max(1, queries)}"
        hits.append(RecallHit(f"record:{name}", "", 1, "k", query, relevance, day))
    record = Record(name, text)
    statement = read_statement(text)
    return RecalledText(
        RecallTotal(tuple(hits)), statement, f"record:{name}", record, False
    )


def scored(of: RecalledText, settings: DreamSettings = SETTINGS) -> Scored:
    (fact,) = score_facts([of], settings, TODAY)
    return fact


def test_the_weights_of_the_seed_are_the_defaults() -> None:
    weights = (
        SETTINGS.weight_frequency,
        SETTINGS.weight_relevance,
        SETTINGS.weight_queries,
        SETTINGS.weight_recency,
        SETTINGS.weight_days,
        SETTINGS.weight_terms,
    )
    assert weights == (0.24, 0.30, 0.15, 0.15, 0.10, 0.06)
    thresholds = (SETTINGS.min_score, SETTINGS.min_recalls, SETTINGS.max_promotions)
    assert thresholds == (0.3, 2, 10)


@pytest.mark.parametrize(
    ("worse", "signal"),
    [
        ({"recalls": 3}, "frequency"),
        ({"days": 2}, "days"),
        ({"queries": 2}, "queries"),
        ({"relevance": 0.7}, "relevance"),
        ({"age": 7}, "recency"),
    ],
)
def test_each_signal_changes_the_score_by_its_weight(
    worse: dict[str, float], signal: str
) -> None:
    less = scored(recalled(**worse))  # type: ignore[arg-type]
    assert less.score < scored(recalled()).score
    ignoring = SETTINGS.replace(**{f"weight_{signal}": 0.0})
    equal = scored(recalled(**worse), ignoring)  # type: ignore[arg-type]
    assert equal.score == scored(recalled(), ignoring).score


def test_recency_is_halved_after_the_half_life() -> None:
    assert scored(recalled(age=7)).signals["recency"] == 0.5
    assert scored(recalled()).signals["recency"] == 1.0


def test_without_weights_the_score_is_zero() -> None:
    names = ("relevance", "frequency", "queries", "recency", "days", "terms")
    none = SETTINGS.replace(**{f"weight_{name}": 0.0 for name in names})
    assert scored(recalled(), none).score == 0.0


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
    st.floats(0, 1),
    st.integers(0, 400),
)
def test_scores_stay_between_0_and_1(
    recalls: int, days: int, queries: int, relevance: float, age: int
) -> None:
    fact = scored(recalled("a", recalls, days, queries, relevance, age))
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
