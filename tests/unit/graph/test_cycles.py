from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.graph.neighbourhood import find_cycles

EDGES = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=20
)


def test_cycle_is_a_closed_path_from_its_smallest_name() -> None:
    assert find_cycles([("c", "a"), ("b", "c"), ("a", "b")]) == (("a", "b", "c", "a"),)


def test_self_loop_is_no_cycle() -> None:
    assert find_cycles([("a", "a"), ("a", "b")]) == ()


def test_shortest_cycle_is_reported() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("c", "a")]
    assert find_cycles(edges) == (("a", "b", "c", "a"),)


def test_every_component_reports_one_cycle_in_order() -> None:
    edges = [("y", "x"), ("x", "y"), ("b", "a"), ("a", "b"), ("b", "x")]
    assert find_cycles(edges) == (("a", "b", "a"), ("x", "y", "x"))


@given(EDGES)
def test_cycle_follows_edges_and_repeats_no_node(edges: list[tuple[str, str]]) -> None:
    for cycle in find_cycles(edges):
        assert cycle[0] == cycle[-1] == min(cycle)
        assert len(set(cycle)) == len(cycle) - 1 > 1
        assert set(pairwise(cycle)) <= set(edges)
