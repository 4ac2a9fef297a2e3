"""Selection of the neighbouring code files of a drawing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.graph.derived_edges import choose_near
from cuedeck.graph.draw.drawing_parts import MOST
from cuedeck.model.diagram import Arrow


def test_direct_neighbours_join_in_either_direction_and_indirect_ones_do_not() -> None:
    arrows = [
        Arrow("a", "b", "imports"),
        Arrow("c", "a", "tests"),
        Arrow("b", "far", "imports"),
    ]
    assert choose_near(["a"], arrows) == (("b", "c"), 0)


def test_rest_of_the_neighbours_is_counted() -> None:
    arrows = [Arrow(f"m{at:03}", "hub", "imports") for at in range(MOST + 9)]
    near = choose_near(["hub"], arrows)
    assert near.paths == tuple(f"m{at:03}" for at in range(MOST - 1))
    assert near.left_out == 10


def test_file_with_more_arrows_to_drawn_files_comes_first() -> None:
    arrows = [Arrow(f"m{at:03}", "hub", "imports") for at in range(MOST + 9)]
    arrows.append(Arrow("m088", "other", "imports"))
    assert "m088" in choose_near(["hub", "other"], arrows).paths


@given(
    pairs=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=400),
    count=st.integers(0, 120),
)
def test_every_neighbour_joins_or_is_counted(
    pairs: list[tuple[int, int]], count: int
) -> None:
    drawing = [str(at) for at in range(count)]
    arrows = [
        Arrow(str(one), str(other), "imports") for one, other in pairs if one != other
    ]
    near = choose_near(drawing, arrows)
    ends = {
        end
        for arrow in arrows
        if {arrow.source, arrow.target} & set(drawing)
        for end in arrow[:2]
    }
    assert set(near.paths) <= ends - set(drawing)
    assert len(near.paths) + near.left_out == len(ends - set(drawing))
    assert len(near.paths) <= max(MOST - count, 20)
