"""Legend and budget bar of the SVG picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from cuedeck.graph.draw.box_label import clean, ems
from cuedeck.graph.draw.glyphs import mark
from cuedeck.graph.draw.layout import Layout
from cuedeck.graph.draw.palette import ALL_INKS, INKS, ink
from cuedeck.graph.draw.svg_style import edge_class, kind_class
from cuedeck.model.diagram import Drawing

_ROW = 24.0
_LETTER = 11.0
_BAR = 10.0


def budget_bar(
    drawing: Drawing, x: float, y: float, width: float
) -> tuple[list[str], float]:
    """Return the bar of used and free tokens, divided by kind, and its height.

    Order: kinds as in the palette, followed by tokens outside of nodes (headings,
    notices, footer) in grey.
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
    left = x
    for kind, tokens in _parts(drawing, used):
        part = width * tokens / max(drawing.budget, used)
        style = "mark" if kind else "rest"
        name = ink(kind).plural if kind else "headings and notices"
        lines.append(
            f'<g class="bar {kind_class(kind)}"><title>{name}: {tokens:,} tokens</title>'
            f'<rect class="{style}" x="{left:.1f}" y="{y + 10:.1f}" width="{part:.1f}" height="{_BAR:.1f}"/></g>'
        )
        left += part
    return lines, 52.0


def legend(
    drawing: Drawing, layout: Layout, x: float, y: float, width: float
) -> tuple[list[str], float]:
    """Return the legend for the marks in the picture, wrapped to `width`, and its
    height.
    """
    lines: list[str] = []
    left = x
    row = y
    for glyph, glyph_width, words in _entries(drawing, layout):
        text_offset = glyph_width + 8
        entry_width = text_offset + ems(words) * _LETTER
        if left > x and left + entry_width > x + width:
            left = x
            row += _ROW
        lines.append(f'<g transform="translate({left:.1f} {row - 4:.1f})">{glyph}</g>')
        lines.append(
            f'<text class="small" x="{left + text_offset:.1f}" y="{row:.1f}">{escape(words)}</text>'
        )
        left += entry_width + 22
    height = 0.0
    if lines:
        height = row - y + _ROW
    return lines, height


def _parts(drawing: Drawing, used: int) -> Iterator[tuple[str, int]]:
    """Yield the kinds with their tokens, then the tokens outside of nodes under an
    empty name.
    """
    sums = dict.fromkeys(ALL_INKS, 0)
    for box in drawing.boxes:
        if box.state in ("shown", "related"):
            kind = "other"
            if box.kind in INKS:
                kind = box.kind
            sums[kind] += max(0, box.tokens)
    total = sum(sums.values())
    for kind, tokens in sums.items():
        if not tokens:
            continue
        if total > used:
            # The sum over nodes can exceed the file total if a caller rounds; scaling
            # keeps the bar within the used tokens.
            yield kind, tokens * used // total
        else:
            yield kind, tokens
    if total < used:
        yield "", used - total


def _entries(drawing: Drawing, layout: Layout) -> Iterator[tuple[str, float, str]]:
    """Yield (glyph, width of the glyph, text) of each entry."""
    boxes = [drawing.boxes[place.box] for place in layout.places]
    kinds = {kind_class(box.kind) for box in boxes}
    for kind, colours in ALL_INKS.items():
        style = kind_class(kind)
        if style in kinds:
            yield (
                f'<g class="{style}">{mark(kind, 5.5, 6, 0)}</g>',
                12.0,
                colours.plural,
            )
    if any(box.state == "left-out" for box in boxes):
        yield _LEFT_OUT, 22.0, "left out"
    for style, words in _edge_names(layout).items():
        yield f'<g class="{style}">{_ARROW}</g>', 28.0, words
    if any(course.cyclic for course in layout.courses):
        yield f'<g class="cyclic">{_ARROW}</g>', 28.0, "in a cycle"
    if any(box.tokens > 0 for box in boxes):
        sizes = mark("doc", 2.5, 3, 0) + mark("doc", 4, 13, 0) + mark("doc", 6, 26, 0)
        yield f'<g class="kind-other">{sizes}</g>', 32.0, "area = tokens"


def _edge_names(layout: Layout) -> dict[str, str]:
    """Return the name of the first edge of each CSS class."""
    names: dict[str, str] = {}
    for course in layout.courses:
        edge = course.bundle.edges[0]
        style = edge_class(edge)
        name = "other link"
        if style != "edge-other":
            name = clean(edge)
        names.setdefault(style, name)
    return names


_LEFT_OUT = '<g class="left-out"><rect class="plate" x="0" y="-6" width="22" height="12" rx="3"/></g>'
_ARROW = '<path class="line" d="M0 0H22"/><path class="tip" d="M21 -4L28 0L21 4Z"/>'
