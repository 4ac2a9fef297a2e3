"""Graphviz DOT format of a drawing."""

from __future__ import annotations

from cuedeck.graph.draw.box_label import clean, words
from cuedeck.graph.draw.bundles import bundles
from cuedeck.graph.draw.palette import ink
from cuedeck.model.diagram import Box, Drawing

_SHAPES = {
    "card": "box",
    "doc": "note",
    "source": "component",
    "decision": "hexagon",
    "record": "tab",
    "binary": "cylinder",
    "folder": "folder",
}


def draw_dot(drawing: Drawing) -> str:
    """Return a left-to-right DOT digraph; node ids are addresses and thus stable when
    other nodes change.
    """
    lines = [
        "digraph cuedeck {",
        f"  graph [rankdir=LR, label={quote(drawing.title)}, labelloc=t, fontname=Helvetica]",
        "  node [fontname=Helvetica, fontsize=11]",
        '  edge [fontname=Helvetica, fontsize=9, color="#7a7f87"]',
        *(_node(box) for box in drawing.boxes),
    ]
    for source, target, edges in bundles(drawing):
        tail = drawing.boxes[source]
        head = drawing.boxes[target]
        style = "" if head.state in ("shown", "plain") else ", style=dashed"
        label = quote(", ".join(edges))
        lines.append(
            f"  {quote(tail.address)} -> {quote(head.address)} [label={label}{style}]"
        )
    lines.append("}")
    return "\n".join(lines) + "\n"


def quote(*parts: str) -> str:
    """Return the parts as one quoted DOT string, one part per line, without
    interpretation of escapes.
    """
    escaped = (
        clean(part).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
        for part in parts
    )
    return '"' + "\\n".join(escaped) + '"'


def _node(box: Box) -> str:
    colours = ink(box.kind)
    style = "filled" if box.state in ("shown", "related", "plain") else "filled,dashed"
    return (
        f"  {quote(box.address)} [label={quote(*words(box))}, shape={_SHAPES.get(box.kind, 'box')}, "
        f'style="{style}", color="{colours.strong}", fillcolor="{colours.pale}"]'
    )
