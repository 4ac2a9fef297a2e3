"""The walk: breadth-first traversal from the root, refs in written order, each line at
its smallest depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cuedeck.graph.neighbourhood import Edge, Key, Neighbourhood, key
from cuedeck.model.address import split_anchor
from cuedeck.model.scene_values import TASK, Span, Target, Unresolved, Visit


class Arrival(NamedTuple):
    """A target reached by the walk, with the visit and the edge that lead to it."""

    target: Target
    via: str | None
    edge: Edge | None


class Walked(NamedTuple):
    """The visits of a scene, root first, with the refs that lead nowhere."""

    visits: tuple[Visit, ...]
    unresolved: Sequence[Unresolved]


def walk(graph: Neighbourhood) -> tuple[Visit, ...]:
    """Return the visits of a scene, nearest first.

    Within a depth, files are ordered by their first ref, and the parts of one file stay
    together. A whole file or section absorbs its parts of equal or greater depth; a
    target reached again at a greater depth adds only the lines not shown yet.
    """
    # A link into its own file is that of a table of contents, and asks for nothing.
    edges = [
        edge
        for edge in graph.edges()
        if split_anchor(edge.source)[0] != edge.target.path
    ]
    asked = {key(edge.target) for edge in edges}
    pinned = {key(edge.target) for edge in edges if edge.pinned}
    full = {key(edge.target) for edge in edges if edge.wants_full}
    drafts: list[_PendingVisit] = []
    claimed: dict[str, list[_PendingVisit]] = {}
    seen = {key(graph.root)}
    level = [Arrival(graph.root, None, None)]
    depth = 0
    while level:
        arrived: list[Arrival] = []
        groups: dict[str, list[Arrival]] = {}
        for arrival in level:
            groups.setdefault(arrival.target.path, []).append(arrival)
        for path, group in groups.items():
            holders = claimed.setdefault(path, [])
            for arrival in _outermost(group):
                spans = _free(arrival.target, holders)
                if spans:
                    is_pinned = key(arrival.target) in pinned
                    holders.append(_PendingVisit(arrival, spans, depth, is_pinned))
                    arrived.append(arrival)
                    drafts.append(holders[-1])
            for target, _, _ in group:
                for holder in holders:
                    is_asked = key(target) in asked
                    holder.note(target, is_asked, key(target) in pinned)
        level, depth = _following(graph, arrived, seen), depth + 1
    return tuple(
        draft.visit(graph, wants_full=key(draft.arrival.target) in full)
        for draft in drafts
    )


@dataclass(slots=True)
class _PendingVisit:
    """A visit that later arrivals can extend."""

    arrival: Arrival
    spans: tuple[Span, ...]
    depth: int
    pinned: bool
    parts: set[Span] = field(default_factory=set)

    def note(self, target: Target, is_asked: bool, is_pinned: bool) -> None:
        """Record a link to a target, if the visit has all its lines as one range."""
        part = (target.start, target.end)
        start, end = part
        if any(first <= start and end <= last for first, last in self.spans):
            self.pinned |= is_pinned
            if is_asked and self.spans != (part,):
                self.parts.add(part)

    def visit(self, graph: Neighbourhood, *, wants_full: bool) -> Visit:
        target, via, edge = self.arrival
        entry = graph.entry(target)
        return Visit(
            address=target.address,
            path=entry.path if entry else target.path,
            kind=target.kind,
            tier="explicit",
            depth=self.depth,
            via=via,
            edge=edge.kind if edge else None,
            why=_why(self.arrival),
            spans=((entry.line, entry.line),) if entry else self.spans,
            whole=target.whole,
            parts=tuple(sorted(self.parts)),
            wants_full=wants_full,
            pinned=self.pinned,
            text=entry.text if entry else "",
            overview=entry.overview if entry else "",
        )


def _free(target: Target, holders: Sequence[_PendingVisit]) -> tuple[Span, ...]:
    """Return the lines of a target that no visit has yet."""
    start = target.start
    spans = list[Span]()
    for first, last in sorted(span for each in holders for span in each.spans):
        if start < first <= target.end:
            spans.append((start, first - 1))
        start = max(start, last + 1) if first <= target.end else start
    if start <= target.end:
        spans.append((start, target.end))
    return tuple(spans)


def _outermost(group: Sequence[Arrival]) -> Iterator[Arrival]:
    """Yield the arrivals of one file that are not inside another of them."""
    outer: set[Key] = set()
    reached = 0
    for target in sorted(
        (arrival.target for arrival in group),
        key=lambda target: (target.start, -target.end),
    ):
        if target.end > reached:
            outer.add(key(target))
            reached = target.end
    return (arrival for arrival in group if key(arrival.target) in outer)


def _following(
    graph: Neighbourhood, arrived: Iterable[Arrival], seen: set[Key]
) -> list[Arrival]:
    """Return the arrivals one link further, in link order."""
    found: list[Arrival] = []
    for arrival in arrived:
        for edge in graph.edges_from(arrival.target):
            if key(edge.target) not in seen:
                seen.add(key(edge.target))
                found.append(Arrival(edge.target, arrival.target.address, edge))
    return found


_REASONS = {
    "refs": "named in the refs of {source} ({place})",
    "wiki": "reached by the link on {place} of {source}",
    "markdown": "reached by the link on {place} of {source}",
    "mention": "reached by the mention on {place} of {source}",
    "pinned": "pinned for every card by config.toml",
    "task": "named on {place} of the task",
    "affects": "affected by {source}",
    "on": "the place of {source}",
    "mentions": "mentioned by {source}",
    "read": "read in {source}",
    "wrote": "written in {source}",
}
"""Reason for a visit by the form of the edge that led to it."""


def _why(arrival: Arrival) -> str:
    edge = arrival.edge
    if edge is None:
        return "the task" if arrival.target.address == TASK else "the root card"
    pinned = " and pinned there" if edge.pinned and edge.form == "refs" else ""
    source = "the task" if arrival.via == TASK else arrival.via
    place = f"line {edge.line}"
    return _REASONS[edge.form].format(place=place, source=source) + pinned
