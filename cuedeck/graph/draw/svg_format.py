"""Self-contained SVG picture of a drawing for light and dark pages: columns of cards,
and arrows behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from cuedeck.graph.draw.drawing_parts import (
    INKS,
    MOST,
    box_note,
    bundles,
    clean,
    cut,
    cycle_pairs,
    ink_kind,
)
from cuedeck.model.address import split_anchor
from cuedeck.model.diagram import Drawing
from cuedeck.model.formatting import counted

_WIDTH, _HEIGHT = 232, 64
"""Size of a card."""
_GAP_X, _GAP_Y = 84, 18
_BEND = 42
"""Distance of the control points of an arrow from its ends."""
_MARGIN, _TOP, _LEAST_WIDTH = 40, 132, 640
_ROWS = 14
"""Cards of a column; more make a further column."""
_TITLE, _NAME, _TEXT = 60, 26, 34
"""Columns of text in the title, in the name on a card, and on its other lines."""
# Every selector begins with the class of the picture, so that inlining it does not
# affect the classes of a page.
_STYLE = """\
.cuedeck .page,.cuedeck .plate{{fill:{page};stroke:{line};stroke-width:1.8}}
.cuedeck .left-out .plate,.cuedeck .dead .plate{{stroke-dasharray:5 4;opacity:.75}}
.cuedeck text{{font:11px system-ui,sans-serif;fill:{line}}}
.cuedeck .title{{font-size:19px;font-weight:600;fill:{text}}}
.cuedeck .name{{font-size:13px;font-weight:600;fill:{text}}}
.cuedeck .line{{fill:none;stroke:{line};stroke-width:1.4}}
.cuedeck .derived .line{{stroke-dasharray:5 4}}
.cuedeck .tip{{fill:{line}}}
.cuedeck .cyclic .line{{stroke:#cc4a1a}}
"""
_LIGHT = _STYLE.format(
    page="#fff",
    line="#57606a",
    text="#1c2127",
)
_DARK = _STYLE.format(
    page="#0f141a",
    line="#a3adb8",
    text="#eef2f6",
)

_Place = tuple[int, int]
"""Top left corner of a card."""


def draw_svg(drawing: Drawing) -> str:
    """Return an SVG picture; a walk has a column for each depth, any other drawing one
    for each kind.

    Of more than `MOST` boxes the first ones are drawn.
    """
    columns = _columns(drawing)
    places: dict[int, _Place] = {}
    x = _MARGIN
    headings = []
    for heading, boxes in columns:
        headings.append(_text("head", x, _TOP - 14, heading))
        for row, i in enumerate(boxes):
            places[i] = (x, _TOP + row * (_HEIGHT + _GAP_Y))
        x += _WIDTH + _GAP_X
    width = max(_LEAST_WIDTH, x - _GAP_X + _MARGIN)
    rows = max((len(boxes) for _, boxes in columns), default=0)
    height = _TOP + rows * (_HEIGHT + _GAP_Y) + _MARGIN
    title = clean(drawing.title) or "Reference graph"
    parts = [counted(len(drawing.boxes), "node")]
    parts.append(counted(len(drawing.arrows), "link"))
    if drawing.cycles:
        parts.append(counted(len(drawing.cycles), "cycle"))
    if drawing.budget:
        parts.append(f"{drawing.tokens:,} of {drawing.budget:,} tokens used")
    if len(drawing.boxes) > MOST:
        parts.append(f"… and {len(drawing.boxes) - MOST:,} more not drawn")
    summary = "  ·  ".join(parts)
    size = f'width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cuedeck" {size} viewBox="0 0 {width} {height}">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(summary)}</desc>",
        f"<style>{_style_sheet()}</style>",
        f'<rect class="page" {size} rx="12"/>',
        _text("title", _MARGIN, 48, cut(title, _TITLE)),
        _text("summary", _MARGIN, 70, summary),
        *headings,
        *_arrows(drawing, places),
        *_cards(drawing, places),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _style_sheet() -> str:
    light = _LIGHT
    dark = _DARK
    for kind, ink in INKS.items():
        light += f".cuedeck .kind-{kind} .plate{{stroke:{ink.strong}}}\n"
        dark += f".cuedeck .kind-{kind} .plate{{stroke:{ink.pale}}}\n"
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _columns(drawing: Drawing) -> list[tuple[str, Sequence[int]]]:
    """Return the heading and the boxes of each column, as indexes."""
    drawn = list(enumerate(drawing.boxes[:MOST]))
    groups: dict[str, list[int]] = {}
    if any(box.depth >= 0 for box in drawing.boxes):
        # Boxes that the walk did not reach come last.
        for i, box in sorted(drawn, key=lambda each: each[1].depth % (MOST + 1)):
            name = f"depth {box.depth}" if box.depth > 0 else "root"
            groups.setdefault(name if box.depth >= 0 else "related", []).append(i)
    else:
        for kind, ink in INKS.items():
            groups[ink.plural] = [i for i, box in drawn if ink_kind(box.kind) == kind]
    return [
        (heading, boxes[start : start + _ROWS])
        for heading, boxes in groups.items()
        for start in range(0, len(boxes), _ROWS)
    ]


def _arrows(drawing: Drawing, places: Mapping[int, _Place]) -> Iterator[str]:
    cyclic = cycle_pairs(drawing)
    for source, target, edges in bundles(drawing):
        if source not in places or target not in places:
            continue
        classes = "arrow" if "refs" in edges else "arrow derived"
        if (source, target) in cyclic:
            classes += " cyclic"
        x, y = places[source]
        end_x, end_y = places[target]
        x += _WIDTH
        y += _HEIGHT // 2
        end_y += _HEIGHT // 2
        # An arrow arrives on the left of a later column, else on the right, lower.
        side = -1
        if end_x < x:
            side = 1
            end_x += _WIDTH
            end_y += 13
        path = (
            f"M{x} {y}C{x + _BEND} {y} {end_x + side * _BEND} {end_y} {end_x} {end_y}"
        )
        back = end_x + side * 7
        yield f'<g class="{classes}"><title>{escape(clean(", ".join(edges)))}</title>'
        yield f'<path class="line" d="{path}"/>'
        tip = f"M{end_x} {end_y}L{back} {end_y - 4}L{back} {end_y + 4}Z"
        yield f'<path class="tip" d="{tip}"/>'
        yield "</g>"


def _cards(drawing: Drawing, places: Mapping[int, _Place]) -> Iterator[str]:
    for i, (x, y) in places.items():
        box = drawing.boxes[i]
        address = clean(box.address)
        name, place = _names(address, clean(box.title))
        yield f'<g class="card kind-{ink_kind(box.kind)} {box.state}">'
        yield f"<title>{escape(address)}\n{escape(clean(box.kind))}</title>"
        yield f'<rect class="plate" x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="10"/>'
        yield _text("name", x + 14, y + 22, cut(name, _NAME))
        yield _text("place", x + 14, y + 39, cut(place, _TEXT))
        yield _text(
            "note",
            x + 14,
            y + 54,
            cut(box_note(box), _TEXT),
        )
        yield "</g>"


def _names(address: str, title: str) -> tuple[str, str]:
    """Return the name on a card, and the line below it."""
    if title:
        return title, address
    path, anchor = split_anchor(address)
    folder, _, name = path.rstrip("/").rpartition("/")
    below = [f"#{anchor}" if anchor else "", folder]
    return name or path, " · ".join(filter(None, below))


def _text(style: str, x: int, y: int, words: str) -> str:
    return f'<text class="{style}" x="{x}" y="{y}">{escape(words)}</text>'
