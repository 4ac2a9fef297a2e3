from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.context.ranking.text_signals import fuse, leading, place

SCORES = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.floats(0, 1e6).filter(lambda value: not 0 < value < 1e-6),
)


@given(SCORES)
def test_rank_and_worth_fall_with_the_score(scores: dict[str, float]) -> None:
    places = place(scores)
    assert places.keys() == {name for name, value in scores.items() if value > 0}
    for one in places:
        for other in places:
            if scores[one] <= scores[other]:
                assert places[one].rank >= places[other].rank
                assert places[one].worth <= places[other].worth


def fuse_scores(
    scores: Mapping[str, Mapping[str, float]], **weights: float
) -> dict[str, float]:
    places = {name: place(each) for name, each in scores.items()}
    return fuse(places, dict.fromkeys(scores, 1.0) | weights, lambda _: 1.0)


def test_nearly_equal_scores_share_the_best_rank() -> None:
    places = place({"d": 0.0, "c": 90.0, "b": 99.0, "a": 100.0, "e": 10.0})
    ranks = {name: each.rank for name, each in places.items()}
    assert ranks == {"a": 1, "b": 1, "c": 3, "e": 4}
    assert list(places) == ["a", "b", "c", "e"]
    assert places["a"].worth == pytest.approx(1.0)
    assert places["a"] == places["b"]
    assert place({}) == {}


def test_best_name_comes_first_and_ties_are_ordered_by_name() -> None:
    fused = fuse_scores({"text": {"z": 9.0, "b": 4.0, "a": 4.0}, "path": {"z": 1.0}})
    assert list(fused) == ["z", "a", "b"]
    assert fused["a"] == fused["b"] < 1 < fused["z"] == 2


def test_signals_count_by_their_weight() -> None:
    rankings = {"text": {"a": 9.0, "b": 1.0}, "path": {"b": 9.0, "a": 1.0}}
    assert next(iter(fuse_scores(rankings, text=2.0))) == "a"
    assert next(iter(fuse_scores(rankings, path=2.0))) == "b"
    assert fuse_scores({"text": {"a": 7.0}}, text=2.5, other=9.0) == {"a": 2.5}


def test_leading_names_have_the_highest_scores() -> None:
    scores = {"a": 1.0, "b": 5.0, "c": 3.0, "d": 0.0}
    assert set(leading(scores, 2)) == {"b", "c"}
    assert set(leading(scores, 9)) == {"a", "b", "c"}
    assert leading({}, 3) == []
