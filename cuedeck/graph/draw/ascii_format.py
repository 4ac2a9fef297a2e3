"""Text tree of a drawing for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.graph.draw.drawing_parts import Bundle, bundles, cells, clean, view
from cuedeck.model.diagram import ABOUT, Box, Drawing

_MARKS = (
    (" → ", "kind → node", "link of that kind (none: ref)"),
    ("↑ ", "↑", "listed above"),
)
"""Marks in the tree, each with its name and meaning in the legend."""

Row = tuple[str, Box | None]
"""A line of the tree, and the box whose details follow it."""


def draw_ascii(drawing: Drawing) -> str:
    """Return an indented tree with columns for depth, tokens and view, followed by the
    cycles.

    Each node is printed in full once; other places show `↑ address`. Edges other than
    `refs` are named: `├─ imports → src/db.py`. The title of a card follows its address.
    A legend at the end explains the marks used.
    """
    rows = list(_rows(drawing))
    tree = "\n".join(text for text, _ in rows)
    marks = [f"{name} = {meaning}" for mark, name, meaning in _MARKS if mark in tree]
    heading = clean(drawing.title)
    if drawing.budget:
        heading += f"  {drawing.tokens:,} of {drawing.budget:,} tokens"
    parts = [heading]
    if rows:
        parts.append(_table(drawing.boxes, rows))
    else:
        parts.append("(nothing to draw)")
    if drawing.cycles:
        cycles = ["  " + " → ".join(map(clean, cycle)) for cycle in drawing.cycles]
        parts.append("\n".join(["cycles", *cycles]))
    if marks:
        parts.append(f"legend: {', '.join(marks)}")
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(boxes: Sequence[Box], rows: Sequence[Row]) -> str:
    shown = "view" if any(box.view for box in boxes) else "state"
    heads = ("depth", "tokens", shown)
    details = [_details(box) for _, box in rows]
    columns = []
    for column in zip(heads, *details, strict=True):
        if any(column[1:]):
            columns.append(column)
    lines = [text for text, _ in rows]
    if columns:
        lines.insert(0, "")
    width = max(map(cells, lines))
    lines = [line + " " * (width - cells(line)) for line in lines]
    for column in columns:
        width = max(map(len, column))
        align = str.ljust if column[0] == heads[2] else str.rjust
        for at, text in enumerate(column):
            lines[at] += "  " + align(text, width)
    return "\n".join(map(str.rstrip, lines))


def _details(box: Box | None) -> tuple[str, str, str]:
    """Return the texts in the columns: depth, tokens, view."""
    if box is None:
        return "", "", ""
    depth = str(box.depth) if box.depth >= 0 else ""
    return depth, f"{box.tokens:,}" if box.tokens > 0 else "", view(box)


def _rows(drawing: Drawing) -> Iterator[Row]:
    """Yield the tree, depth first from the roots; then the boxes that these do not
    reach.
    """
    boxes = drawing.boxes
    children: list[list[Bundle]] = [[] for _ in boxes]
    for bundle in bundles(drawing):
        children[bundle.source].insert(0, bundle)
    printed: set[int] = set()
    stack = []
    for at in reversed([*_roots(drawing), *range(len(boxes))]):
        stack.append((Bundle(-1, at, ("refs",)), "", ""))
    while stack:
        (source, target, edges), branch, indent = stack.pop()
        name = clean(boxes[target].address)
        if edges != ("refs",):
            branch += f"{clean(', '.join(edges))} → "
        if target in printed:
            if source >= 0:
                yield f"{branch}↑ {name}", None
            continue
        printed.add(target)
        if boxes[target].title:
            name += f"  {clean(boxes[target].title)}"
        yield branch + name, boxes[target]
        corner = "└─ "
        line = "   "
        for child in children[target]:
            stack.append((child, indent + corner, indent + line))
            corner = "├─ "
            line = "│  "


def _roots(drawing: Drawing) -> list[int]:
    """Return the boxes of depth 0, or else those without incoming edges other than
    `ABOUT`, cards first.
    """
    pointed: set[int] = set()
    for source, target, edges in bundles(drawing):
        if source != target and not ABOUT.issuperset(edges):
            pointed.add(target)
    starts = []
    roots = []
    for at, box in enumerate(drawing.boxes):
        if box.depth == 0:
            starts.append(at)
        if at not in pointed:
            roots.append(at)
    return sorted(starts or roots, key=lambda at: drawing.boxes[at].kind != "card")
