"""When a job is due: by a clock that sleeps, jumps, is set and changes its offset."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.settings_schema import CompactionSettings
from cuedeck.records.job_schedule import (
    is_due,
    is_over,
    is_worth_it,
    may_begin,
    next_run,
    pause_after,
)

BERLIN = ZoneInfo("Europe/Berlin")
NIGHTLY = "0 3 * * *"
YEARLY = "0 3 1 1 *"
DAY = 1_440
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
moments = st.datetimes(
    datetime(1990, 1, 1),
    datetime(2090, 1, 1),
    timezones=st.just(BERLIN),
    allow_imaginary=False,
)
schedules = st.sampled_from(
    ["", NIGHTLY, YEARLY, "30 2 * * *", "*/20 * * * *", "0 */6 * * *", "59 23 29 2 *"]
)


def at(*moment: int, fold: int = 0) -> datetime:
    return datetime(*moment, tzinfo=BERLIN, fold=fold)  # type: ignore[arg-type,misc]


def every(step: timedelta, since: datetime, until: datetime) -> Iterator[datetime]:
    """Yield moments as a clock shows them that is looked at every `step`."""
    now, end = since.astimezone(UTC), until.astimezone(UTC)
    while now <= end:
        yield now.astimezone(BERLIN)
        now += step


def runs(
    schedule: str,
    since: datetime,
    until: datetime,
    step: timedelta = MINUTE,
    interval: int = DAY,
) -> list[str]:
    """Return when a job ran that was looked at every `step`, and had run when this
    began.
    """
    last, found = since, []
    for now in every(step, since, until):
        if is_due(last, now, schedule, interval):
            last = now
            found.append(now.isoformat(timespec="minutes"))
    return found


def test_a_new_job_is_due_at_once() -> None:
    now = at(2026, 5, 1, 12)
    assert next_run(None, now, YEARLY, DAY) == now
    assert is_due(None, now, "", DAY)


def test_an_interval_counts_from_the_last_run() -> None:
    last = at(2026, 5, 1, 12)
    assert not is_due(last, last + timedelta(minutes=59, seconds=59), "", 60)
    assert is_due(last, last + HOUR, "", 60)


def test_a_line_of_cron_is_read_in_the_zone_of_now() -> None:
    last = datetime(2026, 5, 1, 0, 30, tzinfo=UTC)
    assert next_run(last, at(2026, 5, 1, 2, 45), NIGHTLY, 1) == at(2026, 5, 1, 3)
    assert is_due(last, at(2026, 5, 1, 3), NIGHTLY, DAY)
    assert not is_due(last, datetime(2026, 5, 1, 1, tzinfo=UTC), NIGHTLY, DAY)


def test_a_line_of_cron_goes_before_the_interval() -> None:
    last = at(2026, 5, 1, 12)
    assert not is_due(last, last + 2 * HOUR, NIGHTLY, 1)


@pytest.mark.parametrize("schedule", [NIGHTLY, "*/5 * * * *", ""])
def test_after_a_long_sleep_a_missed_job_runs_once(schedule: str) -> None:
    last, woken = at(2026, 5, 1, 3), at(2026, 5, 21, 10, 2)
    assert is_due(last, woken, schedule, 5)
    assert not is_due(woken, woken + MINUTE, schedule, 5)


def test_e19_the_original_ran_a_thousand_times_in_two_seconds_by_a_yearly_line() -> (
    None
):
    """Its timer could not hold more than 24 days."""
    assert runs(YEARLY, at(2026, 1, 1, 3), at(2028, 6, 1), timedelta(hours=5)) == [
        "2027-01-01T03:00+01:00",
        "2028-01-01T03:00+01:00",
    ]
    assert (
        len(runs("", at(2026, 1, 1), at(2027, 1, 1), timedelta(hours=5), 30 * DAY))
        == 12
    )


def test_the_original_never_ran_where_it_was_restarted_more_often_than_its_interval() -> (
    None
):
    """It began to count anew at every start."""
    assert is_due(None, at(2026, 1, 1), "", DAY)
    assert is_due(at(2026, 1, 1), at(2026, 1, 2), "", DAY)


def test_on_the_day_without_the_hour_it_runs_when_the_gap_ends() -> None:
    found = runs("30 2 * * *", at(2026, 3, 28, 12), at(2026, 3, 30, 12))
    assert found == ["2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00"]


def test_on_the_day_with_the_hour_twice_it_runs_once() -> None:
    found = runs("30 2 * * *", at(2026, 10, 24, 12), at(2026, 10, 26, 12))
    assert found == ["2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"]


def test_a_frequent_job_continues_through_the_repeated_hour() -> None:
    found = runs("*/20 * * * *", at(2026, 10, 25, 1, 50), at(2026, 10, 25, 3, 10))
    assert [each[11:] for each in found] == [
        *("02:00+02:00", "02:20+02:00", "02:40+02:00"),
        *("02:00+01:00", "02:20+01:00", "02:40+01:00", "03:00+01:00"),
    ]


def test_an_interval_is_as_long_on_the_days_on_which_the_clock_is_set() -> None:
    for day in (at(2026, 3, 29, 0), at(2026, 10, 25, 0)):
        assert not is_due(
            day,
            (day.astimezone(UTC) + timedelta(minutes=239)).astimezone(BERLIN),
            "",
            240,
        )
        assert is_due(
            day,
            (day.astimezone(UTC) + timedelta(minutes=240)).astimezone(BERLIN),
            "",
            240,
        )


def test_a_run_in_the_second_equal_hour_is_not_followed_by_runs_of_the_first() -> None:
    assert (
        runs("50 2 * * *", at(2026, 10, 25, 2, 10, fold=1), at(2026, 10, 25, 23)) == []
    )


@pytest.mark.parametrize("schedule", [NIGHTLY, ""])
def test_a_last_run_far_in_the_future_is_ignored(schedule: str) -> None:
    now = at(2026, 5, 1, 12)
    assert is_due(at(2099, 1, 1), now, schedule, DAY)
    assert not is_due(now, now, schedule, DAY)


def test_a_clock_that_is_set_back_a_little_repeats_nothing_and_blocks_for_no_longer() -> (
    None
):
    last = at(2026, 5, 1, 3)
    assert not is_due(last, last - timedelta(minutes=1), NIGHTLY, DAY)
    assert runs("", last, last + timedelta(minutes=3), MINUTE, 1) == [
        f"2026-05-01T03:0{minute}+02:00" for minute in (1, 2, 3)
    ]


def test_two_clocks_that_differ_do_not_make_each_other_run() -> None:
    """Two machines look after one folder, one of them ten seconds behind."""
    last = at(2026, 5, 1, 2)
    found = 0
    for now in every(timedelta(seconds=5), at(2026, 5, 1, 2, 55), at(2026, 5, 1, 3, 5)):
        for clock in (now, now - timedelta(seconds=10)):
            if is_due(last, clock, NIGHTLY, DAY):
                last = clock
                found += 1
    assert found == 1


@given(moments, st.none() | moments, schedules, st.integers(1, 100_000))
def test_a_job_that_just_ran_is_not_due(
    now: datetime, last: datetime | None, schedule: str, interval: int
) -> None:
    assert not is_due(now, now, schedule, interval)
    coming = next_run(last, now, schedule, interval)
    assert coming is not None
    assert is_due(last, now, schedule, interval) == (
        coming.astimezone(UTC) <= now.astimezone(UTC)
    )


@given(moments, schedules, st.integers(1, 100_000), st.integers(-12, 12))
def test_where_the_last_run_was_written_does_not_matter(
    now: datetime, schedule: str, interval: int, hours: int
) -> None:
    last = now - timedelta(days=3)
    written = last.astimezone(timezone(timedelta(hours=hours)))
    assert next_run(last, now, schedule, interval) == next_run(
        written, now, schedule, interval
    )


def test_the_first_failure_is_tried_again_at_once_and_more_of_them_ever_later() -> None:
    pauses = [pause_after(failures).total_seconds() / 60 for failures in range(10)]
    assert pauses == [0, 0, 1, 2, 4, 8, 16, 32, 60, 60]
    assert pause_after(10**9) == HOUR


def test_after_failures_an_attempt_waits_unless_the_clock_was_set_back() -> None:
    begun = at(2026, 5, 1, 12)
    assert may_begin(None, 5, begun)
    assert may_begin(begun, 1, begun)
    assert not may_begin(begun, 2, begun)
    assert may_begin(begun, 2, begun + MINUTE)
    assert may_begin(begun, 9, begun - MINUTE)


def test_a_file_is_too_long_from_the_threshold_on() -> None:
    settings = CompactionSettings(threshold_records=10, threshold_chars=1_000)
    assert [
        is_over(9, 999, settings),
        is_over(10, 0, settings),
        is_over(0, 1_000, settings),
    ] == [False, True, True]


@pytest.mark.parametrize(
    ("held", "tried", "worth"),
    [
        ((400, 0), None, True),
        ((439, 1_000), (400, 1_000), False),
        ((440, 1_000), (400, 1_000), True),
        ((401, 20_999), (400, 1_000), False),
        ((401, 21_000), (400, 1_000), True),
        ((401, 90_000), (500, 90_000), True),
    ],
)
def test_a_file_that_stayed_too_long_is_tried_again_when_a_tenth_of_the_limit_changed(
    held: tuple[int, int], tried: tuple[int, int] | None, worth: bool
) -> None:
    settings = CompactionSettings(threshold_records=400, threshold_chars=200_000)
    assert is_worth_it(*held, tried, settings) is worth
