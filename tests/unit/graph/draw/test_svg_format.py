"""The SVG drawing: marks by size, no overlaps, everything inside the frame."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.graph.draw.box_label import cut, cut_place, ems
from cuedeck.graph.draw.glyphs import LARGEST, SMALLEST, radius
from cuedeck.graph.draw.layout import CARD_HEIGHT, CARD_WIDTH, GAP_Y, MOST, arrange
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


@given(
    tokens=st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
    most=st.integers(1, 10**5),
)
def test_area_grows_with_tokens_between_its_bounds(
    tokens: tuple[int, int], most: int
) -> None:
    small, large = sorted(tokens)
    assert SMALLEST <= radius(small, most) <= radius(large, most) <= LARGEST


def test_four_times_the_tokens_is_four_times_the_area() -> None:
    assert radius(4000, 4000) == 2 * radius(1000, 4000)


def test_marks_grow_with_the_tokens_of_their_boxes() -> None:
    boxes = tuple(
        Box(f"docs/{n}.md", "doc", 0, n, "shown", "full") for n in (100, 200, 400, 800)
    )
    svg = draw_svg(Drawing("", boxes, (), 0, 0, ()))
    sizes = [float(r) for r in re.findall(r'class="mark"[^>]* r="([\d.]+)"', svg)][:4]
    assert sizes == sorted(set(sizes)) and len(sizes) == 4


@given(drawing=_graphs())
def test_boxes_never_overlap_and_stay_inside_the_frame(drawing: Drawing) -> None:
    layout = arrange(drawing)
    places = sorted(layout.places, key=lambda place: (place.column, place.y))
    for one, next_ in pairwise(places):
        assert (
            one.column != next_.column or next_.y - one.y >= CARD_HEIGHT + GAP_Y - 0.001
        )
    assert all(
        0 <= p.x <= layout.width - CARD_WIDTH
        and 0 <= p.y <= layout.height - CARD_HEIGHT + 0.001
        for p in places
    )
    assert {place.box for place in places} == set(range(len(drawing.boxes)))
    assert len(layout.courses) == len(set(drawing.arrows))


@given(drawing=_graphs())
def test_lines_run_between_boxes_and_never_through_them(drawing: Drawing) -> None:
    layout = arrange(drawing)
    for course in layout.courses:
        at = [float(number) for number in re.findall(r"([-\d.]+)H", course.path)]
        turns = [float(number) for number in re.findall(r"H([-\d.]+)", course.path)]
        for y, x in zip(at, turns, strict=True):
            crossed = [
                p
                for p in layout.places
                if x in (round(p.x, 1), round(p.x + CARD_WIDTH, 1))
            ]
            assert not any(p.y < y < p.y + CARD_HEIGHT for p in crossed)


def test_large_graph_states_how_much_is_not_drawn() -> None:
    svg = draw_svg(_drawing([-1] * (MOST + 23), []))
    assert svg.count('class="card ') == MOST
    assert "… and 23 more not drawn" in svg


def test_walk_has_a_heading_for_each_depth_and_a_budget_bar() -> None:
    svg = draw_svg(_drawing([0, 1, 2], [(0, 1), (1, 2)]))
    assert re.findall(r'class="head"[^>]*>([^<]+)<', svg) == [
        "root",
        "depth 1",
        "depth 2",
    ]
    assert "100 of 16,000 tokens used" in svg


def test_svg_is_self_contained_with_title_and_description() -> None:
    svg = draw_svg(_drawing([0, 1], [(0, 1)]))
    root = ElementTree.fromstring(svg)
    assert [child.tag for child in root][:2] == [f"{_SVG}title", f"{_SVG}desc"]
    assert not re.search(r"<script|href|url\(|@import|<image", svg)
    assert "prefers-color-scheme:dark" in svg


def test_numbers_have_at_most_one_decimal() -> None:
    svg = draw_svg(
        _drawing([0, 1, 1, 1, 2, 2], [(0, 1), (0, 2), (0, 3), (1, 4), (0, 5), (5, 0)])
    )
    body = svg[svg.index("</style>") :]
    assert not re.search(r"[\d]\.\d\d", body)


@given(text=st.text(max_size=200), limit=st.floats(1, 40))
def test_cut_label_fits(text: str, limit: float) -> None:
    shown = cut(text, limit, ems)
    assert ems(shown) <= limit
    assert shown == text or "…" in shown


def test_folder_is_cut_before_the_anchor() -> None:
    assert (
        cut_place("#Plan.choose", "src/cuedeck/scene", 13.0, ems)
        == "#Plan.choose · …/scene"
    )


def test_style_of_documents_arrows_is_included_only_if_used() -> None:
    boxes = (
        Box("a.md", "doc", -1, 0, "plain", ""),
        Box("b.py", "source", -1, 0, "plain", ""),
    )
    with_, without = (
        draw_svg(Drawing("", boxes, (Arrow("a.md", "b.py", edge),), 0, 0, ()))
        for edge in ("documents", "refs")
    )
    assert ".edge-documents .line{stroke-dasharray" in with_
    assert ">documents</text>" in with_
    assert "edge-documents" not in without
