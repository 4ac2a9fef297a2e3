from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.context.ranking.rank_fusion import coarse, fuse, leading, ranks, worth

SCORES = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.floats(0, 1e6).filter(lambda value: not 0 < value < 1e-6),
)


@given(SCORES)
def test_coarse_scores_are_steps_below_the_best(scores: dict[str, float]) -> None:
    steps = coarse(scores)
    assert steps.keys() == {name for name, value in scores.items() if value > 0}
    assert all(type(step) is int and step <= 0 for step in steps.values())
    assert not steps or max(steps.values()) == 0
    for one in steps:
        for other in steps:
            assert scores[one] > scores[other] or steps[one] <= steps[other]


def fuse_steps(
    steps: Mapping[str, Mapping[str, int]],
    weights: Mapping[str, float],
    share: Callable[[str], float] = lambda _: 1.0,
) -> dict[str, float]:
    return fuse(
        steps, {name: ranks(each) for name, each in steps.items()}, weights, share
    )


def test_nearly_equal_scores_have_equal_steps() -> None:
    steps = coarse({"a": 100.0, "b": 99.0, "c": 90.0, "d": 0.0})
    assert steps["a"] == steps["b"] > steps["c"]
    assert "d" not in steps


def test_ties_share_the_best_rank() -> None:
    assert ranks({"d": -9, "c": 0, "b": -3, "a": -3, "e": -9, "f": -10}) == {
        "c": 1,
        "a": 2,
        "b": 2,
        "d": 4,
        "e": 4,
        "f": 6,
    }
    assert ranks({}) == {}


def test_value_falls_with_rank_and_score() -> None:
    assert worth(1, 0) == pytest.approx(1.0)
    assert (
        worth(1, 0) > worth(2, 0) > worth(2, -1) > worth(3, -1) > worth(400, -500) > 0
    )


def test_best_name_comes_first_and_ties_are_ordered_by_name() -> None:
    fused = fuse_steps({"text": {"z": 0, "b": -20, "a": -20}, "path": {"z": 0}}, {})
    assert list(fused) == ["z", "a", "b"]
    assert fused["a"] == fused["b"] < 1 < fused["z"] == 2


def test_signals_count_by_their_weight() -> None:
    rankings = {"text": {"a": 0, "b": -50}, "path": {"b": 0, "a": -50}}
    assert next(iter(fuse_steps(rankings, {"text": 2.0}))) == "a"
    assert next(iter(fuse_steps(rankings, {"path": 2.0}))) == "b"
    assert fuse_steps({"text": {"a": 0}}, {"text": 2.5, "other": 9.0}) == {"a": 2.5}


def test_leading_names_have_the_highest_scores() -> None:
    scores = {"a": 1.0, "b": 5.0, "c": 3.0, "d": 0.0}
    assert set(leading(scores, 2)) == {"b", "c"}
    assert set(leading(scores, 9)) == {"a", "b", "c"}
    assert leading({}, 3) == []
