"""Text tree of a drawing for the terminal."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.graph.draw.drawing_parts import Bundle, bundles, cells, clean, view
from cuedeck.model.diagram import ABOUT, WRITTEN, Box, Drawing

_WIDTH = 80
_MARKS = (
    (" → ", "kind → node", "link of that kind (none: ref)"),
    ("↑ ", "↑", "listed above"),
    ("↓ ", "↓", "listed below"),
)
"""Marks in the tree, each with its name and meaning in the legend."""


class _Row(NamedTuple):
    branch: str
    text: str
    below: str
    """Tree lines to continue on a second line of the row."""
    box: Box | None
    """None for a repeated node, whose details are printed elsewhere."""


def draw_ascii(drawing: Drawing) -> str:
    """Return an indented tree with columns for depth, tokens and view, followed by the
    cycles.

    Each node is printed in full once, at its smallest depth; other places show `↑
    address`, or `↓ address` if the full line comes later. Edges other than `refs` are
    named: `├─ imports → src/db.py`. The title of a card follows its address. A legend
    at the end explains the marks used.
    """
    rows = list(_rows(drawing))
    tree = "\n".join(row.text for row in rows)
    marks = [f"{name} = {meaning}" for mark, name, meaning in _MARKS if mark in tree]
    legend = f"legend: {', '.join(marks)}" if marks else ""
    table = _table(drawing.boxes, rows) if rows else "(nothing to draw)"
    parts = [_heading(drawing), table, _cycles(drawing), legend]
    return "\n\n".join(filter(None, parts)) + "\n"


def _heading(drawing: Drawing) -> str:
    title = clean(drawing.title)
    if not drawing.budget:
        return title
    used = f"{drawing.tokens:,} of {drawing.budget:,} tokens"
    gap = max(2, _WIDTH - cells(title) - len(used))
    return title + " " * gap + used if title else used


def _table(boxes: Sequence[Box], rows: Sequence[_Row]) -> str:
    details = [_details(row.box) for row in rows]
    heads = ("depth", "tokens", "view" if any(box.view for box in boxes) else "state")
    shown = [at for at in range(3) if any(each[at] for each in details)]
    widths = {at: max(len(each[at]) for each in (heads, *details)) for at in shown}
    room = _WIDTH - sum(widths.values()) - 2 * len(shown)
    tree = min(room, max(cells(row.branch + row.text) for row in rows))

    def line(left: str, texts: Sequence[str]) -> str:
        found = left + " " * (tree - cells(left))
        for at, width in widths.items():
            found += f"  {texts[at]:{'>><'[at]}{width}}"
        return found.rstrip()

    lines = [line("", heads)] if shown else []
    for row, texts in zip(rows, details, strict=True):
        left = row.branch + row.text
        if row.box and shown and cells(left) > tree:
            lines.append(left)
            left = row.below
        lines.append(line(left, texts))
    return "\n".join(lines)


def _details(box: Box | None) -> tuple[str, str, str]:
    """Return the texts in the columns: depth, tokens, view."""
    if box is None:
        return "", "", ""
    depth = str(box.depth) if box.depth >= 0 else ""
    return depth, f"{box.tokens:,}" if box.tokens > 0 else "", view(box)


def _rows(drawing: Drawing) -> Iterator[_Row]:
    boxes = drawing.boxes
    parents = spanning(drawing)
    children: list[list[Bundle]] = [[] for _ in boxes]
    for bundle in bundles(drawing):
        children[bundle.source].append(bundle)
    printed: set[int] = set()
    stack = [
        (Bundle(-1, at, ("refs",)), "", "")
        for at in range(len(boxes))
        if parents[at] < 0
    ]
    stack.reverse()
    while stack:
        bundle, branch, indent = stack.pop()
        source, target, edges = bundle
        address = clean(boxes[target].address)
        edge = "" if edges == ("refs",) else f"{clean(', '.join(edges))} → "
        if target in printed or parents[target] != source:
            mark = "↑" if target in printed else "↓"
            yield _Row(
                branch,
                f"{edge}{mark} {address}",
                "",
                None,
            )
            continue
        printed.add(target)
        title = boxes[target].title
        name = f"{address}  {clean(title)}" if title else address
        below = indent + "│" if children[target] else indent
        yield _Row(branch, edge + name, below, boxes[target])
        for at, child in enumerate(reversed(children[target])):
            corner, line = ("├─ ", "│  ") if at else ("└─ ", "   ")
            stack.append((child, indent + corner, indent + line))


def spanning(drawing: Drawing) -> list[int]:
    """Return the parent of each box in the spanning tree; -1 for a root.

    The search is breadth first, so that each box is placed at its smallest depth. Roots
    are the boxes of depth 0. If there are none, the roots are the boxes without
    incoming edges other than `ABOUT`, those with written refs first. Boxes that no root
    reaches become roots themselves, in order.
    """
    every = range(len(drawing.boxes))
    targets: list[list[int]] = [[] for _ in every]
    for bundle in bundles(drawing):
        targets[bundle.source].append(bundle.target)
    parents: dict[int, int] = {}
    for batch in (*_roots(drawing), *([i] for i in every)):
        queue = deque(i for i in batch if i not in parents)
        parents.update(dict.fromkeys(queue, -1))
        while queue:
            source = queue.popleft()
            for target in targets[source]:
                if target not in parents:
                    parents[target] = source
                    queue.append(target)
    return [parents[i] for i in every]


def _roots(drawing: Drawing) -> tuple[list[int], list[int]]:
    """Return the roots with written refs, and the others."""
    pointed: set[int] = set()
    writing: set[int] = set()
    for source, target, edges in bundles(drawing):
        if source != target and not ABOUT.issuperset(edges):
            pointed.add(target)
        if not WRITTEN.isdisjoint(edges):
            writing.add(source)
    roots = [i for i, box in enumerate(drawing.boxes) if box.depth == 0]
    roots = roots or [i for i in range(len(drawing.boxes)) if i not in pointed]
    first = [i for i in roots if i in writing]
    return first, [i for i in roots if i not in writing]


def _cycles(drawing: Drawing) -> str:
    if not drawing.cycles:
        return ""
    lines = ["cycles"]
    for first, *others in drawing.cycles:
        line = f"  {clean(first)}"
        for step in others:
            address = clean(step)
            if cells(line) + cells(address) + 3 > _WIDTH:
                lines.append(line)
                line = f"    → {address}"
            else:
                line += f" → {address}"
        lines.append(line)
    return "\n".join(lines)
