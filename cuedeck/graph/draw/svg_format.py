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
from cuedeck.model.display import counted

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
    """Return an SVG picture: columns of boxes with area by tokens, typed arrows, legend and budget bar.

    Units: user units, which equal CSS pixels at natural size; coordinates have one decimal.
    """
    layout = arrange(drawing)
    width = max(_LEAST_WIDTH, layout.width + 2 * _MARGIN)
    inner = width - 2 * _MARGIN
    below = _TOP + (layout.height + 58 if layout.places else 0)
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


def _opening(drawing: Drawing, layout: Layout, width: float, height: float) -> Iterator[str]:
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
    yield f'<text class="title" x="{_MARGIN:.1f}" y="48">{escape(shown)}</text>'
    yield f'<text class="small" x="{_MARGIN:.1f}" y="70">{escape(_summary(drawing, layout.hidden))}</text>'


def _description(drawing: Drawing) -> str:
    listed = "; ".join(f"{clean(box.address)} ({', '.join(_facts(box))})" for box in drawing.boxes[:40])
    return f"{_summary(drawing, 0)}. {listed}".strip()


def _facts(box: Box) -> list[str]:
    return [clean(box.kind), *([f"depth {box.depth}"] if box.depth >= 0 else []), *filter(None, [box_note(box)])]


def _summary(drawing: Drawing, hidden: int) -> str:
    left_out = sum(box.state == "left-out" for box in drawing.boxes)
    parts = [
        counted(len(drawing.boxes), "node"),
        counted(len(drawing.arrows), "link"),
        counted(len(drawing.cycles), "cycle") if drawing.cycles else "",
        f"{left_out} left out" if left_out else "",
        f"… and {hidden:,} more not drawn" if hidden else "",
    ]
    return "  ·  ".join(part for part in parts if part)


def _bands(layout: Layout) -> Iterator[str]:
    for left, right, words in layout.headings:
        yield (
            f'<rect class="band" x="{left - 16:.1f}" y="-46" width="{right - left + 32:.1f}" '
            f'height="{layout.height + 64:.1f}" rx="12"/>'
        )
        yield f'<text class="head" x="{left:.1f}" y="-22">{words}</text>'
    if not layout.places:
        yield '<text class="small" x="0" y="-26" text-anchor="middle">nothing to draw</text>'


def _arrows(courses: tuple[Course, ...]) -> Iterator[str]:
    for course in sorted(courses, key=lambda course: course.cyclic):
        x, y = course.end
        back = x - 7 * course.heading
        classes = edge_class(course.bundle.edges[0]) + (" cyclic" if course.cyclic else "")
        names = escape(clean(", ".join(course.bundle.edges)))
        yield (
            f'<g class="edge {classes}"><title>{names}</title><path class="line" d="{course.path}"/>'
            f'<path class="tip" d="M{back:.1f} {y - 4:.1f}L{x:.1f} {y:.1f}L{back:.1f} {y + 4:.1f}Z"/></g>'
        )
    if len(courses) <= _FEW:
        yield from _edge_labels(courses)


def _edge_labels(courses: tuple[Course, ...]) -> Iterator[str]:
    """Yield labels of edges other than refs at the arrow ends, one per end point, above all lines."""
    names: dict[Point, dict[str, None]] = {}
    for course in courses:
        if course.heading > 0:
            names.setdefault(course.end, {}).update(dict.fromkeys(course.bundle.edges))
    for (x, y), edges in names.items():
        words = cut(clean(", ".join(edge for edge in edges if edge != "refs")), (GAP_X - 16) / 10, ems)
        if words:
            yield f'<text class="label" x="{x - 11:.1f}" y="{y - 6:.1f}">{escape(words)}</text>'


def _cards(drawing: Drawing, places: tuple[Place, ...]) -> Iterator[str]:
    most = _reference(drawing)
    for place in places:
        box = drawing.boxes[place.box]
        words = label(box)
        lines = [
            ("name", words.name, _NAME * 1.06),
            ("small", cut_place(words.anchor, words.folder, _TEXT_WIDTH / _SMALL, ems), _SMALL),
            ("small", words.note, _SMALL),
        ]
        yield (
            f'<g class="card {kind_class(box.kind)} {box.state}" transform="translate({place.x:.1f} {place.y:.1f})">'
        )
        yield f"<title>{escape(clean(box.address))}\n{escape(', '.join(_facts(box)))}</title>"
        yield f'<rect class="plate" width="{CARD_WIDTH:.1f}" height="{CARD_HEIGHT:.1f}" rx="10"/>'
        yield mark(box.kind, radius(box.tokens, most), _MARK, CARD_HEIGHT / 2)
        yield from _lines([(style, text, size) for style, text, size in lines if text])
        yield "</g>"


def _reference(drawing: Drawing) -> int:
    """Return the tokens of a full-size mark: the maximum, capped so that a few huge boxes do not shrink the others."""
    sizes = sorted(box.tokens for box in drawing.boxes if box.tokens > 0)
    return min(sizes[-1], _GIANT * sizes[len(sizes) // 2]) if sizes else 0


def _lines(lines: list[tuple[str, str, float]]) -> Iterator[str]:
    first = CARD_HEIGHT / 2 + 4.5 - 8.0 * (len(lines) - 1)
    for n, (style, text, size) in enumerate(lines):
        shown = escape(cut(text, _TEXT_WIDTH / size, ems))
        yield f'<text class="{style}" x="{_TEXT:.1f}" y="{first + 16 * n:.1f}">{shown}</text>'
