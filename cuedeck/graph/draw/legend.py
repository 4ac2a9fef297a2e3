"""Legend and budget bar of the SVG picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from cuedeck.graph.draw.box_label import clean, ems
from cuedeck.graph.draw.glyphs import mark
from cuedeck.graph.draw.layout import Layout
from cuedeck.graph.draw.palette import INKS, OTHER, ink
from cuedeck.graph.draw.svg_style import edge_class, kind_class
from cuedeck.model.diagram import Drawing

_ROW = 24.0
_LETTER = 11.0
_BAR = 10.0


def budget_bar(drawing: Drawing, x: float, y: float, width: float) -> tuple[list[str], float]:
    """Return the bar of used and free tokens, divided by kind, and its height.

    Order: kinds as in the palette, followed by tokens outside of nodes (headings, notices, footer) in grey.
    """
    if drawing.budget <= 0:
        return [], 0.0
    used = max(0, drawing.tokens)
    share = round(100 * used / drawing.budget)
    words = f"{used:,} of {drawing.budget:,} tokens used  ·  {share} %"
    lines = [
        f'<text class="small" x="{x:.1f}" y="{y:.1f}">{words}</text>',
        f'<rect class="track" x="{x:.1f}" y="{y + 10:.1f}" width="{width:.1f}" height="{_BAR:.1f}" rx="2"/>',
    ]
    at = x
    for kind, tokens in _parts(drawing, used):
        part = width * tokens / max(drawing.budget, used)
        shape = f'x="{at:.1f}" y="{y + 10:.1f}" width="{part:.1f}" height="{_BAR:.1f}"'
        inner = f'<rect class="mark" {shape}/>' if kind else f'<rect class="rest" {shape}/>'
        name = ink(kind).plural if kind else "headings and notices"
        lines.append(f'<g class="bar {kind_class(kind)}"><title>{name}: {tokens:,} tokens</title>{inner}</g>')
        at += part
    return lines, 52.0


def legend(drawing: Drawing, layout: Layout, x: float, y: float, width: float) -> tuple[list[str], float]:
    """Return the legend for the marks in the picture, wrapped to `width`, and its height."""
    lines: list[str] = []
    left, row = x, y
    for glyph, glyph_width, words in _entries(drawing, layout):
        wide = glyph_width + 8 + ems(words) * _LETTER
        if left > x and left + wide > x + width:
            left, row = x, row + _ROW
        lines.append(f'<g transform="translate({left:.1f} {row - 4:.1f})">{glyph}</g>')
        lines.append(f'<text class="small" x="{left + glyph_width + 8:.1f}" y="{row:.1f}">{escape(words)}</text>')
        left += wide + 22
    return lines, (row - y + _ROW if lines else 0.0)


def _parts(drawing: Drawing, used: int) -> Iterator[tuple[str, int]]:
    sums: dict[str, int] = {}
    for box in drawing.boxes:
        if box.state in ("shown", "related"):
            kind = box.kind if box.kind in INKS else "other"
            sums[kind] = sums.get(kind, 0) + max(0, box.tokens)
    total = sum(sums.values())
    for kind in (*INKS, "other"):
        if sums.get(kind):
            # The sum over nodes can exceed the file total if a caller rounds; scaling keeps the bar within the used
            # tokens.
            yield kind, sums[kind] if total <= used else sums[kind] * used // total
    if total < used:
        yield "", used - total


def _entries(drawing: Drawing, layout: Layout) -> Iterator[tuple[str, float, str]]:
    boxes = [drawing.boxes[place.box] for place in layout.places]
    for kind, colours in [*INKS.items(), ("other", OTHER)]:
        if any(kind_class(box.kind) == kind_class(kind) for box in boxes):
            yield f'<g class="{kind_class(kind)}">{mark(kind, 5.5, 6, 0)}</g>', 12.0, colours.plural
    if any(box.state == "left-out" for box in boxes):
        plate = '<g class="left-out"><rect class="plate" x="0" y="-6" width="22" height="12" rx="3"/></g>'
        yield plate, 22.0, "left out"
    named: dict[str, str] = {}
    for course in layout.courses:
        for edge in course.bundle.edges[:1]:
            named.setdefault(edge_class(edge), clean(edge) if edge_class(edge) != "edge-other" else "other link")
    for style, words in named.items():
        yield f'<g class="{style}">{_ARROW}</g>', 28.0, words
    if any(course.cyclic for course in layout.courses):
        yield f'<g class="cyclic">{_ARROW}</g>', 28.0, "in a cycle"
    if any(box.tokens > 0 for box in boxes):
        sizes = mark("doc", 2.5, 3, 0) + mark("doc", 4, 13, 0) + mark("doc", 6, 26, 0)
        yield f'<g class="kind-other">{sizes}</g>', 32.0, "area = tokens"


_ARROW = '<path class="line" d="M0 0H22"/><path class="tip" d="M21 -4L28 0L21 4Z"/>'
