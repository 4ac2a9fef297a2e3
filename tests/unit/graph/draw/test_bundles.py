"""Merged arrows and spanning trees of a drawing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.graph.draw.ascii_format import spanning
from cuedeck.graph.draw.drawing_parts import bundles
from cuedeck.model.diagram import Arrow, Box, Drawing

_PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=25)


def _drawing(count: int, pairs: list[tuple[int, int]]) -> Drawing:
    boxes = tuple(Box(str(i), "doc", -1, 0, "plain", "") for i in range(count))
    return Drawing(
        "", boxes, tuple(Arrow(str(a), str(b), "refs") for a, b in pairs), 0, 0, ()
    )


def test_arrows_between_the_same_boxes_are_merged_and_unknown_ends_are_dropped() -> (
    None
):
    boxes = _drawing(2, []).boxes
    arrows = (
        Arrow("0", "1", "refs"),
        Arrow("0", "1", "imports"),
        Arrow("0", "1", "refs"),
        Arrow("0", "x", "refs"),
    )
    assert bundles(Drawing("", boxes, arrows, 0, 0, ())) == (
        (0, 1, ("refs", "imports")),
    )


@given(pairs=_PAIRS)
def test_every_box_belongs_to_exactly_one_tree(pairs: list[tuple[int, int]]) -> None:
    parents = spanning(_drawing(8, pairs))
    for i in range(8):
        path = [i]
        while parents[path[-1]] >= 0:
            assert (parents[path[-1]], path[-1]) in pairs
            path.append(parents[path[-1]])
            assert len(path) <= 8


def test_written_refs_decide_the_parent_of_a_box() -> None:
    boxes = tuple(
        Box(name, "doc", -1, 0, "plain", "") for name in ("code", "card", "doc", "goal")
    )
    arrows = (
        Arrow("code", "goal", "imports"),
        Arrow("card", "doc", "refs"),
        Arrow("doc", "goal", "refs"),
    )
    assert spanning(Drawing("", boxes, arrows, 0, 0, ())) == [-1, -1, 1, 2]
