"""Arrows of a drawing as index pairs, and the spanning tree derived from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from cuedeck.model.diagram import ABOUT, WRITTEN, Drawing

Pair = tuple[int, int]
"""Source and target as indexes into the boxes of a drawing."""


class Bundle(NamedTuple):
    """All arrows from one box to another, merged."""

    source: int
    """Index into the boxes of the drawing."""
    target: int
    edges: tuple[str, ...]


Bundles = tuple[Bundle, ...]


def bundles(drawing: Drawing) -> Bundles:
    """Merge the arrows between each pair of boxes; arrows without a box at both ends
    are omitted.

    Order: by the first arrow of each pair; edges within a pair likewise, without
    repeats.
    """
    index = positions(drawing)
    merged: dict[Pair, dict[str, None]] = {}
    for arrow in drawing.arrows:
        if arrow.source in index and arrow.target in index:
            pair = (index[arrow.source], index[arrow.target])
            merged.setdefault(pair, {})[arrow.edge] = None
    found = []
    for (source, target), edges in merged.items():
        found.append(Bundle(source, target, tuple(edges)))
    return tuple(found)


def positions(drawing: Drawing) -> dict[str, int]:
    """Return the index of each address among the boxes."""
    index: dict[str, int] = {}
    for i, box in enumerate(drawing.boxes):
        index.setdefault(box.address, i)
    return index


def cycle_pairs(drawing: Drawing) -> frozenset[Pair]:
    """Return the index pairs on a cycle of the drawing (for membership only)."""
    index = positions(drawing)
    pairs: set[Pair] = set()
    for cycle in drawing.cycles:
        for source, target in pairwise(cycle):
            if source in index and target in index:
                pairs.add((index[source], index[target]))
    return frozenset(pairs)


def spanning(drawing: Drawing) -> list[int]:
    """Return the parent of each box in the spanning tree; -1 for a root.

    The search is breadth first, so that each box is placed at its smallest depth. Roots
    are the boxes of depth 0. If there are none, the roots are the boxes without
    incoming edges other than `ABOUT`, those with written refs first. Boxes that no root
    reaches become roots themselves, in order.
    """
    boxes = drawing.boxes
    targets: list[list[int]] = [[] for _ in boxes]
    pointed: set[int] = set()
    writing: set[int] = set()
    for source, target, edges in bundles(drawing):
        targets[source].append(target)
        if source != target and not ABOUT.issuperset(edges):
            pointed.add(target)
        if not WRITTEN.isdisjoint(edges):
            writing.add(source)
    roots = [i for i, box in enumerate(boxes) if box.depth == 0]
    if not roots:
        roots = [i for i in range(len(boxes)) if i not in pointed]
    first = []
    second = []
    for i in roots:
        if i in writing:
            first.append(i)
        else:
            second.append(i)
    return _breadth_first([first, second], targets)


def _breadth_first(
    batches: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[int]:
    """Search from each batch of roots, then from each box that is still unreached."""
    count = len(targets)
    rest = [[i] for i in range(count)]
    parents: dict[int, int] = {}
    for batch in [*batches, *rest]:
        queue = deque(i for i in batch if i not in parents)
        for root in queue:
            parents[root] = -1
        while queue:
            source = queue.popleft()
            for target in targets[source]:
                if target not in parents:
                    parents[target] = source
                    queue.append(target)
    return [parents[i] for i in range(count)]
