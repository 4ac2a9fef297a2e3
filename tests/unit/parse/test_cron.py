"""Lines of cron: which can be read, and when they hold on the days on which the clock
is set.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.cron import check_cron, moments_after

BERLIN = ZoneInfo("Europe/Berlin")
FIELDS = (
    ("*", "0", "59", "*/7", "5-50/3", "1,2"), ("*", "0", "2", "2,3", "*/2", "23"),
    ("*", "1", "29", "31", "L", "LW", "*/31"), ("*", "2", "feb", "*/2", "4,6"), ("*", "0", "7", "mon#1", "5L", "1-5"),
)  # fmt: skip
lines = st.tuples(*(st.sampled_from(field) for field in FIELDS)).map(" ".join)
moments = st.datetimes(
    datetime(1990, 1, 1),
    datetime(2090, 1, 1),
    timezones=st.just(BERLIN),
    allow_imaginary=False,
)


def after(line: str, *moment: int, fold: int = 0, many: int = 1) -> list[str]:
    found = moments_after(line, datetime(*moment, tzinfo=BERLIN, fold=fold))  # type: ignore[arg-type,misc]
    return [each.isoformat(timespec="minutes") for each in islice(found, many)]


@pytest.mark.parametrize(
    "line",
    ["0 3 * * *", "*/5 * * * *", " 0  3 1 1 * ", "0 3 * * mon-fri", "0 3 29 2 *"],
)
def test_valid_lines_are_accepted(line: str) -> None:
    check_cron(line)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "needs five fields"), ("@monday", "needs five fields .* or hourly, daily, weekly"),
        ("@@daily", "needs five fields"), ("0 3 * *", "needs five fields"), ("0 0 3 * * *", "needs five fields"),
        ("0 3 * * *" + " " * 100, "needs five fields"), ("61 * * * *", "bad minute"), ("0 25 * * *", "bad hour"),
        ("0 0 31 4,6 *", "bad day-of-month"), ("0 0 * * never", "bad day-of-week"), ("* * */20 * 1L", "never occurs"),
    ],
)  # fmt: skip
def test_an_invalid_line_is_refused_with_its_fault(line: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        check_cron(line)


@pytest.mark.parametrize(
    ("word", "line"),
    [("hourly", "0 * * * *"), ("daily", "0 0 * * *"), ("weekly", "0 0 * * sun")],
)
def test_a_keyword_means_a_cron_line(word: str, line: str) -> None:
    for message in (word, f"@{word}"):
        check_cron(message)
        assert after(message, 2026, 11, 20, 12, 30, many=3) == after(
            line, 2026, 11, 20, 12, 30, many=3
        )


@given(
    st.lists(st.text("0123456789*/-,#LWmon ٣²", max_size=8), max_size=6).map(" ".join)
)
def test_any_text_is_a_line_or_a_fault(line: str) -> None:
    with suppress(ValueError):
        check_cron(line)


def test_a_time_that_the_clock_skips_comes_where_the_gap_ends() -> None:
    expected = [
        "2026-03-28T02:30+01:00",
        "2026-03-29T03:00+02:00",
        "2026-03-30T02:30+02:00",
    ]
    assert after("30 2 * * *", 2026, 3, 27, 12, many=3) == expected


def test_a_time_that_the_clock_shows_twice_comes_once() -> None:
    expected = ["2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"]
    assert after("30 2 * * *", 2026, 10, 24, 12, many=2) == expected


def test_a_line_of_every_hour_comes_in_both_of_two_equal_hours() -> None:
    expected = [
        "2026-10-25T02:30+02:00",
        "2026-10-25T02:30+01:00",
        "2026-10-25T03:30+01:00",
    ]
    assert after("30 * * * *", 2026, 10, 25, 2, many=3) == expected


def test_a_time_after_the_second_repeated_hour_is_not_in_the_first() -> None:
    assert after("50 2 * * *", 2026, 10, 25, 2, 10, fold=1) == [
        "2026-10-26T02:50+01:00"
    ]


def test_a_time_within_a_generation_is_found() -> None:
    assert after("0 0 * 2 mon#5", 2020, 1, 1) == ["2044-02-29T00:00+01:00"]


@given(lines, moments)
def test_moments_come_after_the_one_they_are_counted_from_and_in_order(
    line: str, moment: datetime
) -> None:
    try:
        check_cron(line)
    except ValueError:
        return
    found = [each.astimezone(UTC) for each in islice(moments_after(line, moment), 3)]
    assert [moment.astimezone(UTC), *found] == sorted({moment.astimezone(UTC), *found})
