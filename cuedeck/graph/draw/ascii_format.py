"""Text tree of a drawing for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.graph.draw.box_label import cells, clean, view
from cuedeck.graph.draw.bundles import Bundle, bundles, spanning
from cuedeck.model.diagram import Drawing

_WIDTH = 80
_NUMBERS = ("depth", "tokens")
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
    box: int
    """Index of the box; -1 for a repeated node, whose details are printed elsewhere."""


def draw_ascii(drawing: Drawing) -> str:
    """Return an indented tree with columns for depth, tokens and view, followed by the
    cycles.

    Each node is printed in full once, at its smallest depth; other places show `↑
    address`, or `↓ address` if the full line comes later. Edges other than `refs` are
    named: `├─ imports → src/db.py`. The title of a card follows its address. A legend
    at the end explains the marks used.
    """
    parts = [_heading(drawing), _table(drawing), _cycles(drawing), _legend(drawing)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _heading(drawing: Drawing) -> str:
    title = clean(drawing.title)
    if not drawing.budget:
        return title
    used = f"{drawing.tokens:,} of {drawing.budget:,} tokens"
    if not title:
        return used
    gap = max(2, _WIDTH - cells(title) - len(used))
    return title + " " * gap + used


def _table(drawing: Drawing) -> str:
    if not drawing.boxes:
        return "(nothing to draw)"
    rows = list(_rows(drawing))
    columns = _columns(drawing)
    widths = [max(map(len, column)) for column in columns]
    longest = max(cells(row.branch + row.text) for row in rows)
    room = _WIDTH - sum(widths) - 2 * len(widths)
    tree = min(longest, room)
    heads = [column[0] for column in columns]
    aligns = ""
    for head in heads:
        aligns += ">" if head in _NUMBERS else "<"
    lines = []
    if columns:
        lines.append(_line("", tree, heads, widths, aligns))
    for row in rows:
        details = []
        if row.box >= 0:
            details = [column[row.box + 1] for column in columns]
        left = row.branch + row.text
        if details and cells(left) > tree:
            lines.append(left)
            left = row.below
        lines.append(_line(left, tree, details, widths, aligns))
    return "\n".join(lines)


def _line(
    left: str, tree: int, details: list[str], widths: list[int], aligns: str
) -> str:
    line = left + " " * (tree - cells(left))
    for text, width, align in zip(details, widths, aligns, strict=False):
        line += f"  {text:{align}{width}}"
    return line.rstrip()


def _columns(drawing: Drawing) -> list[list[str]]:
    """Return the non-empty columns: heading first, then one cell per box."""
    depths = ["depth"]
    tokens = ["tokens"]
    has_view = any(box.view for box in drawing.boxes)
    views = ["view" if has_view else "state"]
    for box in drawing.boxes:
        depths.append(str(box.depth) if box.depth >= 0 else "")
        tokens.append(f"{box.tokens:,}" if box.tokens > 0 else "")
        views.append(view(box))
    return [column for column in (depths, tokens, views) if any(column[1:])]


def _rows(drawing: Drawing) -> Iterator[_Row]:
    boxes = drawing.boxes
    parents = spanning(drawing)
    children: list[list[Bundle]] = [[] for _ in boxes]
    for bundle in bundles(drawing):
        children[bundle.source].append(bundle)
    printed: set[int] = set()
    stack = []
    for i, parent in enumerate(parents):
        if parent == -1:
            root = Bundle(source=-1, target=i, edges=("refs",))
            stack.append((root, "", ""))
    stack.reverse()
    while stack:
        bundle, branch, indent = stack.pop()
        target = bundle.target
        address = clean(boxes[target].address)
        edge = _edge(bundle)
        if target in printed:
            yield _Row(branch, f"{edge}↑ {address}", "", -1)
            continue
        if parents[target] != bundle.source:
            yield _Row(branch, f"{edge}↓ {address}", "", -1)
            continue
        printed.add(target)
        title = boxes[target].title
        name = f"{address}  {clean(title)}" if title else address
        below = indent + "│" if children[target] else indent
        yield _Row(branch, edge + name, below, target)
        last_first = children[target][::-1]
        for child in last_first[:1]:
            stack.append((child, indent + "└─ ", indent + "   "))
        for child in last_first[1:]:
            stack.append((child, indent + "├─ ", indent + "│  "))


def _edge(bundle: Bundle) -> str:
    if bundle.edges == ("refs",):
        return ""
    return f"{clean(', '.join(bundle.edges))} → "


def _legend(drawing: Drawing) -> str:
    """Return a legend of the marks that occur in the tree."""
    tree = "\n".join(row.text for row in _rows(drawing))
    shown = []
    for mark, name, meaning in _MARKS:
        if mark in tree:
            shown.append(f"{name} = {meaning}")
    if not shown:
        return ""
    return "legend: " + ", ".join(shown)


def _cycles(drawing: Drawing) -> str:
    if not drawing.cycles:
        return ""
    lines = ["cycles"]
    for cycle in drawing.cycles:
        line = ""
        if cycle:
            line = "  " + clean(cycle[0])
        for step in cycle[1:]:
            address = clean(step)
            if cells(line) + cells(address) + 3 > _WIDTH:
                lines.append(line)
                line = f"    → {address}"
            else:
                line += f" → {address}"
        lines.append(line)
    return "\n".join(lines)
