"""Arrows of a drawing as index pairs, with the spanning tree and the layers derived from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from cuedeck.model.diagram import ABOUT, WRITTEN, Drawing


class Bundle(NamedTuple):
    """All arrows from one box to another, merged."""

    source: int
    """Index into the boxes of the drawing."""
    target: int
    edges: tuple[str, ...]


def bundles(drawing: Drawing) -> tuple[Bundle, ...]:
    """Merge the arrows between each pair of boxes; arrows without a box at both ends are omitted.

    Order: by the first arrow of each pair; edges within a pair likewise, without repeats.
    """
    index = positions(drawing)
    merged: dict[tuple[int, int], dict[str, None]] = {}
    for arrow in drawing.arrows:
        if arrow.source in index and arrow.target in index:
            pair = (index[arrow.source], index[arrow.target])
            merged.setdefault(pair, {})[arrow.edge] = None
    return tuple(Bundle(source, target, tuple(edges)) for (source, target), edges in merged.items())


def positions(drawing: Drawing) -> dict[str, int]:
    """Return the index of each address among the boxes."""
    return {drawing.boxes[i].address: i for i in reversed(range(len(drawing.boxes)))}


def cycle_pairs(drawing: Drawing) -> frozenset[tuple[int, int]]:
    """Return the index pairs on a cycle of the drawing (for membership only)."""
    index = positions(drawing)
    return frozenset(
        (index[a], index[b]) for cycle in drawing.cycles for a, b in pairwise(cycle) if a in index and b in index
    )


def followers(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the boxes that each of `count` boxes points at, in the order of `pairs`."""
    result: list[list[int]] = [[] for _ in range(count)]
    for source, target in pairs:
        result[source].append(target)
    return result


def spanning(drawing: Drawing) -> list[int]:
    """Return the parent of each box in the spanning tree; -1 for a root.

    The search is breadth first, so that each box is placed at its smallest depth. Roots are the boxes of depth 0. If
    there are none, the roots are the boxes without incoming edges other than `ABOUT`, those with written refs first.
    Boxes that no root reaches become roots themselves, in order.
    """
    boxes = drawing.boxes
    joined = bundles(drawing)
    below = followers(len(boxes), ((b.source, b.target) for b in joined))
    pointed = {b.target for b in joined if b.source != b.target and not ABOUT.issuperset(b.edges)}
    starts = [i for i, box in enumerate(boxes) if box.depth == 0]
    if not starts:
        starts = [i for i in range(len(boxes)) if i not in pointed]
    writing = {b.source for b in joined if not WRITTEN.isdisjoint(b.edges)}
    batches = ([i for i in starts if i in writing], [i for i in starts if i not in writing])
    return _breadth_first(len(boxes), batches, below)


def _breadth_first(count: int, batches: Iterable[Sequence[int]], below: Sequence[Sequence[int]]) -> list[int]:
    parents: dict[int, int] = {}
    for batch in (*batches, *((i,) for i in range(count))):
        queue = deque(i for i in batch if i not in parents)
        parents.update((i, -1) for i in queue)
        while queue:
            source = queue.popleft()
            for target in below[source]:
                if target not in parents:
                    parents[target] = source
                    queue.append(target)
    return [parents[i] for i in range(count)]


def layers(count: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the length of the longest path to each of `count` boxes.

    Pairs that close a cycle in a depth-first search in index order are ignored.
    """
    below = followers(count, pairs)
    finished: list[int] = []
    seen: dict[int, str] = {}
    forward: list[list[int]] = [[] for _ in range(count)]
    for start in range(count):
        if start in seen:
            continue
        seen[start] = "open"
        stack = [(start, iter(below[start]))]
        while stack:
            source, rest = stack[-1]
            target = next(rest, -1)
            if target < 0:
                seen[source] = "done"
                finished.append(source)
                stack.pop()
            elif seen.get(target) != "open":
                forward[source].append(target)
                if target not in seen:
                    seen[target] = "open"
                    stack.append((target, iter(below[target])))
    result = [0] * count
    for source in reversed(finished):
        for target in forward[source]:
            result[target] = max(result[target], result[source] + 1)
    return result
