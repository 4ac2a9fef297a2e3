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
    cycles = ["  " + " → ".join(map(clean, cycle)) for cycle in drawing.cycles]
    parts = [
        heading,
        _table(drawing.boxes, rows) if rows else "(nothing to draw)",
        "\n".join(["cycles", *cycles]) if cycles else "",
        f"legend: {', '.join(marks)}" if marks else "",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(boxes: Sequence[Box], rows: Sequence[Row]) -> str:
    heads = ("depth", "tokens", "view" if any(box.view for box in boxes) else "state")
    details = [_details(box) for _, box in rows]
    shown = [at for at in range(3) if any(each[at] for each in details)]
    table = [("", heads)] if shown else []
    table += [(text, each) for (text, _), each in zip(rows, details, strict=True)]
    tree = max(cells(text) for text, _ in table)
    widths = [max(len(texts[at]) for _, texts in table) for at in range(3)]
    lines = []
    for text, texts in table:
        line = text + " " * (tree - cells(text))
        for at in shown:
            line += f"  {texts[at]:{'>><'[at]}{widths[at]}}"
        lines.append(line.rstrip())
    return "\n".join(lines)


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
        children[bundle.source].append(bundle)
    printed: set[int] = set()
    starts = [*_roots(drawing), *range(len(boxes))]
    stack = [(Bundle(-1, at, ("refs",)), "", "") for at in reversed(starts)]
    while stack:
        (source, target, edges), branch, indent = stack.pop()
        box = boxes[target]
        edge = "" if edges == ("refs",) else f"{clean(', '.join(edges))} → "
        if target in printed:
            if source >= 0:
                yield f"{branch}{edge}↑ {clean(box.address)}", None
            continue
        printed.add(target)
        title = f"  {clean(box.title)}" if box.title else ""
        yield f"{branch}{edge}{clean(box.address)}{title}", box
        for at, child in enumerate(reversed(children[target])):
            corner, line = ("├─ ", "│  ") if at else ("└─ ", "   ")
            stack.append((child, indent + corner, indent + line))


def _roots(drawing: Drawing) -> list[int]:
    """Return the boxes of depth 0, or else those without incoming edges other than
    `ABOUT`, cards first.
    """
    pointed: set[int] = set()
    for source, target, edges in bundles(drawing):
        if source != target and not ABOUT.issuperset(edges):
            pointed.add(target)
    roots = [at for at, box in enumerate(drawing.boxes) if box.depth == 0]
    if not roots:
        roots = [at for at in range(len(drawing.boxes)) if at not in pointed]
    return sorted(roots, key=lambda at: drawing.boxes[at].kind != "card")
