"""Dates in words, English and Spanish, relative to a Monday."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.text.date_words import find_dates

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what happened yesterday?", "2026-11-22", "2026-11-22"),
        ("¿qué hicimos ayer?", "2026-11-22", "2026-11-22"),
        ("antier", "2026-11-21", "2026-11-21"),
        ("anteayer", "2026-11-21", "2026-11-21"),
        ("the day before yesterday", "2026-11-21", "2026-11-21"),
        ("hoy", "2026-11-23", "2026-11-23"),
        ("Today", "2026-11-23", "2026-11-23"),
        ("anoche", "2026-11-22", "2026-11-22"),
        ("el martes pasado", "2026-11-17", "2026-11-17"),
        ("last Monday", "2026-11-16", "2026-11-16"),
        ("el lunes", "2026-11-16", "2026-11-16"),
        ("hace 3 días", "2026-11-20", "2026-11-20"),
        ("hace tres dias", "2026-11-20", "2026-11-20"),
        ("3 days ago", "2026-11-20", "2026-11-20"),
        ("hace dos semanas", "2026-11-09", "2026-11-15"),
        ("a month ago", "2026-10-01", "2026-10-31"),
        ("two years ago", "2024-01-01", "2024-12-31"),
        ("last week", "2026-11-16", "2026-11-22"),
        ("la semana pasada", "2026-11-16", "2026-11-22"),
        ("el mes pasado", "2026-10-01", "2026-10-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("esta semana", "2026-11-23", "2026-11-29"),
        ("last weekend", "2026-11-21", "2026-11-22"),
        ("el fin de semana pasado", "2026-11-21", "2026-11-22"),
        ("the last two weeks", "2026-11-09", "2026-11-23"),
        ("los últimos 10 días", "2026-11-13", "2026-11-23"),
        ("2026-11-20", "2026-11-20", "2026-11-20"),
        ("2026-02", "2026-02-01", "2026-02-28"),
        ("March 2026", "2026-03-01", "2026-03-31"),
        ("marzo de 2026", "2026-03-01", "2026-03-31"),
        ("en diciembre", "2025-12-01", "2025-12-31"),
        ("in May", "2026-05-01", "2026-05-31"),
        ("5 de mayo", "2026-05-05", "2026-05-05"),
        ("May 5th, 2025", "2025-05-05", "2025-05-05"),
        ("1 May, 2022", "2022-05-01", "2022-05-01"),
        ("December 31", "2025-12-31", "2025-12-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
    ],
)
def test_words_name_days(text: str, first: str, last: str) -> None:
    (found,) = find_dates(text, TODAY)
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)
    assert text[found.start : found.end]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "may I march?",
        "31 de febrero",
        "2026-13-45",
        "2026-02-30",
        "99999 days ago",
        "9999 years ago",
        "hace 9999 años",
        "the yesterdayish todayness",
        "sub-ayer",
        "version 2024",
    ],
)
def test_other_words_name_no_day(text: str) -> None:
    assert find_dates(text, TODAY) == []


def test_the_last_weekend_of_a_sunday_is_the_one_before() -> None:
    (found,) = find_dates("last weekend", date(2026, 11, 22))
    assert found.first == date(2026, 11, 14)


def test_several_dates_are_found_in_order() -> None:
    found = find_dates("entre el 3 de marzo y ayer", TODAY)
    assert [named.first for named in found] == [date(2026, 3, 3), date(2026, 11, 22)]


_TEXT = (
    "last week ago hace 3 31 0 0000 9999 2026 - -02 de del of in en mayo may martes "
    "días year ultimos pasado pasada el la yesterday ayer , \n İ ß"
)
_FRAGMENTS = st.sampled_from(_TEXT.split(" "))


@given(st.lists(_FRAGMENTS, max_size=8).map(" ".join), st.dates())
def test_every_text_and_day_is_valid(text: str, today: date) -> None:
    end = 0
    for named in find_dates(text, today):
        assert named.first <= named.last
        assert end <= named.start < named.end <= len(text)
        end = named.end
