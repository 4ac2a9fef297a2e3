"""Self-contained SVG picture of a drawing for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from cuedeck.graph.draw.box_label import box_note, clean, cut, cut_place, ems, label
from cuedeck.graph.draw.glyphs import mark, radius
from cuedeck.graph.draw.layout import (
    CARD_HEIGHT,
    CARD_WIDTH,
    GAP_X,
    Course,
    Layout,
    Place,
    Point,
    arrange,
)
from cuedeck.graph.draw.legend import budget_bar, legend
from cuedeck.graph.draw.svg_style import edge_class, kind_class, style_sheet
from cuedeck.model.diagram import Box, Drawing
from cuedeck.model.formatting import counted

_MARGIN = 40.0
_TOP = 140.0
_LEAST_WIDTH = 640.0
_MARK = 30.0
"""Distance of the centre of a mark from the left edge of its card."""
_TEXT = 58.0
_TEXT_WIDTH = CARD_WIDTH - _TEXT - 10
_NAME, _SMALL = 13.5, 11.0
_GIANT = 10
_FEW = 40


def draw_svg(drawing: Drawing) -> str:
    """Return an SVG picture: columns of boxes with area by tokens, typed arrows, legend
    and budget bar.

    Units: user units, which equal CSS pixels at natural size; coordinates have one
    decimal.
    """
    layout = arrange(drawing)
    width = max(_LEAST_WIDTH, layout.width + 2 * _MARGIN)
    inner = width - 2 * _MARGIN
    below = _TOP
    if layout.places:
        below += layout.height + 58
    bar, bar_height = budget_bar(drawing, _MARGIN, below, inner)
    key, key_height = legend(drawing, layout, _MARGIN, below + bar_height, inner)
    height = below + bar_height + key_height + 14
    lines = [
        *_opening(drawing, layout, width, height),
        f'<g transform="translate({(width - layout.width) / 2:.1f} {_TOP:.1f})">',
        *_bands(layout),
        *_arrows(layout.courses),
        *_cards(drawing, layout.places),
        "</g>",
        *bar,
        *key,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _opening(
    drawing: Drawing, layout: Layout, width: float, height: float
) -> Iterator[str]:
    title = clean(drawing.title) or "Reference graph"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cuedeck" role="img" '
        f'width="{width:.1f}" height="{height:.1f}" viewBox="0 0 {width:.1f} {height:.1f}">'
    )
    yield f"<title>{escape(title)}</title>"
    yield f"<desc>{escape(_description(drawing))}</desc>"
    yield f"<style>{style_sheet({arrow.edge for arrow in drawing.arrows})}</style>"
    yield f'<rect class="page" x="0.5" y="0.5" width="{width - 1:.1f}" height="{height - 1:.1f}" rx="12"/>'
    shown = cut(title, (width - 2 * _MARGIN) / 19, ems)
    summary = _summary(drawing, layout.hidden)
    yield f'<text class="title" x="{_MARGIN:.1f}" y="48">{escape(shown)}</text>'
    yield f'<text class="small" x="{_MARGIN:.1f}" y="70">{escape(summary)}</text>'


def _description(drawing: Drawing) -> str:
    listed = "; ".join(
        f"{clean(box.address)} ({_facts(box)})" for box in drawing.boxes[:40]
    )
    return f"{_summary(drawing, 0)}. {listed}".strip()


def _facts(box: Box) -> str:
    facts = [clean(box.kind)]
    if box.depth >= 0:
        facts.append(f"depth {box.depth}")
    note = box_note(box)
    if note:
        facts.append(note)
    return ", ".join(facts)


def _summary(drawing: Drawing, hidden: int) -> str:
    parts = [
        counted(len(drawing.boxes), "node"),
        counted(len(drawing.arrows), "link"),
    ]
    if drawing.cycles:
        parts.append(counted(len(drawing.cycles), "cycle"))
    left_out = sum(box.state == "left-out" for box in drawing.boxes)
    if left_out:
        parts.append(f"{left_out} left out")
    if hidden:
        parts.append(f"… and {hidden:,} more not drawn")
    return "  ·  ".join(parts)


def _bands(layout: Layout) -> Iterator[str]:
    height = layout.height + 64
    for left, right, words in layout.headings:
        width = right - left + 32
        yield (
            f'<rect class="band" x="{left - 16:.1f}" y="-46" width="{width:.1f}" height="{height:.1f}" rx="12"/>'
        )
        yield f'<text class="head" x="{left:.1f}" y="-22">{words}</text>'
    if not layout.places:
        yield '<text class="small" x="0" y="-26" text-anchor="middle">nothing to draw</text>'


def _arrows(courses: tuple[Course, ...]) -> Iterator[str]:
    for course in sorted(courses, key=lambda course: course.cyclic):
        x, y = course.end
        back = x - 7 * course.heading
        classes = edge_class(course.bundle.edges[0])
        if course.cyclic:
            classes += " cyclic"
        names = escape(clean(", ".join(course.bundle.edges)))
        yield (
            f'<g class="edge {classes}"><title>{names}</title><path class="line" d="{course.path}"/>'
            f'<path class="tip" d="M{back:.1f} {y - 4:.1f}L{x:.1f} {y:.1f}L{back:.1f} {y + 4:.1f}Z"/></g>'
        )
    if len(courses) <= _FEW:
        yield from _edge_labels(courses)


def _edge_labels(courses: tuple[Course, ...]) -> Iterator[str]:
    """Yield labels of edges other than refs at the arrow ends, one per end point, above
    all lines.
    """
    names: dict[Point, dict[str, None]] = {}
    for course in courses:
        if course.heading > 0:
            names.setdefault(course.end, {}).update(dict.fromkeys(course.bundle.edges))
    for (x, y), edges in names.items():
        names_shown = ", ".join(edge for edge in edges if edge != "refs")
        words = cut(clean(names_shown), (GAP_X - 16) / 10, ems)
        if words:
            yield f'<text class="label" x="{x - 11:.1f}" y="{y - 6:.1f}">{escape(words)}</text>'


def _cards(drawing: Drawing, places: tuple[Place, ...]) -> Iterator[str]:
    most = _reference(drawing)
    for place in places:
        box = drawing.boxes[place.box]
        classes = f"card {kind_class(box.kind)} {box.state}"
        size = radius(box.tokens, most)
        yield f'<g class="{classes}" transform="translate({place.x:.1f} {place.y:.1f})">'
        yield f"<title>{escape(clean(box.address))}\n{escape(_facts(box))}</title>"
        yield f'<rect class="plate" width="{CARD_WIDTH:.1f}" height="{CARD_HEIGHT:.1f}" rx="10"/>'
        yield mark(box.kind, size, _MARK, CARD_HEIGHT / 2)
        yield from _lines(box)
        yield "</g>"


def _reference(drawing: Drawing) -> int:
    """Return the tokens of a full-size mark: the maximum, capped so that a few huge
    boxes do not shrink the others.
    """
    sizes = sorted(box.tokens for box in drawing.boxes if box.tokens > 0)
    if not sizes:
        return 0
    median = sizes[len(sizes) // 2]
    return min(sizes[-1], _GIANT * median)


def _lines(box: Box) -> Iterator[str]:
    """Yield the lines of text on a card, centred vertically."""
    name, anchor, folder, note = label(box)
    place = cut_place(anchor, folder, _TEXT_WIDTH / _SMALL, ems)
    lines = [
        ("name", name, _NAME * 1.06),
        ("small", place, _SMALL),
        ("small", note, _SMALL),
    ]
    shown = [line for line in lines if line[1]]
    first = CARD_HEIGHT / 2 + 4.5 - 8.0 * (len(shown) - 1)
    for row, (style, text, size) in enumerate(shown):
        y = first + 16 * row
        words = cut(text, _TEXT_WIDTH / size, ems)
        yield f'<text class="{style}" x="{_TEXT:.1f}" y="{y:.1f}">{escape(words)}</text>'
