"""Merged arrows of a drawing."""

from __future__ import annotations

from cuedeck.graph.draw.drawing_parts import bundles
from cuedeck.model.diagram import Arrow, Box, Drawing


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
