"""Times of memories are in UTC, to the second."""

from __future__ import annotations

from cuedeck.text.timestamps import utc_second

TIME = "2026-04-01T10:00:00Z"


def test_times_are_in_utc_to_the_second() -> None:
    assert utc_second("2026-04-01 10:00:00 UTC") == TIME
    assert utc_second("2026-04-01T12:00:00.123456789+02:00") == TIME
    assert utc_second("soon") == ""
