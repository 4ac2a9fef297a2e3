"""The benchmark of the integrity scan: its bars, and equal records for equal seeds."""

from __future__ import annotations

from benchmarks.integrity.__main__ import LEAST_FOUND, MOST_FALSE
from benchmarks.integrity.generate import make_sample
from benchmarks.integrity.held import HELD
from benchmarks.integrity.measure import measure


def test_bars_are_reached() -> None:
    figure = measure(HELD)
    assert figure.false_share < MOST_FALSE
    assert figure.found_share >= LEAST_FOUND
    assert figure.blamed == ()


def test_equal_seeds_give_equal_records() -> None:
    assert make_sample(HELD, ordinary=50) == make_sample(HELD, ordinary=50)
    assert (
        make_sample(HELD, ordinary=50).records
        != make_sample(HELD, seed=1, ordinary=50).records
    )
