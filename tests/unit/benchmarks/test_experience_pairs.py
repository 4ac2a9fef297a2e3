"""The figures of the pairs, in every script."""

from __future__ import annotations

from itertools import islice

import pytest

from benchmarks.experiences.pairs import HALVES, LANGUAGES, SCRIPTS, pairs
from benchmarks.experiences.shares import LEAST_APART, LEAST_MERGED, format_shares, shares
from benchmarks.experiences.times import measure


@pytest.mark.parametrize("half", HALVES)
def test_swaps_are_kept_apart_and_near_duplicates_merged_in_every_script(half: str) -> None:
    rows = shares(half)
    assert [row.name for row in rows] == list(SCRIPTS)
    for row in rows:
        assert row.swaps >= 100 and row.near >= 100
        assert row.apart / row.swaps >= LEAST_APART, format_shares(rows)
        assert row.merged / row.near >= LEAST_MERGED, format_shares(rows)


def test_the_halves_share_no_pair_and_are_always_the_same() -> None:
    drawn = {half: {(pair.one, pair.other) for pair in pairs(half)} for half in HALVES}
    assert not drawn["tuning"] & drawn["held"]
    pairs.cache_clear()
    assert {(pair.one, pair.other) for pair in pairs("held")} == drawn["held"]
    assert {pair.language for pair in pairs("held")} == set(LANGUAGES)


def test_times_are_taken_of_every_step() -> None:
    rows = list(islice(measure(30), 8))
    assert rows[0].what == "make experiences of 30 records"
    assert all(row.seconds > 0 for row in rows)
