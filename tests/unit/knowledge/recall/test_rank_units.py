"""The ranking of units: each step changes the order as documented and hides no unit."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.recall.rank_units import (
    RankedUnit,
    Statistics,
    diversify,
    drop_duplicates,
    rank_units,
)
from cuedeck.knowledge.recall.recall_query import parse_query
from cuedeck.model.recall_values import UnitRow
from cuedeck.text.sentences import is_question
from cuedeck.text.words import read_stems, stem_key

TODAY = date(2026, 11, 23)
FILLER = "unrelated sentence with other vocabulary entirely"


def unit(number: int, text: str, day: str = "2026-11-20", **more: object) -> UnitRow:
    """Return a unit; numbers that differ by 10 are not neighbours."""
    stems = read_stems(text)
    row = UnitRow(
        number=number,
        kind="log",
        id="",
        date=day,
        speaker="",
        session="",
        category="",
        is_evergreen=False,
        is_question=is_question(text),
        key=stem_key(stems),
        path="log.md",
        stems=stems,
    )
    return row._replace(**more)


def rank(text: str, units: Sequence[UnitRow], half_life: int = 0) -> list[RankedUnit]:
    spread = Counter(stem for each in units for stem in set(each.stems))
    mean = sum(len(each.stems) for each in units) / len(units)
    newest = max((each.date for each in units), default="")
    statistics = Statistics(len(units), mean, spread.__getitem__, newest)
    return rank_units(parse_query(text, TODAY), units, statistics, half_life)


def numbers(ranked: Sequence[RankedUnit]) -> list[int]:
    return [each.row.number for each in ranked]


def test_a_unit_without_a_word_of_the_query_is_no_hit() -> None:
    units = [unit(10, "the invoice of March"), unit(20, FILLER)]
    assert numbers(rank("invoice", units)) == [10]


def test_of_two_equal_units_the_newer_is_first() -> None:
    units = [
        unit(10, "deploy on Friday", "2026-11-01"),
        unit(20, "deploy on Friday", "2026-11-02"),
    ]
    assert numbers(rank("deploy", units)) == [20, 10]


def test_age_reorders_and_never_hides() -> None:
    units = [
        unit(10, "the passport is in the blue drawer", "2016-01-01"),
        *(unit(20 + 10 * at, FILLER, "2026-11-20") for at in range(50)),
    ]
    assert numbers(rank("passport", units, 30)) == [10]
    near = [
        unit(10, "passport renewed by post", "2023-01-01"),
        unit(20, "passport renewed by post again", "2026-11-20"),
    ]
    assert numbers(rank("passport renewed", near, 30)) == [20, 10]
    assert numbers(rank("passport renewed", near)) == [10, 20]


def test_the_half_life_decides_how_much_age_counts() -> None:
    units = [
        unit(10, "passport renewed at the town hall", "2026-11-10"),
        unit(20, f"passport {FILLER} {FILLER}", "2026-11-17"),
        unit(30, f"passport {FILLER} {FILLER} {FILLER}", "2026-11-20"),
    ]
    orders = {
        days: numbers(rank("passport renewed", units, days)) for days in (1, 7, 30)
    }
    assert orders == {1: [30, 20, 10], 7: [10, 30, 20], 30: [10, 20, 30]}
    parts = {each.row.number: each.parts["age"] for each in rank("passport", units, 7)}
    assert parts == {10: 0.371499, 20: 0.742997, 30: 1.0}


def test_an_evergreen_unit_does_not_age() -> None:
    units = [
        unit(10, "passport number", "2016-01-01", is_evergreen=True),
        unit(20, "passport number", "2016-01-02"),
        unit(30, FILLER, "2026-11-20"),
    ]
    assert numbers(rank("passport", units, 30)) == [10, 20]


@pytest.mark.parametrize("day", ["2031-01-01", "", "no date", "2026-11-20T10:00:00Z"])
def test_every_date_is_valid(day: str) -> None:
    units = [unit(10, "passport", day), unit(20, FILLER)]
    assert numbers(rank("passport", units)) == [10]


def test_stop_words_never_outrank_a_content_word() -> None:
    units = [
        unit(10, "the the where is the this that it was when and the"),
        unit(20, f"one long {FILLER} {FILLER} {FILLER} with the invoice at its end"),
    ]
    units += [unit(100 + 10 * at, f"invoice {at}") for at in range(20)]
    ranked = numbers(rank("where is the invoice that it was and when", units))
    assert 20 in ranked
    assert 10 not in ranked


def test_a_query_of_stop_words_finds_them() -> None:
    units = [unit(10, "Will it be ready"), unit(20, "alpha beta")]
    assert numbers(rank("when will it be?", units)) == [10]
    assert numbers(rank("Will", units)) == [10]


def test_the_neighbours_of_a_unit_count_for_it() -> None:
    conversation = [
        unit(1, FILLER, speaker="Ana"),
        unit(2, "which hotel did you book in Lisbon?", speaker="Ana"),
        unit(3, "the one near the river, until Sunday", speaker="Bob"),
        unit(50, "nothing about rivers, the long way until Sunday"),
    ]
    assert 3 in numbers(rank("hotel in Lisbon", conversation))
    assert 50 not in numbers(rank("hotel in Lisbon", conversation))


def test_neighbours_are_of_the_same_file() -> None:
    units = [unit(1, "hotel in Lisbon"), unit(2, FILLER, path="other.md")]
    assert numbers(rank("hotel Lisbon", units)) == [1]


def test_the_one_speaker_that_is_named_comes_first() -> None:
    units = [
        unit(10, "Maria: I paint landscapes", speaker="Maria"),
        unit(20, "John: Maria and I paint landscapes", speaker="John"),
        unit(30, "Maria: no", speaker="Maria"),
    ]
    first = numbers(rank("What does Maria paint?", units))[0]
    assert first == 10
    ranked = rank("What do Maria and John paint?", units)
    assert all("name" not in each.parts for each in ranked)


def test_a_named_session_comes_first() -> None:
    units = [
        unit(10, "the parser is slow", session="Alpha"),
        unit(20, "the parser is slow", session="Beta"),
    ]
    assert numbers(rank("parser in session Alpha", units))[0] == 10


def test_a_phrase_comes_before_the_same_words_apart() -> None:
    units = [unit(10, "blue green deploy"), unit(20, "green deploy of the blue")]
    assert numbers(rank('"blue green deploy"', units))[0] == 10


def test_named_days_come_first_and_others_stay() -> None:
    units = [
        unit(10, "deploy finished early", "2026-11-22"),
        unit(20, "deploy finished", "2026-11-10"),
        unit(30, "lunch", "2026-11-22"),
    ]
    assert numbers(rank("deploy yesterday", units)) == [10, 20]


def test_a_statement_comes_before_a_question() -> None:
    units = [unit(10, "is redis the cache?"), unit(20, "redis is the cache")]
    assert numbers(rank("redis cache", units)) == [20, 10]
    assert numbers(rank("redis cache", units[::-1])) == [20, 10]


def test_feedback_reorders_and_adds_no_hit() -> None:
    units = [unit(10 * at, f"{FILLER} number{at}") for at in range(10, 40)]
    units += [
        unit(1000, "sourdough starter flour oven", speaker="Ana"),
        unit(1010, "sourdough starter flour", speaker="Ana"),
        unit(1020, "sourdough bicycle pump"),
        unit(1030, "flour starter", speaker="Ana"),
    ]
    ranked = rank("sourdough", units)
    assert set(numbers(ranked)) == {1000, 1010, 1020}
    assert any(each.parts["feedback"] for each in ranked)


def test_a_query_that_no_unit_matches_finds_nothing() -> None:
    assert rank("zebra", [unit(10, FILLER), unit(20, "alpha")]) == []
    query = parse_query("anything", TODAY)
    assert rank_units(query, [], Statistics(0, 0.0, Counter().__getitem__, "")) == []


_TEXT = "invoice deploy Lisbon hotel the is was and ayer Maria redis cache 2026 fix"
_WORDS = st.sampled_from(_TEXT.split())
_TEXTS = st.lists(_WORDS, min_size=1, max_size=8).map(" ".join)
_UNITS = st.lists(
    st.tuples(_TEXTS, st.dates(date(2016, 1, 1), date(2030, 1, 1))),
    min_size=1,
    max_size=12,
)


@given(_TEXTS, _UNITS, st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(
    text: str, rows: list[tuple[str, date]], shuffle: random.Random
) -> None:
    units = [unit(at, each, str(day)) for at, (each, day) in enumerate(rows)]
    expected = rank(text, units)
    shuffle.shuffle(units)
    assert rank(text, units) == expected
    scores = [each.score for each in expected]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


@given(_TEXTS, _UNITS)
def test_every_unit_with_a_content_word_of_the_query_is_a_hit(
    text: str, rows: list[tuple[str, date]]
) -> None:
    units = [unit(10 * at, each, str(day)) for at, (each, day) in enumerate(rows)]
    query = parse_query(text, TODAY)
    stems = {term.stem for term in query.terms if term.origin != "stop"}
    expected = {each.number for each in units if stems.intersection(each.stems)}
    assert expected <= set(numbers(rank(text, units)))


def _ranked(texts: Sequence[str], scores: Sequence[int]) -> list[RankedUnit]:
    return [
        RankedUnit(unit(10 * at, text, f"2026-11-{at + 1:02}"), score, {})
        for at, (text, score) in enumerate(zip(texts, scores, strict=True))
    ]


def test_a_duplicate_is_shown_once_and_the_newest_stays() -> None:
    ranked = _ranked(["pay the rent", "buy milk", "Pay the rent!"], [9, 5, 3])
    kept = drop_duplicates(ranked)
    assert [(each.row.number, each.score) for each in kept] == [(20, 9), (10, 5)]


def test_a_newer_duplicate_without_a_word_of_the_query_is_left_out() -> None:
    ranked = [
        RankedUnit(unit(at, "pay the rent", f"2026-11-{at}"), 9, {}) for at in (10, 20)
    ]
    below_heading = ranked[0].row
    stems = ["porto", *below_heading.stems]
    ranked[0] = ranked[0]._replace(row=below_heading._replace(stems=stems))
    assert numbers(drop_duplicates(ranked, {"rent", "porto"})) == [10]
    assert numbers(drop_duplicates(ranked, {"rent"})) == [20]


def test_a_newer_copy_without_points_takes_the_score_of_the_older() -> None:
    old, new = _ranked(["server port 8080", "server port 8080"], [100, 0])
    assert drop_duplicates([old, new]) == [new._replace(score=100)]


def test_a_repetition_moves_down() -> None:
    texts = ["rent paid in March", "rent paid in March again", "rent is 900 euros"]
    ranked = _ranked(texts, [100, 99, 90])
    assert numbers(diversify(ranked, 0.7)) == [0, 20, 10]
    assert numbers(diversify(ranked, 1.0)) == [0, 10, 20]


@given(st.lists(st.tuples(_TEXTS, st.integers(1, 99)), max_size=60), st.floats(0, 1))
def test_diversity_keeps_every_unit_and_the_first(
    rows: list[tuple[str, int]], share: float
) -> None:
    ranked = [
        RankedUnit(unit(10 * at, text), score, {})
        for at, (text, score) in enumerate(sorted(rows, key=lambda row: -row[1]))
    ]
    moved = numbers(diversify(ranked, share))
    assert sorted(moved) == sorted(numbers(ranked))
    assert share == 0 or moved[:1] == numbers(ranked)[:1]
