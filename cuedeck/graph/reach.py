"""What a card reaches: the part of the reference graph within some links of it, held by networkx."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import networkx as nx

from cuedeck.graph.resolve import resolve
from cuedeck.model.node import Link
from cuedeck.model.ports import Lookup
from cuedeck.model.scene import Target, Unresolved

Key = tuple[str, int, int]
"""Path, first and last line: two spellings of one place are one node."""


class Step(NamedTuple):
    """One link that resolves: where it stands in its source's order, and where it leads."""

    order: int
    link: Link
    target: Target


class Reach:
    """The subgraph around a root; the order in which refs are written is kept on its edges."""

    def __init__(self, root: Target) -> None:
        self.root = root
        self.unresolved: list[Unresolved] = []
        self._graph = nx.MultiDiGraph()
        self._graph.add_node(key(root))

    def add(self, source: Target, step: Step) -> bool:
        """Add one link; tell whether its target is new."""
        new = not self._graph.has_node(key(step.target))
        self._graph.add_edge(key(source), key(step.target), step=step)
        return new

    def steps(self, target: Target) -> Sequence[Step]:
        """Return the links that leave `target`, in written order."""
        found: Iterable[tuple[Key, Key, Step]] = self._graph.out_edges(key(target), data="step")
        return sorted((step for _, _, step in found), key=lambda step: step.order)

    def edges(self) -> list[tuple[str, str]]:
        """Return each link as (address, address); a part that lies inside another node counts as that node."""
        places = dict(self._places())
        return [(self._widest(source, places), self._widest(target, places)) for source, target in self._graph.edges()]

    def _places(self) -> Iterable[tuple[Key, Target]]:
        yield key(self.root), self.root
        for _, _, step in self._graph.edges(data="step"):
            yield key(step.target), step.target

    def _widest(self, place: Key, places: dict[Key, Target]) -> str:
        path, start, end = place
        around = [other for other in places if other[0] == path and other[1] <= start and end <= other[2]]
        return places[min(around, key=lambda other: (other[1] - other[2], other))].address


def key(target: Target) -> Key:
    """Return what makes a target the same place as another."""
    return target.path, target.start, target.end


def reach(root: Target, lookup: Lookup, depth: int, pinned: Sequence[str] = ()) -> Reach:
    """Follow links from `root`, at most `depth` of them in a row.

    `pinned` are refs every root has besides its own. What does not resolve is noted once a place.
    """
    found = Reach(root)
    frontier = [root]
    for level in range(depth):
        following: list[Target] = []
        for source in frontier:
            links = list(_links(source, lookup))
            if level == 0:
                links += [Link(ref, 0, "pinned", "", True) for ref in pinned]
            for order, link in enumerate(links):
                target = resolve(link, source.path, lookup)
                if isinstance(target, Unresolved):
                    if target not in found.unresolved:
                        found.unresolved.append(target)
                elif (
                    key(target) != key(source)
                    and _worth_a_visit(link, target)
                    and found.add(source, Step(order, link, target))
                ):
                    following.append(target)
        frontier = following
    return found


def _links(target: Target, lookup: Lookup) -> Iterable[Link]:
    """Return the links a target is responsible for: those on its lines, and its file's front-matter refs."""
    file = lookup.file(target.path)
    if file is None:
        return ()
    if target.whole:
        return file.links
    return (link for link in file.links if link.form == "refs" or target.start <= link.line <= target.end)


def _worth_a_visit(link: Link, target: Target) -> bool:
    """Leave out pictures and folders that prose merely points at; a ref or a pin to them is meant."""
    if target.kind == "binary":
        return link.form in ("refs", "pinned")
    return target.kind != "folder" or link.form != "markdown"
