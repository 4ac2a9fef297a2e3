"""Layout of the SVG picture: columns, positions of boxes and paths of arrows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.graph.draw.layers import Bundle, Bundles, bundles, cycle_pairs, layers
from cuedeck.graph.draw.palette import ALL_INKS, ink
from cuedeck.model.diagram import Drawing

CARD_WIDTH = 232.0
CARD_HEIGHT = 64.0
GAP_X = 84.0
GAP_Y = 18.0
MOST = 80
"""Maximum number of boxes drawn; larger pictures are unreadable."""
_ROWS = 14
_PORT = 13.0
_BULGE = 40.0
_CROWD = 9.0
"""Penalty per arrow already in a gap, as extra distance, so that the next arrow prefers
a freer gap.
"""
_LANES = (0.0, -4.0, 4.0, -7.0, 7.0)

_Columns = list[list[int]]
_Group = tuple[str, _Columns]


class Point(NamedTuple):
    """A point of the picture."""

    x: float
    y: float


class Place(NamedTuple):
    """Position of one box: its column and the top left corner of its card."""

    box: int
    column: int
    x: float
    y: float


class Heading(NamedTuple):
    """Heading of a run of columns."""

    left: float
    right: float
    words: str


class Course(NamedTuple):
    """One arrow in the picture."""

    bundle: Bundle
    path: str
    """SVG path data of the line, which ends horizontally."""
    end: Point
    heading: int
    """1 if the arrow ends rightwards, -1 if leftwards."""
    cyclic: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """A complete layout; the top left corner is (0, 0)."""

    headings: tuple[Heading, ...]
    places: tuple[Place, ...]
    courses: tuple[Course, ...]
    width: float
    height: float
    hidden: int
    """Number of boxes without a position."""


def arrange(drawing: Drawing) -> Layout:
    """Arrange a walk by depth and any other graph by kind, in columns from left to
    right.

    Order: that of the boxes within a depth; within a kind, boxes are sorted to be near
    the boxes that point at them.
    """
    drawn = _drawn(drawing)
    is_walk = any(box.depth >= 0 for box in drawing.boxes)
    groups = _by_depth(drawing, drawn) if is_walk else _by_kind(drawing, drawn)
    columns: _Columns = []
    headings: list[Heading] = []
    for words, members in groups:
        left = _left(len(columns))
        columns += members
        right = _left(len(columns) - 1) + CARD_WIDTH
        headings.append(Heading(left, right, words))
    height = max(map(_column_height, columns), default=0.0)
    width = 0.0
    if columns:
        width = _left(len(columns)) - GAP_X
    places = _places(columns, height)
    courses = _courses(drawing, places)
    hidden = len(drawing.boxes) - len(drawn)
    return Layout(
        headings=tuple(headings),
        places=places,
        courses=courses,
        width=width,
        height=height,
        hidden=hidden,
    )


def _drawn(drawing: Drawing) -> list[int]:
    """Return the boxes to draw; of too many boxes, the first of a walk, or those with
    the most arrows.
    """
    boxes = list(range(len(drawing.boxes)))
    if len(boxes) <= MOST:
        return boxes
    if any(box.depth >= 0 for box in drawing.boxes):
        return boxes[:MOST]
    degree = [0] * len(boxes)
    for bundle in bundles(drawing):
        degree[bundle.source] += 1
        degree[bundle.target] += 1
    boxes.sort(key=lambda i: -degree[i])
    return sorted(boxes[:MOST])


def _by_depth(drawing: Drawing, drawn: list[int]) -> list[_Group]:
    depths: dict[int, int] = {}
    related: list[int] = []
    for i in drawn:
        box = drawing.boxes[i]
        if box.state == "related":
            related.append(i)
        else:
            depths[i] = box.depth
    _infer_depths(depths, bundles(drawing))
    last = max(depths.values())
    columns: dict[int, list[int]] = {}
    for i, depth in depths.items():
        column = depth if depth >= 0 else last + 1
        columns.setdefault(column, []).append(i)
    groups: list[_Group] = []
    for depth, members in sorted(columns.items()):
        words = f"depth {depth}" if depth else "root"
        groups.append((words, _pieces(members)))
    if related:
        groups.append(("related", _pieces(related)))
    return groups


def _infer_depths(depths: dict[int, int], joined: Bundles) -> None:
    """Place a target without a depth one column after the box that points at it."""
    for source, target, _ in joined:
        above = depths.get(source, -1)
        if above >= 0 and depths.get(target, 0) < 0:
            depths[target] = above + 1


def _by_kind(drawing: Drawing, drawn: list[int]) -> list[_Group]:
    joined = bundles(drawing)
    rank: dict[int, float] = {}
    groups: list[_Group] = []
    for colours in ALL_INKS.values():
        members = []
        for i in drawn:
            if ink(drawing.boxes[i].kind) == colours:
                members.append(i)
        if not members:
            continue
        settled = []
        for column in _pieces(_by_level(members, joined)):
            settled.append(_settled(column, joined, rank))
        groups.append((colours.plural, settled))
    return groups


def _by_level(members: list[int], joined: Bundles) -> list[int]:
    """Sort boxes of one kind by the longest path of arrows between them."""
    position = {i: n for n, i in enumerate(members)}
    inner = []
    for source, target, _ in joined:
        if source in position and target in position:
            inner.append((position[source], position[target]))
    levels = layers(len(members), inner)
    return sorted(members, key=lambda i: (levels[position[i]], i))


def _settled(column: list[int], joined: Bundles, rank: dict[int, float]) -> list[int]:
    """Sort boxes by the mean rank of their placed neighbours and record their own
    ranks.
    """
    near: dict[int, list[float]] = {i: [] for i in column}
    for source, target, _ in joined:
        if source in near and target in rank:
            near[source].append(rank[target])
        if target in near and source in rank:
            near[target].append(rank[source])
    wish: dict[int, float] = {}
    for n, i in enumerate(column):
        if near[i]:
            wish[i] = sum(near[i]) / len(near[i])
        else:
            wish[i] = n / len(column)
    settled = sorted(column, key=lambda i: (wish[i], i))
    for n, i in enumerate(settled):
        rank[i] = n / len(settled)
    return settled


def _pieces(column: list[int]) -> _Columns:
    """Split a column that is too long into columns of nearly equal length."""
    count = -(-len(column) // _ROWS)
    size = -(-len(column) // count)
    pieces = []
    for start in range(0, len(column), size):
        pieces.append(column[start : start + size])
    return pieces


def _left(column: int) -> float:
    return column * (CARD_WIDTH + GAP_X)


def _column_height(column: list[int]) -> float:
    return len(column) * (CARD_HEIGHT + GAP_Y) - GAP_Y


def _places(columns: _Columns, height: float) -> tuple[Place, ...]:
    places = []
    for column, boxes in enumerate(columns):
        x = _left(column)
        top = (height - _column_height(boxes)) / 2
        for row, box in enumerate(boxes):
            y = top + row * (CARD_HEIGHT + GAP_Y)
            places.append(Place(box, column, x, y))
    return tuple(places)


def _courses(drawing: Drawing, places: tuple[Place, ...]) -> tuple[Course, ...]:
    where = {place.box: place for place in places}
    cyclic = cycle_pairs(drawing)
    lanes = _Lanes(places)
    courses = []
    for bundle in bundles(drawing):
        source = where.get(bundle.source)
        target = where.get(bundle.target)
        if source is None or target is None:
            continue
        if source.column == target.column:
            path, end = _same_column(source, target)
        else:
            path, end = _across(source, target, lanes)
        course = Course(
            bundle=bundle,
            path=path,
            end=end,
            heading=1 if source.column < target.column else -1,
            cyclic=(bundle.source, bundle.target) in cyclic,
        )
        courses.append(course)
    return tuple(courses)


class _Lanes:
    """The horizontal gaps between the cards of each column, and how many arrows use
    each.
    """

    def __init__(self, places: tuple[Place, ...]) -> None:
        self._gaps: dict[int, list[float]] = {}
        self._used: Counter[tuple[int, float]] = Counter()
        for place in places:
            gaps = self._gaps.setdefault(place.column, [place.y - GAP_Y / 2])
            gaps.append(place.y + CARD_HEIGHT + GAP_Y / 2)

    def take(self, column: int, wish: float) -> float:
        """Return the height at which an arrow crosses a column: in a gap near `wish`
        that few arrows use.
        """
        gaps = self._gaps[column]
        if not gaps[0] < wish < gaps[-1]:
            gaps = [*gaps, wish]

        def detour(y: float) -> tuple[float, float]:
            crowding = _CROWD * self._used[column, y]
            return abs(y - wish) + crowding, y

        gap = min(gaps, key=detour)
        lane = self._used[column, gap] % len(_LANES)
        self._used[column, gap] += 1
        return gap + _LANES[lane]


def _across(source: Place, target: Place, lanes: _Lanes) -> tuple[str, Point]:
    """Return the path of an arrow between two columns, and its end."""
    leave, arrive = _ports(source, target)
    path = [f"M{_xy(leave)}"]
    point = leave
    is_forward = source.column < target.column
    span = abs(target.column - source.column)
    rise = arrive.y - leave.y
    for passed in range(1, span):
        if is_forward:
            column = source.column + passed
            entry_x = _left(column)
            exit_x = entry_x + CARD_WIDTH
        else:
            column = source.column - passed
            exit_x = _left(column)
            entry_x = exit_x + CARD_WIDTH
        straight = leave.y + rise * passed / span
        y = lanes.take(column, straight)
        path.append(_bend(point, Point(entry_x, y)))
        path.append(f"H{exit_x:.1f}")
        point = Point(exit_x, y)
    path.append(_bend(point, arrive))
    return "".join(path), arrive


def _ports(source: Place, target: Place) -> tuple[Point, Point]:
    """Return the points where an arrow leaves one card and arrives at another."""
    leave_y = source.y + CARD_HEIGHT / 2
    arrive_y = target.y + CARD_HEIGHT / 2
    if source.column < target.column:
        leave_x = source.x + CARD_WIDTH
        arrive_x = target.x
    else:
        # Backward arrows use a lower port than forward ones, so that two boxes pointing
        # at each other show two lines.
        leave_x = source.x
        leave_y += _PORT
        arrive_x = target.x + CARD_WIDTH
        arrive_y += _PORT
    return Point(leave_x, leave_y), Point(arrive_x, arrive_y)


def _same_column(source: Place, target: Place) -> tuple[str, Point]:
    """Return the path of an arrow inside a column, and its end: an arc on the right of
    the cards.
    """
    leave = Point(source.x + CARD_WIDTH, source.y + CARD_HEIGHT / 2)
    arrive = Point(target.x + CARD_WIDTH, target.y + CARD_HEIGHT / 2 + _PORT)
    height = abs(arrive.y - leave.y)
    x = leave.x + min(_BULGE, 24 + height / 16)
    arc = _curve(Point(x, leave.y), Point(x, arrive.y), arrive)
    return f"M{_xy(leave)}{arc}", arrive


def _bend(start: Point, end: Point) -> str:
    half = (start.x + end.x) / 2
    return _curve(Point(half, start.y), Point(half, end.y), end)


def _curve(first: Point, second: Point, end: Point) -> str:
    return f"C{_xy(first)} {_xy(second)} {_xy(end)}"


def _xy(point: Point) -> str:
    return f"{point.x:.1f} {point.y:.1f}"
