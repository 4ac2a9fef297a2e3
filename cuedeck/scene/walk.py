"""The walk: breadth first from the root, refs in written order, every line of a file at its smallest depth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.graph.reach import Key, Reach, Step, key
from cuedeck.model.node import Link
from cuedeck.model.scene import Span, Target, Visit


class Arrival(NamedTuple):
    """A target as the walk comes upon it, and the visit and link that lead there."""

    target: Target
    via: str | None
    step: Step | None


def walk(reach: Reach) -> tuple[Visit, ...]:
    """Return the visits of a scene, nearest first.

    Within a depth, files stand in the order of their first ref and the parts of one file together. A whole
    file or section swallows its parts of equal or greater depth; what is reached again deeper brings only
    the lines not shown yet.
    """
    visits: list[Visit] = []
    taken: dict[str, list[int]] = {}
    seen = {key(reach.root)}
    level = [Arrival(reach.root, None, None)]
    depth = 0
    while level:
        arrived: list[tuple[Visit, Target]] = []
        for arrival in _grouped(_outermost(level)):
            spans = _untaken(arrival.target, (visits[at].spans for at in taken.get(arrival.target.path, ())))
            if spans:
                taken.setdefault(arrival.target.path, []).append(len(visits))
                visits.append(_visit(arrival, spans, depth))
                arrived.append((visits[-1], arrival.target))
        for arrival in level:
            _mark_part(visits, taken, arrival)
        level, depth = _following(reach, arrived, seen), depth + 1
    return tuple(visits)


def _following(reach: Reach, arrived: Iterable[tuple[Visit, Target]], seen: set[Key]) -> list[Arrival]:
    """Return what lies one link further, first link first; a later link to the same place may still pin it."""
    found: dict[Key, Arrival] = {}
    for visit, target in arrived:
        for step in reach.steps(target):
            place = key(step.target)
            if place in found:
                found[place] = _with_wishes(found[place], step.link)
            elif place not in seen:
                found[place] = Arrival(step.target, visit.address, step)
    seen.update(found)
    return list(found.values())


def _with_wishes(arrival: Arrival, link: Link) -> Arrival:
    """Add what another link to the same place asks for: a pin, the whole text."""
    assert arrival.step is not None
    own = arrival.step.link
    merged = own._replace(pin=own.pin or link.pin, view=own.view or link.view)
    return arrival._replace(step=arrival.step._replace(link=merged))


def _outermost(level: Sequence[Arrival]) -> list[Arrival]:
    """Drop arrivals that lie inside another arrival of the same file and depth."""
    widest: dict[str, list[Target]] = {}
    for arrival in level:
        widest.setdefault(arrival.target.path, []).append(arrival.target)
    return [
        arrival for arrival in level if not any(_inside(arrival.target, other) for other in widest[arrival.target.path])
    ]


def _inside(part: Target, whole: Target) -> bool:
    if part.start == whole.start and part.end == whole.end:
        return False
    return whole.start <= part.start and part.end <= whole.end


def _grouped(level: Sequence[Arrival]) -> Iterable[Arrival]:
    groups: dict[str, list[Arrival]] = {}
    for arrival in level:
        groups.setdefault(arrival.target.path, []).append(arrival)
    return (arrival for group in groups.values() for arrival in group)


def _untaken(target: Target, taken: Iterable[Sequence[Span]]) -> tuple[Span, ...]:
    """Return the lines of `target` that no earlier visit has."""
    free = [(target.start, target.end)]
    for spans in taken:
        for first, last in spans:
            free = [
                piece
                for start, end in free
                for piece in ((start, min(end, first - 1)), (max(start, last + 1), end))
                if piece[0] <= piece[1]
            ]
    return tuple(free)


def _mark_part(visits: list[Visit], taken: dict[str, list[int]], arrival: Arrival) -> None:
    """Note on the visit that holds these lines that a link points at them."""
    part = (arrival.target.start, arrival.target.end)
    for at in taken.get(arrival.target.path, ()):
        visit = visits[at]
        if visit.spans == (part,) or not any(start <= part[0] and part[1] <= end for start, end in visit.spans):
            continue
        if part not in visit.parts:
            visits[at] = replace(visit, parts=tuple(sorted((*visit.parts, part))))


def _visit(arrival: Arrival, spans: tuple[Span, ...], depth: int) -> Visit:
    target, step = arrival.target, arrival.step
    return Visit(
        address=target.address,
        path=target.path,
        kind=target.kind,
        tier="explicit",
        depth=depth,
        via=arrival.via,
        edge=None if step is None else "refs",
        why=_why(arrival),
        spans=spans,
        whole=target.whole,
        parts=(),
        wants_full=step is not None and (step.link.view == "full" or step.link.ref.endswith("#L1-")),
        pinned=step is not None and step.link.pin,
    )


_REASONS = {
    "refs": "named in the refs of {source} (line {line})",
    "wiki": "linked on line {line} of {source}",
    "markdown": "linked on line {line} of {source}",
    "mention": "mentioned on line {line} of {source}",
    "pinned": "pinned for every card by config.toml",
}


def _why(arrival: Arrival) -> str:
    if arrival.step is None:
        return "the card this scene is built for"
    link = arrival.step.link
    pinned = " and pinned there" if link.pin and link.form == "refs" else ""
    return _REASONS[link.form].format(line=link.line, source=arrival.via) + pinned
