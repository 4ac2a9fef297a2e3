"""The walk: breadth-first traversal from the root, refs in written order, each line at
its smallest depth.
"""

from __future__ import annotations

from bisect import bisect_right, insort
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
    wishes = _RefOptions(graph)
    drafts: list[_PendingVisit] = []
    shelves: dict[str, _ClaimedLines] = {}
    seen = {key(graph.root)}
    level = [Arrival(graph.root, None, None)]
    depth = 0
    while level:
        arrived: list[Arrival] = []
        groups: dict[str, list[Arrival]] = {}
        for arrival in level:
            groups.setdefault(arrival.target.path, []).append(arrival)
        for group in groups.values():
            shelf = shelves.setdefault(group[0].target.path, _ClaimedLines())
            for arrival in _outermost(group):
                spans = shelf.free(arrival.target.start, arrival.target.end)
                if spans:
                    drafts.append(
                        _PendingVisit(
                            arrival,
                            spans,
                            depth,
                            pinned=key(arrival.target) in wishes.pinned,
                        )
                    )
                    shelf.take(spans, drafts[-1])
                    arrived.append(arrival)
            for arrival in group:
                holder = shelf.holder(arrival.target.start, arrival.target.end)
                if holder is not None:
                    holder.take_in(arrival.target, wishes)
        level, depth = _following(graph, arrived, seen), depth + 1
    return tuple(
        draft.visit(graph, wants_full=key(draft.arrival.target) in wishes.full)
        for draft in drafts
    )


class _RefOptions:
    """Options of refs (pin, full view) by target; any ref to a node can set them, not
    only the first. A link of a file into itself asks for nothing.
    """

    def __init__(self, graph: Neighbourhood) -> None:
        # A link into its own file is that of a table of contents.
        edges = [
            edge
            for edge in graph.edges()
            if split_anchor(edge.source)[0] != edge.target.path
        ]
        self.asked = {key(edge.target) for edge in edges}
        self.pinned = {key(edge.target) for edge in edges if edge.pinned}
        self.full = {key(edge.target) for edge in edges if edge.wants_full}


@dataclass(slots=True)
class _PendingVisit:
    """A visit that later arrivals can extend."""

    arrival: Arrival
    spans: tuple[Span, ...]
    depth: int
    pinned: bool
    parts: set[Span] = field(default_factory=set)

    def take_in(self, target: Target, wishes: _RefOptions) -> None:
        """Record that a link points at these lines."""
        part = (target.start, target.end)
        if self.spans != (part,) and key(target) in wishes.asked:
            self.parts.add(part)
        self.pinned = self.pinned or key(target) in wishes.pinned

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


class _ClaimedLines:
    """The lines of one file that visits have claimed."""

    def __init__(self) -> None:
        self._taken: list[tuple[int, int, int]] = []
        """First line, last line, index of the draft; disjoint and ascending."""
        self._drafts: list[_PendingVisit] = []

    def free(self, start: int, end: int) -> tuple[Span, ...]:
        """Return the unclaimed lines from `start` to `end`."""
        spans: list[Span] = []
        for first, last, _ in self._taken[max(0, self._before(start)) :]:
            if first > end:
                break
            if start < first:
                spans.append((start, first - 1))
            start = max(start, last + 1)
        return (*spans, (start, end)) if start <= end else tuple(spans)

    def take(self, spans: Iterable[Span], draft: _PendingVisit) -> None:
        """Claim lines for a draft."""
        self._drafts.append(draft)
        for first, last in spans:
            insort(self._taken, (first, last, len(self._drafts) - 1))

    def holder(self, start: int, end: int) -> _PendingVisit | None:
        """Return the draft that has claimed all these lines as one range."""
        at = self._before(start)
        if at < 0 or self._taken[at][1] < end:
            return None
        return self._drafts[self._taken[at][2]]

    def _before(self, line: int) -> int:
        return bisect_right(self._taken, line, key=lambda taken: taken[0]) - 1


def _outermost(group: Sequence[Arrival]) -> Iterator[Arrival]:
    """Yield the arrivals of one file that are not inside another of them."""
    inside: set[Key] = set()
    reached = 0
    for arrival in sorted(
        group, key=lambda each: (each.target.start, -each.target.end)
    ):
        if arrival.target.end <= reached:
            inside.add(key(arrival.target))
        reached = max(reached, arrival.target.end)
    return (arrival for arrival in group if key(arrival.target) not in inside)


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
