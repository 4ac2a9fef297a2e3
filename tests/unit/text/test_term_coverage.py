"""Choice of sentences within a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.text.keywords import Candidate, choose

CANDIDATES = st.lists(
    st.builds(
        Candidate,
        st.frozensets(st.sampled_from("abcdefgh"), max_size=5),
        st.integers(1, 20),
        st.integers(0, 3),
        st.sampled_from([0.5, 1.0]),
    ),
    max_size=20,
)


def test_a_repeated_sentence_is_not_chosen_again() -> None:
    same = Candidate(frozenset("abc"), 5)
    other = Candidate(frozenset("d"), 5)
    assert choose([same, same, other], {}, 10) == [0, 2]


def test_ties_go_to_the_earlier_candidate() -> None:
    assert choose(
        [Candidate(frozenset("a"), 5), Candidate(frozenset("b"), 5)], {}, 5
    ) == [0]


def test_a_heavier_term_is_preferred() -> None:
    candidates = [Candidate(frozenset("a"), 5), Candidate(frozenset("b"), 5)]
    assert choose(candidates, {"b": 3}, 5) == [1]


def test_a_head_is_paid_once_for_each_group() -> None:
    candidates = [
        Candidate(frozenset("a"), 4, 0),
        Candidate(frozenset("b"), 4, 0),
        Candidate(frozenset("c"), 4, 1),
    ]
    assert choose(candidates, {}, 10, {0: 2, 1: 2}) == [0, 1]


@given(CANDIDATES, st.integers(0, 60))
def test_costs_stay_within_the_limit(candidates: list[Candidate], limit: int) -> None:
    heads = {0: 1, 1: 2, 2: 3}
    chosen = choose(candidates, {"a": 3}, limit, heads)
    groups = {candidates[at].group for at in chosen}
    cost = sum(candidates[at].cost for at in chosen)
    assert cost + sum(heads.get(group, 0) for group in groups) <= limit
    assert chosen == sorted(set(chosen))


@given(CANDIDATES, st.integers(0, 60))
def test_no_useful_candidate_that_fits_is_left(
    candidates: list[Candidate], limit: int
) -> None:
    chosen = choose(candidates, {}, limit)
    covered = frozenset().union(*(candidates[at].terms for at in chosen))
    left = limit - sum(candidates[at].cost for at in chosen)
    for at, each in enumerate(candidates):
        if at not in chosen:
            assert each.cost > left or each.terms <= covered
