"""Due times of jobs, with a clock that sleeps, jumps, is set or changes its offset."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.memory.due_jobs import (
    is_due,
    is_over,
    is_worth_it,
    next_run,
)
from cuedeck.ledger.records.memory_files import Size
from cuedeck.model.settings_schema import CompactionSettings

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


def clock_times(
    step: timedelta, since: datetime, until: datetime
) -> Iterator[datetime]:
    """Yield the local time at every `step` from `since` to `until`."""
    now, end = since.astimezone(UTC), until.astimezone(UTC)
    while now <= end:
        yield now.astimezone(BERLIN)
        now += step


def run_times(
    schedule: str,
    since: datetime,
    until: datetime,
    step: timedelta = MINUTE,
    interval: int = DAY,
) -> list[str]:
    """Return the times at which a job is due when it is checked at every `step`; it
    last ran at `since`.
    """
    last, found = since, []
    for now in clock_times(step, since, until):
        if is_due(last, now, schedule, interval):
            last = now
            found.append(now.isoformat(timespec="minutes"))
    return found


def test_new_job_is_due_at_once() -> None:
    now = at(2026, 5, 1, 12)
    assert next_run(None, now, YEARLY, DAY) == now
    assert is_due(None, now, "", DAY)


def test_interval_counts_from_the_last_run() -> None:
    last = at(2026, 5, 1, 12)
    assert not is_due(last, last + timedelta(minutes=59, seconds=59), "", 60)
    assert is_due(last, last + HOUR, "", 60)


def test_cron_expression_uses_the_current_time_zone() -> None:
    last = datetime(2026, 5, 1, 0, 30, tzinfo=UTC)
    assert next_run(last, at(2026, 5, 1, 2, 45), NIGHTLY, 1) == at(2026, 5, 1, 3)
    assert is_due(last, at(2026, 5, 1, 3), NIGHTLY, DAY)
    assert not is_due(last, datetime(2026, 5, 1, 1, tzinfo=UTC), NIGHTLY, DAY)


@pytest.mark.parametrize("schedule", [NIGHTLY, "*/5 * * * *", ""])
def test_missed_job_runs_once_after_a_long_sleep(schedule: str) -> None:
    last, woken = at(2026, 5, 1, 3), at(2026, 5, 21, 10, 2)
    assert is_due(last, woken, schedule, 5)
    assert not is_due(woken, woken + MINUTE, schedule, 5)


def test_e19_yearly_job_runs_once_where_the_original_ran_a_thousand_times() -> None:
    """The timer of the original could not hold more than 24 days."""
    assert run_times(YEARLY, at(2026, 1, 1, 3), at(2028, 6, 1), timedelta(hours=5)) == [
        "2027-01-01T03:00+01:00",
        "2028-01-01T03:00+01:00",
    ]
    assert (
        len(run_times("", at(2026, 1, 1), at(2027, 1, 1), timedelta(hours=5), 30 * DAY))
        == 12
    )


def test_job_runs_even_if_the_program_restarts_more_often_than_its_interval() -> None:
    """The original restarted its interval at every start."""
    assert is_due(None, at(2026, 1, 1), "", DAY)
    assert is_due(at(2026, 1, 1), at(2026, 1, 2), "", DAY)


def test_job_in_the_skipped_hour_runs_when_the_hour_ends() -> None:
    found = run_times("30 2 * * *", at(2026, 3, 28, 12), at(2026, 3, 30, 12))
    assert found == ["2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00"]


def test_job_in_the_repeated_hour_runs_once() -> None:
    found = run_times("30 2 * * *", at(2026, 10, 24, 12), at(2026, 10, 26, 12))
    assert found == ["2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"]


def test_frequent_job_continues_through_the_repeated_hour() -> None:
    found = run_times("*/20 * * * *", at(2026, 10, 25, 1, 50), at(2026, 10, 25, 3, 10))
    assert [each[11:] for each in found] == [
        *("02:00+02:00", "02:20+02:00", "02:40+02:00"),
        *("02:00+01:00", "02:20+01:00", "02:40+01:00", "03:00+01:00"),
    ]


def test_interval_keeps_its_length_on_days_of_clock_changes() -> None:
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


def test_run_in_the_second_repeated_hour_prevents_runs_of_the_first() -> None:
    assert (
        run_times("50 2 * * *", at(2026, 10, 25, 2, 10, fold=1), at(2026, 10, 25, 23))
        == []
    )


@pytest.mark.parametrize("schedule", [NIGHTLY, ""])
def test_last_run_far_in_the_future_is_ignored(schedule: str) -> None:
    now = at(2026, 5, 1, 12)
    assert is_due(at(2099, 1, 1), now, schedule, DAY)
    assert not is_due(now, now, schedule, DAY)


def test_clock_set_back_a_little_neither_repeats_nor_delays_a_job() -> None:
    last = at(2026, 5, 1, 3)
    assert not is_due(last, last - timedelta(minutes=1), NIGHTLY, DAY)
    assert run_times("", last, last + timedelta(minutes=3), MINUTE, 1) == [
        f"2026-05-01T03:0{minute}+02:00" for minute in (1, 2, 3)
    ]


def test_clocks_that_differ_do_not_cause_a_second_run() -> None:
    """Two machines maintain one folder, and one clock is ten seconds slow."""
    last = at(2026, 5, 1, 2)
    found = 0
    for now in clock_times(
        timedelta(seconds=5), at(2026, 5, 1, 2, 55), at(2026, 5, 1, 3, 5)
    ):
        for clock in (now, now - timedelta(seconds=10)):
            if is_due(last, clock, NIGHTLY, DAY):
                last = clock
                found += 1
    assert found == 1


@given(moments, st.none() | moments, schedules, st.integers(1, 100_000))
def test_job_that_just_ran_is_not_due(
    now: datetime, last: datetime | None, schedule: str, interval: int
) -> None:
    assert not is_due(now, now, schedule, interval)
    coming = next_run(last, now, schedule, interval)
    assert coming is not None
    assert is_due(last, now, schedule, interval) == (
        coming.astimezone(UTC) <= now.astimezone(UTC)
    )


@given(moments, schedules, st.integers(1, 100_000), st.integers(-12, 12))
def test_time_zone_of_the_last_run_does_not_matter(
    now: datetime, schedule: str, interval: int, hours: int
) -> None:
    last = now - timedelta(days=3)
    written = last.astimezone(timezone(timedelta(hours=hours)))
    assert next_run(last, now, schedule, interval) == next_run(
        written, now, schedule, interval
    )


def test_file_is_too_long_from_the_threshold_on() -> None:
    settings = CompactionSettings(threshold_records=10, threshold_chars=1_000)
    assert [
        is_over(Size(9, 999), settings),
        is_over(Size(10, 0), settings),
        is_over(Size(0, 1_000), settings),
    ] == [False, True, True]


@pytest.mark.parametrize(
    ("size", "tried", "worth"),
    [
        ((400, 0), None, True),
        ((439, 1_000), (400, 1_000), False),
        ((440, 1_000), (400, 1_000), True),
        ((401, 20_999), (400, 1_000), False),
        ((401, 21_000), (400, 1_000), True),
        ((401, 90_000), (500, 90_000), True),
    ],
)
def test_long_file_is_compacted_again_after_a_tenth_of_the_limit_changed(
    size: tuple[int, int], tried: tuple[int, int] | None, worth: bool
) -> None:
    settings = CompactionSettings(threshold_records=400, threshold_chars=200_000)
    assert is_worth_it(Size(*size), tried, settings) is worth
