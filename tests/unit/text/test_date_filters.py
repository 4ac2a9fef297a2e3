from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.errors import UsageError
from cuedeck.text.date_filters import parse_date_filter, parse_moment

EAST = timezone(timedelta(hours=9))
NOW = datetime(2026, 5, 7, 15, 30, tzinfo=EAST)  # a Thursday


def at(text: str) -> datetime:
    moment = parse_moment(text)
    assert moment is not None
    return moment


def matches(text: str, moment: str) -> bool:
    return parse_date_filter(text, NOW).matches(at(moment))


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (
            "2026",
            ["2026-01-01", "2026-05-03", "2026-12-31 23:59:59"],
            ["2025-12-31 23:59:59", "2027-01-01"],
        ),
        ("2026-05", ["2026-05-01", "2026-05-31 23:59"], ["2026-04-30", "2026-06-01"]),
        ("2026-12", ["2026-12-31"], ["2027-01-01"]),
        ("2024-02", ["2024-02-29"], ["2024-03-01"]),
        (
            "2026-05-03",
            ["2026-05-03", "2026-05-03 23:59:59"],
            ["2026-05-02 23:59", "2026-05-04"],
        ),
        (
            "today",
            ["2026-05-07", "2026-05-07 23:59"],
            ["2026-05-06 23:59", "2026-05-08"],
        ),
        ("yesterday", ["2026-05-06", "2026-05-06 23:59"], ["2026-05-07", "2026-05-05"]),
        ("this-week", ["2026-05-04", "2026-05-10 23:59"], ["2026-05-03", "2026-05-11"]),
        ("last-week", ["2026-04-27", "2026-05-03"], ["2026-05-04", "2026-04-26"]),
        ("This Week", ["2026-05-04"], ["2026-05-03"]),
    ],
)
def test_a_calendar_period_holds_all_its_days(
    text: str, inside: list[str], outside: list[str]
) -> None:
    """Pins bugs of an earlier tool: a year or month matched only its first day, `today`
    was an error.
    """
    assert [matches(text, moment) for moment in inside] == [True] * len(inside)
    assert [matches(text, moment) for moment in outside] == [False] * len(outside)


@pytest.mark.parametrize("text", [">2w", "2w", "newer:2w", " > 2W ", "14d", "336h"])
def test_within_an_age_means_newer(text: str) -> None:
    """Pins a bug of an earlier tool: an age without a sign matched nothing."""
    assert matches(text, "2026-04-23T15:30:00+09:00")
    assert matches(text, "2026-05-07T15:31:00+09:00")
    assert not matches(text, "2026-04-23T15:29:59+09:00")


@pytest.mark.parametrize("text", ["<7d", "older:7d", "<1w"])
def test_a_smaller_sign_means_older(text: str) -> None:
    assert matches(text, "2026-04-30T15:29:59+09:00")
    assert not matches(text, "2026-04-30T15:30:00+09:00")


def test_months_are_thirty_days_and_years_365() -> None:
    assert parse_date_filter("1m", NOW).start == NOW - timedelta(days=30)
    assert parse_date_filter("1y", NOW).start == NOW - timedelta(days=365)


def test_periods_are_those_of_the_users_zone() -> None:
    assert matches("today", "2026-05-06T15:00:00Z")
    assert not matches("today", "2026-05-07T15:00:00Z")


def test_a_day_with_a_clock_change_has_its_own_length() -> None:
    now = datetime(2026, 10, 25, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    span = parse_date_filter("today", now)
    assert span.start is not None and span.end is not None
    assert span.end - span.start == timedelta(hours=25)
    assert span.matches(datetime(2026, 10, 25, 2, 30, tzinfo=now.tzinfo, fold=1))


NO_DATES = ["", "soon", "2026-13", "2026-02-30", "0000", "9999", "26", "2026-5-3", "7", "7x", ">", ">>2w",
            "-7d"]  # fmt: skip
OUT_OF_RANGE = ["9" * 30 + "y", "9" * 5000 + "d", "99999y"]


@pytest.mark.parametrize("text", [*NO_DATES, *OUT_OF_RANGE, "٢٠٢٦"])
def test_an_invalid_date_is_a_usage_error_with_examples(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_date_filter(text, NOW)
    assert "2w for" in caught.value.hint and "2026-05" in caught.value.hint


def test_now_must_carry_a_zone() -> None:
    with pytest.raises(ValueError, match="zone"):
        parse_date_filter("today", datetime(2026, 5, 7))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-03T10:00:00Z", datetime(2026, 5, 3, 10, tzinfo=UTC)),
        ("2026-05-03t10:00:00.5z", datetime(2026, 5, 3, 10, 0, 0, 500_000, tzinfo=UTC)),
        ("2026-05-03T10:00:00+09:00", datetime(2026, 5, 3, 10, tzinfo=EAST)),
        ("2026-05-03 10:00:00 +0900", datetime(2026, 5, 3, 10, tzinfo=EAST)),
        ("2026-05-03 10:00", datetime(2026, 5, 3, 10)),
        ("2026-05-03", datetime(2026, 5, 3)),
        ("1777777777", datetime(2026, 5, 3, 3, 9, 37, tzinfo=UTC)),
    ],
)
def test_moments_are_read_in_the_forms_cards_use(text: str, moment: datetime) -> None:
    assert parse_moment(text) == moment


@pytest.mark.parametrize(
    "text", ["", "2026", "soon", "2026-02-30", "99999999999999", "null", "\ud800"]
)
def test_an_invalid_timestamp_is_none(text: str) -> None:
    assert parse_moment(text) is None


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    parse_moment(text)
    with suppress(UsageError):
        parse_date_filter(text, NOW)


@given(
    st.datetimes(
        min_value=datetime(1990, 1, 1),
        max_value=datetime(2100, 1, 1),
        timezones=st.timezones(),
    ),
    st.integers(min_value=0, max_value=10_000),
    st.sampled_from("hdwmy"),
)
def test_newer_and_older_share_all_moments_between_them(
    moment: datetime, count: int, unit: str
) -> None:
    try:
        newer, older = (parse_date_filter(f"{sign}{count}{unit}", NOW) for sign in "><")
    except UsageError:
        return
    assert newer.matches(moment) != older.matches(moment)


@given(
    st.datetimes(
        min_value=datetime(1990, 1, 1),
        max_value=datetime(2100, 1, 1),
        timezones=st.timezones(),
    )
)
def test_a_moment_matches_the_day_month_and_year_it_is_written_in(
    moment: datetime,
) -> None:
    local = moment.astimezone(EAST)
    for form in ("%Y", "%Y-%m", "%Y-%m-%d"):
        assert parse_date_filter(local.strftime(form), NOW).matches(moment)
    assert at(local.isoformat()) == local
