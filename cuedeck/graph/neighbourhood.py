"""The reference graph around a root: files, parts of files and ledger entries, joined
by the links between them, and the cycles of links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.entry_node import ENTRY_KINDS, EntryNode
from cuedeck.model.file import Link
from cuedeck.model.paths import CONFIG
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import Target, Unresolved

if TYPE_CHECKING:
    import networkx as nx

_SUGGESTED = 100
"""Maximum dead refs for which the nearest match is searched."""
REFS = "refs"
"""Kind of the edges that people write as links in files."""

Key = tuple[str, int, int]
"""Path, first and last line; two spellings of the same place are one node."""


class Edge(NamedTuple):
    """One resolved link."""

    source: str
    """Address of the node that contains the link."""
    target: Target
    """The target as this link spells it."""
    kind: str
    """`refs`, or the kind of an `EntryEdge`."""
    order: int
    """Position among the edges of its source."""
    line: int
    """Line of the link in the file of its source; 0 if it is not written in a file."""
    form: str
    """`Link.form`; for an edge of a ledger entry, its kind."""
    pinned: bool
    wants_full: bool
    """Whether the link asks for the whole text."""


class Neighbourhood:
    """The graph of all nodes within a given number of links of a root.

    `graph` is a `networkx.MultiDiGraph` of addresses. A node has its `target`
    and its `entry` if it is one of a ledger; an edge has its `edge`.
    """

    def __init__(self, root: Target, lookup: Lookup) -> None:
        import networkx as nx

        self.root = root
        self.graph: nx.MultiDiGraph = nx.MultiDiGraph()
        self._lookup = lookup
        self._names: dict[Key, str] = {}
        self._entries: dict[str, EntryNode] = {}
        self._unresolved: dict[Unresolved, None] = {}
        self._add_node(root)

    @property
    def unresolved(self) -> Sequence[Unresolved]:
        """Unresolved links in the order of discovery; a link inside several nodes
        counts once.
        """
        return tuple(self._unresolved)

    def edges_from(self, target: Target) -> Sequence[Edge]:
        """Return the edges that leave the node of a target, in written order."""
        name = self._names[key(target)]
        edges = (edge for *_, edge in self.graph.out_edges(name, data="edge"))
        return sorted(edges, key=lambda edge: edge.order)

    def edges(self) -> Iterator[Edge]:
        """Yield every edge, by source."""
        return (edge for *_, edge in self.graph.edges(data="edge"))

    def entry(self, target: Target) -> EntryNode | None:
        """Return the ledger entry of a target; None for a place in a file."""
        return self._entries.get(target.address)

    def refs(self) -> list[tuple[str, str]]:
        """Return the links that were followed as (address, address); a part inside
        another node counts as that node.

        Edges of ledger entries are left out: a decision may affect the doc that links
        it.
        """
        places = dict(self.graph.nodes(data="target"))
        files: dict[str, list[Target]] = {}
        for place in sorted(places.values(), key=lambda each: (each.start, -each.end)):
            files.setdefault(place.path, []).append(place)

        def outermost(inner: Target) -> str:
            around = files[inner.path]
            return next(each.address for each in around if each.end >= inner.end)

        return [
            (outermost(places[edge.source]), outermost(edge.target))
            for edge in self.edges()
            if edge.kind == REFS
        ]

    def follow(self, source: Target) -> Sequence[Target]:
        """Add the edges that leave a node; return the targets not seen before."""
        if source.kind not in ENTRY_KINDS:
            links = _links(source, self._lookup)
            return self._add_edges(source, self._resolve(links, source.path))
        found = []
        for edge in self._entries[source.address].edges:
            if self._is_known(edge.target):
                link = Link(edge.target.address, 0, edge.kind, "", False)
                found.append((edge.target, edge.kind, link))
        return self._add_edges(source, found)

    def follow_pinned(self, refs: Sequence[str]) -> Sequence[Target]:
        """Add the edges from the root to the `pinned` refs of the settings."""
        links = [Link(ref, 0, "pinned", "", True) for ref in refs]
        return self._add_edges(self.root, self._resolve(links, CONFIG))

    def _add_edges(
        self, source: Target, found: Iterable[tuple[Target, str, Link]]
    ) -> Sequence[Target]:
        name = self._names[key(source)]
        order = self.graph.out_degree(name)
        new: list[Target] = []
        for target, kind, link in found:
            if key(target) == key(source):
                continue
            if key(target) not in self._names:
                self._add_node(target)
                new.append(target)
            full = not target.whole or link.view == "full"
            edge = Edge(name, target, kind, order, link.line, link.form, link.pin, full)
            self.graph.add_edge(name, self._names[key(target)], order, edge=edge)
            order += 1
        return new

    def _add_node(self, target: Target) -> None:
        name = target.address
        if name in self.graph:
            name = join_anchor(target.path, format_lines(target.start, target.end))
        self._names[key(target)] = name
        entry = self.entry(target)
        self.graph.add_node(name, target=target, entry=entry)

    def _resolve(
        self, links: Iterable[Link], path: str
    ) -> Iterator[tuple[Target, str, Link]]:
        """Yield the targets of links in written order, each with the kind of the edge
        and its link.
        """
        for link in links:
            suggest = len(self._unresolved) < _SUGGESTED
            target = resolve(link, path, self._lookup, suggest=suggest)
            if isinstance(target, Unresolved):
                self._unresolved[target] = None
            elif not self._is_known(target):
                place = link.ref, path, link.line, link.form
                self._unresolved[Unresolved(*place, "missing", "", ())] = None
            elif _is_worth_a_visit(link, target):
                yield target, REFS, link

    def _is_known(self, target: Target) -> bool:
        if target.kind not in ENTRY_KINDS or target.address in self._entries:
            return True
        entry = self._lookup.entry(target.address)
        if entry is not None:
            self._entries[target.address] = entry
        return entry is not None


def key(target: Target) -> Key:
    """Return the key that is equal for two targets of the same place."""
    return target.path, target.start, target.end


def neighbourhood(
    root: Target, lookup: Lookup, depth: int, pinned: Sequence[str] = ()
) -> Neighbourhood:
    """Follow links from `root`, at most `depth` of them in a row.

    `pinned` refs are added to the links of the root, at any depth. An unresolved link
    is recorded once per place.
    """
    graph = Neighbourhood(root, lookup)
    linked = graph.follow(root) if depth else ()
    frontier = [*linked, *graph.follow_pinned(pinned)]
    for _ in range(depth - 1):
        frontier = [target for source in frontier for target in graph.follow(source)]
    return graph


def _links(target: Target, lookup: Lookup) -> Iterable[Link]:
    """Return the links on the lines of a target and the front-matter refs of its
    file.
    """
    file = lookup.file(target.path)
    if file is None:
        return ()
    if target.whole:
        return file.links
    return (
        link
        for link in file.links
        if link.form == "refs" or target.start <= link.line <= target.end
    )


def _is_worth_a_visit(link: Link, target: Target) -> bool:
    if target.kind == "binary":
        return link.form in ("refs", "pinned")
    return target.kind != "folder" or link.form != "markdown"


def ref_cycles(
    root: Target, lookup: Lookup, depth: int, pinned: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Return the cycles of the refs that a walk finds, with those of its farthest
    nodes.
    """
    return find_cycles(neighbourhood(root, lookup, depth + 1, pinned).refs())


def find_cycles(edges: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return one shortest cycle, as a closed path, for every strongly connected
    component.

    Shape: the first and last name of a path are equal; it starts at the smallest name
    of its component. Order: by path. A self-loop is not reported.
    """
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_edges_from(sorted(set(edges)))
    cycles = []
    for component in nx.strongly_connected_components(graph):
        if len(component) > 1:
            start = min(component)
            part = graph.subgraph(component)
            paths = [
                nx.shortest_path(part, successor, start)
                for successor in sorted(part.successors(start))
                if successor != start
            ]
            cycles.append((start, *min(paths, key=len)))
    return tuple(sorted(cycles))
