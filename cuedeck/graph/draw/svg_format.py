"""Self-contained SVG picture of a drawing for light and dark pages: columns of cards,
and arrows behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import NamedTuple

from cuedeck.graph.derived_edges import MOST
from cuedeck.graph.draw.box_label import ALL_INKS, INKS, Ink, box_note, clean, cut
from cuedeck.graph.draw.bundles import bundles, cycle_pairs
from cuedeck.model.address import split_anchor
from cuedeck.model.diagram import Box, Drawing
from cuedeck.model.formatting import counted

_NAMESPACE = "http://www.w3.org/2000/svg"
_WIDTH, _HEIGHT = 232, 64
"""Size of a card."""
_GAP_X, _GAP_Y = 84, 18
_BEND = 42
"""Distance of the control points of an arrow from its ends."""
_MARGIN = 40
_TOP = 132
_LEAST_WIDTH = 640
_ROWS = 14
"""Cards of a column; more make a further column."""
_TITLE, _NAME, _TEXT = 60, 26, 34
"""Columns of text in the title, in the name on a card, and on its other lines."""
_LABELLED = 40
"""Arrows of a picture whose arrows have labels; more labels would cover each other."""
_STYLE = """\
.cuedeck .page,.cuedeck .plate{{fill:{page};stroke:{line}}}
.cuedeck .plate{{stroke-width:1.8}}
.cuedeck .left-out .plate,.cuedeck .dead .plate{{stroke-dasharray:5 4;opacity:.75}}
.cuedeck text{{font:11px system-ui,sans-serif;fill:{pale}}}
.cuedeck .title{{font-size:19px;font-weight:600;fill:{text}}}
.cuedeck .name{{font-size:13px;font-weight:600;fill:{text}}}
.cuedeck .label{{text-anchor:end}}
.cuedeck .line{{fill:none;stroke:{line};stroke-width:1.4}}
.cuedeck .derived .line{{stroke-dasharray:5 4}}
.cuedeck .tip{{fill:{line}}}
.cuedeck .cyclic .line{{stroke:{cycle}}}
"""
# Every selector begins with the class of the picture, so that inlining it does not
# affect the classes of a page.
_LIGHT = {
    "page": "#fff",
    "line": "#98a2ad",
    "pale": "#57606a",
    "text": "#1c2127",
    "cycle": "#cc4a1a",
}
_DARK = {
    "page": "#0f141a",
    "line": "#66717d",
    "pale": "#a3adb8",
    "text": "#eef2f6",
    "cycle": "#f58158",
}


class _Column(NamedTuple):
    heading: str
    boxes: list[int]
    """Indexes into the boxes of the drawing."""


class _Place(NamedTuple):
    """Top left corner of a card."""

    column: int
    x: int
    y: int


def draw_svg(drawing: Drawing) -> str:
    """Return an SVG picture; a walk has a column for each depth, any other drawing one
    for each kind.

    Of more than `MOST` boxes the first ones are drawn.
    """
    columns = _columns(drawing)
    places = _places(columns)
    widest = len(columns) * (_WIDTH + _GAP_X) - _GAP_X
    width = max(_LEAST_WIDTH, widest + 2 * _MARGIN)
    rows = max((len(column.boxes) for column in columns), default=0)
    height = _TOP + rows * (_HEIGHT + _GAP_Y) + _MARGIN
    title = clean(drawing.title) or "Reference graph"
    summary = _summary(drawing)
    size = f'width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="{_NAMESPACE}" class="cuedeck" {size} viewBox="0 0 {width} {height}">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(summary)}</desc>",
        f"<style>{_style_sheet()}</style>",
        f'<rect class="page" {size} rx="12"/>',
        _text("title", _MARGIN, 48, cut(title, _TITLE)),
        _text("summary", _MARGIN, 70, summary),
        *_headings(columns),
        *_arrows(drawing, places),
        *_cards(drawing, places),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _style_sheet() -> str:
    light = _STYLE.format(**_LIGHT)
    dark = _STYLE.format(**_DARK)
    for kind, colours in ALL_INKS.items():
        selector = f".cuedeck .{_kind_class(kind)} .plate"
        light += f"{selector}{{stroke:{colours.strong}}}\n"
        dark += f"{selector}{{stroke:{colours.bright}}}\n"
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _kind_class(kind: str) -> str:
    return f"kind-{kind}" if kind in INKS else "kind-other"


def _columns(drawing: Drawing) -> list[_Column]:
    drawn = list(enumerate(drawing.boxes[:MOST]))
    groups: dict[str, list[int]] = {}
    if any(box.depth >= 0 for box in drawing.boxes):
        for i, box in sorted(drawn, key=lambda each: _depth(each[1])):
            groups.setdefault(_depth_name(box), []).append(i)
    else:
        of_kind: dict[Ink, list[int]] = {ink: [] for ink in ALL_INKS.values()}
        for i, box in drawn:
            of_kind[ALL_INKS.get(box.kind, ALL_INKS["other"])].append(i)
        groups = {ink.plural: boxes for ink, boxes in of_kind.items()}
    columns = []
    for heading, boxes in groups.items():
        for start in range(0, len(boxes), _ROWS):
            columns.append(_Column(heading, boxes[start : start + _ROWS]))
    return columns


def _depth(box: Box) -> int:
    """Return the depth of a box; boxes that the walk did not reach come last."""
    return box.depth if box.depth >= 0 else MOST


def _depth_name(box: Box) -> str:
    if box.depth < 0:
        return "related"
    return f"depth {box.depth}" if box.depth else "root"


def _places(columns: list[_Column]) -> dict[int, _Place]:
    places = {}
    for number, column in enumerate(columns):
        x = _MARGIN + number * (_WIDTH + _GAP_X)
        for row, box in enumerate(column.boxes):
            places[box] = _Place(number, x, _TOP + row * (_HEIGHT + _GAP_Y))
    return places


def _summary(drawing: Drawing) -> str:
    parts = [counted(len(drawing.boxes), "node"), counted(len(drawing.arrows), "link")]
    if drawing.cycles:
        parts.append(counted(len(drawing.cycles), "cycle"))
    left_out = sum(box.state == "left-out" for box in drawing.boxes)
    if left_out:
        parts.append(f"{left_out} left out")
    if drawing.budget:
        parts.append(f"{drawing.tokens:,} of {drawing.budget:,} tokens used")
    if len(drawing.boxes) > MOST:
        parts.append(f"… and {len(drawing.boxes) - MOST:,} more not drawn")
    return "  ·  ".join(parts)


def _headings(columns: list[_Column]) -> Iterator[str]:
    for number, column in enumerate(columns):
        x = _MARGIN + number * (_WIDTH + _GAP_X)
        yield _text("head", x, _TOP - 14, column.heading)
    if not columns:
        yield _text("head", _MARGIN, _TOP, "nothing to draw")


def _arrows(drawing: Drawing, places: Mapping[int, _Place]) -> Iterator[str]:
    cyclic = cycle_pairs(drawing)
    drawn = bundles(drawing)
    for source, target, edges in drawn:
        if source not in places or target not in places:
            continue
        classes = "arrow"
        if "refs" not in edges:
            classes += " derived"
        if (source, target) in cyclic:
            classes += " cyclic"
        path, x, y, back = _course(places[source], places[target])
        names = clean(", ".join(edges))
        yield f'<g class="{classes}"><title>{escape(names)}</title>'
        yield f'<path class="line" d="{path}"/>'
        yield f'<path class="tip" d="M{x} {y}L{x + back} {y - 4}L{x + back} {y + 4}Z"/>'
        if names != "refs" and back < 0 and len(drawn) <= _LABELLED:
            yield _text("label", x - 10, y - 6, cut(names, 12))
        yield "</g>"


def _course(source: _Place, target: _Place) -> tuple[str, int, int, int]:
    """Return the path of an arrow, its end, and the offset from its end to the back of
    its tip.

    Backward arrows use a lower port than forward ones, so that two cards that point at
    each other show two lines.
    """
    start_x, start_y = source.x + _WIDTH, source.y + _HEIGHT // 2
    end_x, end_y = target.x + _WIDTH, target.y + _HEIGHT // 2 + 13
    turn, arrive = start_x + _BEND, end_x + _BEND
    back = 7
    if source.column < target.column:
        end_x, end_y = target.x, end_y - 13
        arrive = end_x - _BEND
        back = -7
    elif source.column > target.column:
        start_x, start_y = source.x, start_y + 13
        turn = start_x - _BEND
    path = f"M{start_x} {start_y}C{turn} {start_y} {arrive} {end_y} {end_x} {end_y}"
    return path, end_x, end_y, back


def _cards(drawing: Drawing, places: Mapping[int, _Place]) -> Iterator[str]:
    for i, (_, x, y) in places.items():
        box = drawing.boxes[i]
        address = clean(box.address)
        yield f'<g class="card {_kind_class(box.kind)} {box.state}">'
        yield f"<title>{escape(address)}\n{escape(clean(box.kind))}</title>"
        yield (
            f'<rect class="plate" x="{x}" y="{y}" width="{_WIDTH}"'
            f' height="{_HEIGHT}" rx="10"/>'
        )
        name, place = _names(address, clean(box.title))
        yield _text("name", x + 14, y + 22, cut(name, _NAME))
        yield _text("place", x + 14, y + 39, cut(place, _TEXT))
        yield _text("note", x + 14, y + 54, cut(box_note(box), _TEXT))
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
