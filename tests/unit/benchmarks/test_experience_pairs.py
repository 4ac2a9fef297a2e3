"""Shares and times of the pairs of experiences."""

from __future__ import annotations

from itertools import islice

import pytest

from benchmarks.experiences.pairs import HALVES, LANGUAGES, pairs
from benchmarks.experiences.shares import BARRED, format_shares, shares
from benchmarks.experiences.times import measure


@pytest.mark.parametrize("half", HALVES)
def test_english_and_spanish_meet_the_bars(half: str) -> None:
    rows = shares(half)
    assert [row.name for row in rows] == list(LANGUAGES)
    for row in rows:
        assert row.swaps >= 100 and row.near >= 100
        assert row.is_met or row.name not in BARRED, format_shares(rows)


def test_halves_share_no_pair_and_are_stable() -> None:
    drawing = {
        half: {(pair.one, pair.other) for pair in pairs(half)} for half in HALVES
    }
    assert not drawing["tuning"] & drawing["held"]
    pairs.cache_clear()
    assert {(pair.one, pair.other) for pair in pairs("held")} == drawing["held"]
    assert {pair.language for pair in pairs("held")} == set(LANGUAGES)


def test_every_step_is_timed() -> None:
    rows = list(islice(measure(30), 8))
    assert rows[0].what == "make experiences of 30 records"
    assert all(row.seconds > 0 for row in rows)
