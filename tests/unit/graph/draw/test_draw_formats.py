"""Properties of every format of a drawing, for any addresses."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.graph.draw import FORMATS
from cuedeck.model.diagram import Arrow, Box, Drawing

_TEXT = st.text(min_size=1, max_size=30) | st.text(
    "<>&\"'\\`|#[](){};:%-_*\n\r\t\x00\x1b\u202e", min_size=1, max_size=12
)


@st.composite
def _drawings(draw: st.DrawFn) -> Drawing:
    addresses = draw(st.lists(_TEXT, unique=True, max_size=7))
    walk = draw(st.booleans())
    boxes = tuple(
        Box(
            address,
            draw(
                st.sampled_from(
                    ["card", "doc", "source", "binary", "folder", "dead", "novel"]
                )
            ),
            draw(st.integers(0, 3)) if walk else -1,
            draw(st.integers(0, 10**7)),
            draw(st.sampled_from(["shown", "left-out", "dead", "plain"])),
            draw(st.sampled_from(["", "full", "section", "outline", "line"])),
        )
        for address in addresses
    )
    ends = st.sampled_from(addresses) if addresses else st.just("nowhere")
    edges = st.sampled_from(["refs", "depends_on", "imports"]) | _TEXT
    numbers = st.integers(0, 9)
    arrows = tuple(
        draw(
            st.lists(st.builds(Arrow, ends, ends, edges, numbers, numbers), max_size=12)
        )
    )
    cycles = tuple((a.source, a.target, a.source) for a in arrows[:2])
    return Drawing(
        draw(_TEXT | st.just("")),
        boxes,
        arrows,
        draw(st.sampled_from([0, 16000])),
        500,
        cycles,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@given(drawing=_drawings())
def test_any_drawing_is_clean_text_that_ends_with_one_newline(
    name: str, drawing: Drawing
) -> None:
    text = FORMATS[name](drawing)
    assert text == FORMATS[name](drawing)
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert not re.search("[\x00-\x09\x0b-\x1f]", text)
    text.encode()


@given(drawing=_drawings())
def test_svg_is_well_formed_and_names_every_box(drawing: Drawing) -> None:
    root = ElementTree.fromstring(FORMATS["svg"](drawing))
    cards = [
        g
        for g in root.iter("{http://www.w3.org/2000/svg}g")
        if "card" in g.get("class", "").split()
    ]
    assert len(cards) == len(drawing.boxes)


@given(drawing=_drawings())
def test_json_round_trips_the_drawing(drawing: Drawing) -> None:
    shape = json.loads(FORMATS["json"](drawing))
    assert tuple(Box(**node) for node in shape["nodes"]) == drawing.boxes
    assert tuple(Arrow(**edge) for edge in shape["edges"]) == drawing.arrows
    assert tuple(map(tuple, shape["cycles"])) == drawing.cycles
    assert (shape["schema"], shape["title"], shape["budget"]) == (
        1,
        drawing.title,
        drawing.budget,
    )
    assert "left_out" not in shape


@given(drawing=_drawings())
def test_dot_strings_are_never_broken(drawing: Drawing) -> None:
    lines = FORMATS["dot"](drawing).splitlines()
    quoted = re.compile(r'"(?:[^"\\]|\\.)*"')
    bare = [quoted.sub("Q", line) for line in lines]
    assert not any('"' in line for line in bare)
    assert sum(
        bool(
            re.fullmatch(
                r"  Q \[label=Q, shape=\w+, style=Q, color=Q, fillcolor=Q\]", line
            )
        )
        for line in bare
    ) == len(drawing.boxes)
    assert bare[-1] == "}"


@given(drawing=_drawings())
def test_mermaid_labels_contain_no_syntax(drawing: Drawing) -> None:
    lines = FORMATS["mermaid"](drawing).split("\n")
    start = lines.index("flowchart LR") + 1
    nodes = lines[start : start + len(drawing.boxes)]
    for i, line in enumerate(nodes):
        found = re.fullmatch(
            rf'  n{i}(?:\[\[|\[/|\[|\(|{{{{|>)"([^"]*)"(?:\]\]|/\]|\]|\)|}}}})', line
        )
        assert found
        rest = re.sub(r"#(?:quot|\d+);", "", found.group(1).replace("<br/>", ""))
        assert not re.search(r"[<>&\"'`|#\[\](){};*_%]", rest)


def test_name_that_is_not_utf8_is_rendered() -> None:
    box = Box("docs/\udcff.md", "doc", 0, 1, "shown", "full")
    for name in FORMATS:
        FORMATS[name](Drawing("", (box,), (), 0, 0, ())).encode()
