"""Scores and thresholds of the deep phase."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.dreaming.deep_phase import choose, find_fault, rate, weigh
from cuedeck.knowledge.dreaming.light_phase import Candidate, RecalledText
from cuedeck.knowledge.dreaming.statement_text import read_statement
from cuedeck.model.recall_total import RecallTotal
from cuedeck.model.settings_schema import DreamSettings

TODAY = date(2026, 11, 22)
SETTINGS = DreamSettings()
TEXT = "The staging database listens on port 5433"


def candidate(
    name: str = "a",
    recalls: int = 5,
    days: int = 3,
    queries: int = 3,
    relevance: float = 0.9,
    age: int = 0,
) -> Candidate:
    total = RecallTotal(f"record:{name}", "", 1, "k", recalls, relevance, (), ())
    text = RecalledText(total, read_statement(TEXT), f"record:{name}", name, "", False)
    dates = [TODAY - timedelta(days=age + number) for number in range(days)]
    return Candidate(
        text,
        (),
        recalls,
        relevance,
        tuple(sorted(day.isoformat() for day in dates)),
        queries,
    )


def score(of: Candidate, settings: DreamSettings = SETTINGS) -> float:
    return weigh(rate(of, settings, TODAY, ()), settings)


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
        ({"recalls": 2}, "frequency"),
        ({"days": 2}, "days"),
        ({"queries": 2}, "queries"),
        ({"relevance": 0.4}, "relevance"),
        ({"age": 7}, "recency"),
    ],
)
def test_each_signal_changes_the_score_by_its_weight(
    worse: dict[str, float], signal: str
) -> None:
    less = candidate(**worse)  # type: ignore[arg-type]
    assert score(less) < score(candidate())
    ignoring = SETTINGS.replace(**{f"weight_{signal}": 0.0})
    assert score(less, ignoring) == score(candidate(), ignoring)


def test_recency_is_halved_after_the_half_life_and_a_theme_adds_a_little() -> None:
    old = candidate(age=7)
    assert rate(old, SETTINGS, TODAY, ()).recency == 0.5
    assert rate(old, SETTINGS, TODAY, {"record:a"}).recency == 0.6
    assert rate(candidate(), SETTINGS, TODAY, {"record:a"}).recency == 1.0


def test_without_weights_the_score_is_zero() -> None:
    names = ("relevance", "frequency", "queries", "recency", "days", "terms")
    none = SETTINGS.replace(**{f"weight_{name}": 0.0 for name in names})
    assert score(candidate(), none) == 0.0


@pytest.mark.parametrize(
    ("less", "fault"),
    [
        ({}, ""),
        ({"recalls": 1}, "1 of 2 recalls in 14 days"),
        ({"days": 1}, "recalled on 1 of 2 days"),
        ({"queries": 1}, "recalled by 1 of 2 queries"),
    ],
)
def test_the_first_missed_threshold_is_named(less: dict[str, int], fault: str) -> None:
    assert find_fault(candidate(**less), 0.9, SETTINGS) == fault  # type: ignore[arg-type]


def test_a_low_score_is_a_fault() -> None:
    strict = SETTINGS.replace(min_score=0.99)
    assert find_fault(candidate(), 0.7, strict) == "score 0.70 of 0.99"


def test_facts_above_the_limit_of_a_night_wait() -> None:
    facts = [candidate(name, recalls=9 - at) for at, name in enumerate("abcd")]
    found = choose(facts, SETTINGS.replace(max_promotions=2), TODAY, ())
    assert [each.candidate.text.record_id for each in found] == list("abcd")
    assert [bool(each.fault) for each in found] == [False, False, True, True]


@given(
    st.integers(0, 10_000),
    st.integers(0, 30),
    st.integers(0, 500),
    st.floats(0, 1),
    st.integers(0, 400),
)
def test_scores_stay_between_0_and_1(
    recalls: int, days: int, queries: int, relevance: float, age: int
) -> None:
    of = candidate("a", recalls, days, queries, relevance, age)
    signals = rate(of, SETTINGS, TODAY, {"record:a"})
    assert all(0 <= value <= 1 for value in signals)
    assert 0 <= weigh(signals, SETTINGS) <= 1


def test_a_fact_of_one_query_is_not_promoted_after_one_chance_hit() -> None:
    by_chance = replace(candidate(recalls=6, queries=2), share_of_query=5 / 6)
    assert "of one query" in find_fault(by_chance, 1.0, SETTINGS)
    shared = replace(candidate(recalls=3, queries=2), share_of_query=2 / 3)
    assert find_fault(shared, 1.0, SETTINGS) == ""
    anything = SETTINGS.replace(min_queries=1)
    assert find_fault(by_chance, 1.0, anything) == ""
