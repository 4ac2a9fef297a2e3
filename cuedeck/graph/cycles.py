"""Detection of cycles in a directed graph, in a deterministic order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx


def find_cycles(edges: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return one shortest cycle, as a closed path, for every strongly connected component.

    Shape: the first and last name of a path are equal; it starts at the smallest name of its component.
    Order: by path. A self-loop is not reported.
    """
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_edges_from(sorted(set(edges)))
    knots = (sorted(knot) for knot in nx.strongly_connected_components(graph) if len(knot) > 1)
    return tuple(sorted(_shortest(graph, knot) for knot in knots))


def _shortest(graph: nx.DiGraph, knot: list[str]) -> tuple[str, ...]:
    """Search breadth first from the smallest node of a component back to itself, neighbours in sorted order."""
    start, inside = knot[0], frozenset(knot)
    came: dict[str, str] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for following in sorted(graph.successors(node)):
            if following == start and node != start:
                path = [start, node]
                while path[-1] != start:
                    path.append(came[path[-1]])
                return tuple(reversed(path))
            if following in inside and following not in came and following != start:
                came[following] = node
                queue.append(following)
    raise AssertionError("a knot of several nodes holds a cycle through each of them")
