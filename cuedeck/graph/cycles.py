"""Detection of cycles in a directed graph, in a deterministic order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx


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
            cycles.append(_shortest(graph, component))
    return tuple(sorted(cycles))


def _shortest(graph: nx.DiGraph, component: set[str]) -> tuple[str, ...]:
    """Search breadth first from the smallest node of a component back to itself,
    neighbours in sorted order.
    """
    start = min(component)
    parents: dict[str, str] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for successor in sorted(graph.successors(node)):
            if successor == start:
                if node != start:
                    return _closed_path(start, node, parents)
            elif successor in component and successor not in parents:
                parents[successor] = node
                queue.append(successor)
    raise AssertionError(
        "a strongly connected component has a cycle through each of its nodes"
    )


def _closed_path(start: str, last: str, parents: dict[str, str]) -> tuple[str, ...]:
    path = [start, last]
    while path[-1] != start:
        path.append(parents[path[-1]])
    return tuple(reversed(path))
