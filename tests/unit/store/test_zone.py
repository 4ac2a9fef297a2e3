"""The zone of the machine, by rules that need no database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.store.clock import LocalZone, zoned_now

ZONE = LocalZone()


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the time zone of Berlin."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of this system cannot be chosen")
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("utc", "local", "fold"),
    [
        ((2026, 1, 1, 12), "2026-01-01T13:00+01:00", 0),
        ((2026, 3, 29, 0, 59), "2026-03-29T01:59+01:00", 0),
        ((2026, 3, 29, 1), "2026-03-29T03:00+02:00", 0),
        ((2026, 10, 25, 0, 30), "2026-10-25T02:30+02:00", 0),
        ((2026, 10, 25, 1, 30), "2026-10-25T02:30+01:00", 1),
        ((2026, 10, 25, 2), "2026-10-25T03:00+01:00", 0),
    ],
)
def test_the_zone_of_the_machine_knows_its_changes(
    berlin: None, utc: tuple[int, ...], local: str, fold: int
) -> None:
    moment = datetime(*utc, tzinfo=UTC)  # type: ignore[arg-type,misc]
    shown = moment.astimezone(ZONE)
    assert (shown.isoformat(timespec="minutes"), shown.fold) == (local, fold)
    assert shown.astimezone(UTC) == moment


@given(st.datetimes(datetime(1990, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC)))
def test_a_moment_comes_back_from_the_zone_of_the_machine(moment: datetime) -> None:
    assert moment.astimezone(ZONE).astimezone(UTC) == moment


def test_now_has_the_time_zone_of_the_machine() -> None:
    assert isinstance(zoned_now().tzinfo, LocalZone)
    assert zoned_now().tzname() in time.tzname
