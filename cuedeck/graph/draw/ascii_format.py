"""Text tree of a drawing for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.graph.draw.box_label import cells, clean, view
from cuedeck.graph.draw.layers import Bundle, bundles, spanning
from cuedeck.model.diagram import Drawing

_WIDTH = 80
_NUMBERS = ("depth", "tokens")


class _Row(NamedTuple):
    branch: str
    text: str
    below: str
    """Tree lines to continue on a second line of the row."""
    box: int
    """Index of the box; -1 for a repeated node, whose details are printed elsewhere."""


def draw_ascii(drawing: Drawing) -> str:
    """Return an indented tree with columns for depth, tokens and view, followed by the cycles.

    Each node is printed in full once, at its smallest depth; other places show `↑ address`, or `↓ address` if the full
    line comes later. Edges other than `refs` are named: `├─ imports → src/db.py`. The title of a card follows its
    address. A legend at the end explains the marks used.
    """
    parts = [_heading(drawing), _table(drawing), _cycles(drawing), _legend(drawing)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _heading(drawing: Drawing) -> str:
    title = clean(drawing.title)
    if not drawing.budget:
        return title
    used = f"{drawing.tokens:,} of {drawing.budget:,} tokens"
    return f"{title}{' ' * max(2, _WIDTH - cells(title) - len(used))}{used}" if title else used


def _table(drawing: Drawing) -> str:
    if not drawing.boxes:
        return "(nothing to draw)"
    rows = list(_rows(drawing))
    columns = _columns(drawing)
    widths = [max(map(len, column)) for column in columns]
    longest = max(cells(row.branch + row.text) for row in rows)
    tree = min(longest, _WIDTH - sum(widths) - 2 * len(widths))
    aligns = "".join(">" if column[0] in _NUMBERS else "<" for column in columns)
    lines = [_line("", tree, [column[0] for column in columns], widths, aligns)] if columns else []
    for row in rows:
        details = [column[row.box + 1] for column in columns] if row.box >= 0 else []
        left = row.branch + row.text
        if details and cells(left) > tree:
            lines.append(left)
            left = row.below
        lines.append(_line(left, tree, details, widths, aligns))
    return "\n".join(lines)


def _line(left: str, tree: int, details: list[str], widths: list[int], aligns: str) -> str:
    padded = left + " " * (tree - cells(left))
    right = (f"  {text:{align}{width}}" for text, width, align in zip(details, widths, aligns, strict=False))
    return (padded + "".join(right)).rstrip()


def _columns(drawing: Drawing) -> list[list[str]]:
    """Return the non-empty columns: heading first, then one cell per box."""
    boxes = drawing.boxes
    state = "view" if any(box.view for box in boxes) else "state"
    columns = [
        ["depth", *(str(box.depth) if box.depth >= 0 else "" for box in boxes)],
        ["tokens", *(f"{box.tokens:,}" if box.tokens > 0 else "" for box in boxes)],
        [state, *(view(box) for box in boxes)],
    ]
    return [column for column in columns if any(column[1:])]


def _rows(drawing: Drawing) -> Iterator[_Row]:
    boxes = drawing.boxes
    parents = spanning(drawing)
    children: list[list[Bundle]] = [[] for _ in boxes]
    for bundle in bundles(drawing):
        children[bundle.source].append(bundle)
    printed = [False] * len(boxes)
    roots = [Bundle(-1, i, ("refs",)) for i, parent in enumerate(parents) if parent == -1]
    stack = [(bundle, "", "") for bundle in reversed(roots)]
    while stack:
        bundle, branch, inner = stack.pop()
        box = boxes[bundle.target]
        edge = "" if bundle.edges == ("refs",) else f"{clean(', '.join(bundle.edges))} → "
        if parents[bundle.target] != bundle.source or printed[bundle.target]:
            arrow = "↑" if printed[bundle.target] else "↓"
            yield _Row(branch, f"{edge}{arrow} {clean(box.address)}", "", -1)
            continue
        printed[bundle.target] = True
        below = children[bundle.target]
        name = f"{box.address}  {box.title}" if box.title else box.address
        yield _Row(branch, edge + clean(name), inner + ("│" if below else ""), bundle.target)
        for i, child in enumerate(reversed(below)):
            ends = ("└─ ", "   ") if i == 0 else ("├─ ", "│  ")
            stack.append((child, inner + ends[0], inner + ends[1]))


def _legend(drawing: Drawing) -> str:
    """Return a legend of the marks that occur in the tree."""
    texts = [row.text for row in _rows(drawing)]
    marks = (
        ("kind → node", "link of that kind (none: ref)", any(" → " in text for text in texts)),
        ("↑", "listed above", any("↑ " in text for text in texts)),
        ("↓", "listed below", any("↓ " in text for text in texts)),
    )
    shown = [f"{mark} = {meaning}" for mark, meaning, occurs in marks if occurs]
    return "legend: " + ", ".join(shown) if shown else ""


def _cycles(drawing: Drawing) -> str:
    if not drawing.cycles:
        return ""
    lines = ["cycles"]
    for cycle in drawing.cycles:
        line = "  " + clean(cycle[0]) if cycle else ""
        for address in map(clean, cycle[1:]):
            if cells(line) + cells(address) + 3 > _WIDTH:
                lines.append(line)
                line = f"    → {address}"
            else:
                line += f" → {address}"
        lines.append(line)
    return "\n".join(lines)
