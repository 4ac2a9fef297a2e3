"""Results of the integrity scan on both halves of the samples."""

from __future__ import annotations

import re

from benchmarks.integrity.generate import make_sample
from benchmarks.integrity.held import HELD
from benchmarks.integrity.measure import crowd, measure
from benchmarks.integrity.template import Half
from benchmarks.integrity.tuning import TUNING

_HOLE = re.compile(r"\{[a-z]+\d?\}")


def _sentences(half: Half) -> set[str]:
    planted = [text for each in half.planted for text in (each.older, each.newer)]
    compatible = [text for _, text in half.compatible]
    return {
        _HOLE.sub("…", text).casefold().strip(" .")
        for text in (*half.ordinary, *planted, *compatible)
    }


def test_halves_share_no_sentence() -> None:
    assert not _sentences(TUNING) & _sentences(HELD)


def test_held_half_meets_its_bars() -> None:
    figure = measure(HELD)
    assert figure.ordinary == 1_000 and figure.planted == 41
    assert figure.false_share < 0.01
    assert figure.found_share >= 0.35
    assert len(figure.blamed) <= 1


def test_equal_seeds_give_equal_records() -> None:
    assert make_sample(HELD, ordinary=50) == make_sample(HELD, ordinary=50)
    assert (
        make_sample(HELD, ordinary=50).records
        != make_sample(HELD, seed=1, ordinary=50).records
    )


def test_crowd_has_the_requested_number_of_records() -> None:
    assert len(crowd(TUNING, 103)) == 103
