"""The SVG drawing: no overlaps, everything inside the frame, self-contained."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.graph.draw.drawing_parts import MOST, cells, cut
from cuedeck.graph.draw.svg_format import draw_svg
from cuedeck.model.diagram import Arrow, Box, Drawing

_SVG = "{http://www.w3.org/2000/svg}"


def _drawing(depths: list[int], pairs: list[tuple[int, int]]) -> Drawing:
    kinds = ("card", "doc", "source")
    boxes = tuple(
        Box(f"docs/{i}.md", kinds[i % 3], depth, i, "shown", "full")
        for i, depth in enumerate(depths)
    )
    arrows = tuple(Arrow(boxes[a].address, boxes[b].address, "refs") for a, b in pairs)
    return Drawing("Title", boxes, arrows, 16000, 100, ())


@st.composite
def _graphs(draw: st.DrawFn) -> Drawing:
    count = draw(st.integers(1, 50))
    depth = st.integers(0, 4) if draw(st.booleans()) else st.just(-1)
    depths = draw(st.lists(depth, min_size=count, max_size=count))
    index = st.integers(0, count - 1)
    return _drawing(depths, draw(st.lists(st.tuples(index, index), max_size=60)))


@given(drawing=_graphs())
def test_boxes_never_overlap_and_are_inside_the_frame(drawing: Drawing) -> None:
    root = ElementTree.fromstring(draw_svg(drawing))
    plates = [each for each in root.iter(f"{_SVG}rect") if each.get("class") == "plate"]
    assert len(plates) == len(drawing.boxes)
    numbers = [
        tuple(int(each.get(name, "")) for name in ("x", "y", "width", "height"))
        for each in plates
    ]
    for i, (x, y, width, height) in enumerate(numbers):
        assert x + width <= int(root.get("width", ""))
        assert y + height <= int(root.get("height", ""))
        assert all(
            abs(x - other_x) >= width or abs(y - other_y) >= height
            for other_x, other_y, *_ in numbers[:i]
        )
    lines = [each for each in root.iter(f"{_SVG}path") if each.get("class") == "line"]
    assert len(lines) == len(set(drawing.arrows))


def test_large_graph_states_how_much_is_not_drawn() -> None:
    svg = draw_svg(_drawing([-1] * (MOST + 23), []))
    assert svg.count('class="card ') == MOST
    assert "… and 23 more not drawn" in svg


def test_walk_has_a_heading_for_each_depth_and_its_tokens() -> None:
    svg = draw_svg(_drawing([0, 1, -1, 2], [(0, 1), (1, 2)]))
    assert re.findall(r'class="head"[^>]*>([^<]+)<', svg) == [
        "root",
        "depth 1",
        "depth 2",
        "related",
    ]
    assert "100 of 16,000 tokens used" in svg


def test_svg_is_self_contained_with_title_and_description() -> None:
    svg = draw_svg(_drawing([0, 1], [(0, 1)]))
    root = ElementTree.fromstring(svg)
    assert [child.tag for child in root][:2] == [f"{_SVG}title", f"{_SVG}desc"]
    assert not re.search(r"<script|href|url\(|@import|<image", svg)
    assert "prefers-color-scheme:dark" in svg


@given(text=st.text(max_size=200), limit=st.integers(1, 40))
def test_cut_label_fits(text: str, limit: int) -> None:
    shown = cut(text, limit)
    assert cells(shown) <= limit
    assert shown == text or "…" in shown
