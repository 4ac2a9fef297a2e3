"""Layout of the SVG picture: columns, positions of boxes and paths of arrows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.graph.draw.layers import Bundle, bundles, cycle_pairs, layers
from cuedeck.graph.draw.palette import INKS, OTHER, ink
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
"""Penalty per arrow already in a gap, as extra distance, so that the next arrow prefers a freer gap."""
_LANES = (0.0, -4.0, 4.0, -7.0, 7.0)

Point = tuple[float, float]
_Group = tuple[str, list[list[int]]]


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
    """Arrange a walk by depth and any other graph by kind, in columns from left to right.

    Order: that of the boxes within a depth; within a kind, boxes are sorted to be near the boxes that point at them.
    """
    kept = _kept(drawing)
    walk = any(box.depth >= 0 for box in drawing.boxes)
    groups = _by_depth(drawing, kept) if walk else _by_kind(drawing, kept)
    columns: list[list[int]] = []
    headings: list[Heading] = []
    for words, members in groups:
        first = len(columns)
        columns += members
        headings.append(Heading(_left(first), _left(len(columns) - 1) + CARD_WIDTH, words))
    tallest = max((len(column) for column in columns), default=0)
    height = max(0.0, tallest * (CARD_HEIGHT + GAP_Y) - GAP_Y)
    places = tuple(
        Place(box, c, _left(c), _top(column, height) + row * (CARD_HEIGHT + GAP_Y))
        for c, column in enumerate(columns)
        for row, box in enumerate(column)
    )
    width = _left(len(columns)) - GAP_X if columns else 0.0
    courses = _courses(drawing, places)
    return Layout(tuple(headings), places, courses, width, height, len(drawing.boxes) - len(kept))


def _kept(drawing: Drawing) -> list[int]:
    boxes = range(len(drawing.boxes))
    if len(drawing.boxes) <= MOST:
        return list(boxes)
    if any(box.depth >= 0 for box in drawing.boxes):
        return list(boxes)[:MOST]
    degree = [0] * len(drawing.boxes)
    for bundle in bundles(drawing):
        degree[bundle.source] += 1
        degree[bundle.target] += 1
    return sorted(sorted(boxes, key=lambda i: (-degree[i], i))[:MOST])


def _by_depth(drawing: Drawing, kept: list[int]) -> list[_Group]:
    related = [i for i in kept if drawing.boxes[i].state == "related"]
    depths = {i: drawing.boxes[i].depth for i in kept if drawing.boxes[i].state != "related"}
    for source, target, _ in bundles(drawing):
        # A target without a depth is placed one column after the box that points at it.
        if target in depths and drawing.boxes[target].depth < 0 and depths[target] < 0 <= depths.get(source, -1):
            depths[target] = depths[source] + 1
    last = max(depths.values())
    groups: dict[int, list[int]] = {}
    for i, depth in depths.items():
        groups.setdefault(depth if depth >= 0 else last + 1, []).append(i)
    walked = [("root" if depth == 0 else f"depth {depth}", _pieces(groups[depth])) for depth in sorted(groups)]
    return [*walked, ("related", _pieces(related))] if related else walked


def _by_kind(drawing: Drawing, kept: list[int]) -> list[_Group]:
    joined = bundles(drawing)
    rank: dict[int, float] = {}
    groups: list[_Group] = []
    for colours in (*INKS.values(), OTHER):
        members = [i for i in kept if ink(drawing.boxes[i].kind) == colours]
        if not members:
            continue
        order = {i: n for n, i in enumerate(members)}
        inner = [(order[a], order[b]) for a, b, _ in joined if a in order and b in order]
        level = layers(len(members), inner)
        members.sort(key=lambda i: (level[order[i]], i))
        groups.append((colours.plural, [_settled(piece, joined, rank) for piece in _pieces(members)]))
    return groups


def _left(column: int) -> float:
    return column * (CARD_WIDTH + GAP_X)


def _settled(part: list[int], joined: tuple[Bundle, ...], rank: dict[int, float]) -> list[int]:
    """Sort boxes by the mean rank of their placed neighbours and record their own ranks."""
    near: dict[int, list[float]] = {i: [] for i in part}
    for source, target, _ in joined:
        for one, other in ((source, target), (target, source)):
            if one in near and other in rank:
                near[one].append(rank[other])
    own = {i: n / len(part) for n, i in enumerate(part)}
    result = sorted(part, key=lambda i: (sum(near[i]) / len(near[i]) if near[i] else own[i], i))
    rank.update((i, n / len(result)) for n, i in enumerate(result))
    return result


def _pieces(column: list[int]) -> list[list[int]]:
    count = -(-len(column) // _ROWS)
    size = -(-len(column) // count)
    return [column[start : start + size] for start in range(0, len(column), size)]


def _top(column: list[int], height: float) -> float:
    return (height - len(column) * (CARD_HEIGHT + GAP_Y) + GAP_Y) / 2


def _courses(drawing: Drawing, places: tuple[Place, ...]) -> tuple[Course, ...]:
    where = {place.box: place for place in places}
    cyclic = cycle_pairs(drawing)
    rows: dict[int, list[Place]] = {}
    for place in places:
        rows.setdefault(place.column, []).append(place)
    gaps = {column: _gaps(cards) for column, cards in rows.items()}
    used: dict[tuple[int, float], int] = {}

    def lane(column: int, wish: float) -> float:
        outside = [wish] if not gaps[column][0] < wish < gaps[column][-1] else []
        gap = min(
            [*gaps[column], *outside],
            key=lambda y: (abs(y - wish) + _CROWD * (used.get((column, y), -1) + 1), y),
        )
        used[column, gap] = used.get((column, gap), -1) + 1
        return gap + _LANES[used[column, gap] % len(_LANES)]

    result = []
    for bundle in bundles(drawing):
        if bundle.source in where and bundle.target in where:
            path, end, heading = _course(where[bundle.source], where[bundle.target], lane)
            result.append(Course(bundle, path, end, heading, (bundle.source, bundle.target) in cyclic))
    return tuple(result)


def _gaps(cards: list[Place]) -> list[float]:
    return [cards[0].y - GAP_Y / 2, *(card.y + CARD_HEIGHT + GAP_Y / 2 for card in cards)]


def _course(source: Place, target: Place, lane: Callable[[int, float], float]) -> tuple[str, Point, int]:
    middle = CARD_HEIGHT / 2
    if source.column == target.column:
        return _beside(source, target)
    if source.column < target.column:
        step, leave, arrive = 1, (source.x + CARD_WIDTH, source.y + middle), (target.x, target.y + middle)
    else:
        # Backward arrows use a lower port than forward ones, so that two boxes pointing at each other show two lines.
        step = -1
        leave = (source.x, source.y + middle + _PORT)
        arrive = (target.x + CARD_WIDTH, target.y + middle + _PORT)
    path = [f"M{_xy(leave)}"]
    at = leave
    span = abs(target.column - source.column)
    for passed in range(1, span):
        column = source.column + step * passed
        left = _left(column)
        y = lane(column, leave[1] + (arrive[1] - leave[1]) * passed / span)
        enter, exit_ = (left, left + CARD_WIDTH)[::step]
        path.append(_bend(at, (enter, y)))
        path.append(f"H{exit_:.1f}")
        at = (exit_, y)
    path.append(_bend(at, arrive))
    return "".join(path), arrive, step


def _beside(source: Place, target: Place) -> tuple[str, Point, int]:
    leave = (source.x + CARD_WIDTH, source.y + CARD_HEIGHT / 2)
    arrive = (target.x + CARD_WIDTH, target.y + CARD_HEIGHT / 2 + _PORT)
    bulge = leave[0] + min(_BULGE, 24 + abs(arrive[1] - leave[1]) / 16)
    return f"M{_xy(leave)}C{_xy((bulge, leave[1]))} {_xy((bulge, arrive[1]))} {_xy(arrive)}", arrive, -1


def _bend(start: Point, end: Point) -> str:
    half = (start[0] + end[0]) / 2
    return f"C{_xy((half, start[1]))} {_xy((half, end[1]))} {_xy(end)}"


def _xy(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
