"""Mermaid, Graphviz DOT and JSON formats of a drawing."""

from __future__ import annotations

import json
import re

from cuedeck.graph.draw.drawing_parts import INKS, bundles, clean, ink_kind, words
from cuedeck.model.diagram import Arrow, Box, Drawing
from cuedeck.model.ports import Json

# Inside quotes Mermaid interprets Markdown, HTML, entities and its own syntax, and uses
# ﬂ and ¶ to protect entities. A leading dash, or digits with a dot, would start a list.
_SPECIAL = re.compile(
    r"^(?:[ -]|[0-9](?=[0-9]*\.))|[^A-Za-z0-9 .,/\x80-\U0010ffff-]|[ﬂ¶]"
)
_SHAPES = {
    "card": ('["', '"]'),
    "doc": ('("', '")'),
    "source": ('[["', '"]]'),
    "decision": ('{"', '"}'),
    "record": ('(["', '"])'),
    "binary": ('{{"', '"}}'),
    "folder": ('[/"', '"/]'),
    "dead": ('>"', '"]'),
}


def draw_mermaid(drawing: Drawing) -> str:
    """Return a left-to-right flowchart with nodes `n0`, `n1`, … in the order of the
    boxes.
    """
    # The title in the front matter is YAML, and a JSON string is a valid YAML string.
    lines = []
    if drawing.title:
        title = json.dumps(clean(drawing.title), ensure_ascii=False)
        lines += ["---", f"title: {title}", "---"]
    lines.append("flowchart LR")
    for i, box in enumerate(drawing.boxes):
        opening, closing = _SHAPES.get(box.kind, _SHAPES["card"])
        text = "<br/>".join(map(escape, words(box)))
        lines.append(f"  n{i}{opening}{text}{closing}")
    for source, target, edges in bundles(drawing):
        line = "-->" if drawing.boxes[target].state in ("shown", "plain") else "-.->"
        label = escape(", ".join(edges))
        lines.append(f'  n{source} {line}|"{label}"| n{target}')
    lines += _classes(drawing)
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Return `text` for use between quotes: every character that Mermaid could
    interpret becomes an entity.
    """
    return _SPECIAL.sub(
        lambda match: "#quot;" if match[0] == '"' else f"#{ord(match[0])};", clean(text)
    )


def _classes(drawing: Drawing) -> list[str]:
    styles = {
        kind: (f"{kind}Kind", f"fill:{ink.pale},stroke:{ink.strong},color:#16191d")
        for kind, ink in INKS.items()
    }
    styles["left-out"] = ("leftOut", "stroke-dasharray:5 4,opacity:0.6")
    styles["state dead"] = ("deadLink", "stroke-dasharray:2 3")
    members: dict[str, list[str]] = {key: [] for key in styles}
    for i, box in enumerate(drawing.boxes):
        members[ink_kind(box.kind)].append(f"n{i}")
        state = "state dead" if box.state == "dead" else box.state
        members.get(state, []).append(f"n{i}")
    lines = []
    for key, (name, style) in styles.items():
        if members[key]:
            lines.append(f"  classDef {name} {style}")
            lines.append(f"  class {','.join(members[key])} {name}")
    return lines


_DOT_SHAPES = {
    "card": "box",
    "doc": "note",
    "source": "component",
    "decision": "hexagon",
    "record": "tab",
    "binary": "cylinder",
    "folder": "folder",
}


def draw_dot(drawing: Drawing) -> str:
    """Return a left-to-right DOT digraph."""
    lines = [
        "digraph cuedeck {",
        f"  graph [rankdir=LR, label={quote(drawing.title)}, labelloc=t, fontname=Helvetica]",
        "  node [fontname=Helvetica, fontsize=11]",
        '  edge [fontname=Helvetica, fontsize=9, color="#7a7f87"]',
        *(_dot_node(box) for box in drawing.boxes),
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


def _dot_node(box: Box) -> str:
    colours = INKS[ink_kind(box.kind)]
    style = "filled" if box.state in ("shown", "related", "plain") else "filled,dashed"
    return (
        f"  {quote(box.address)} [label={quote(*words(box))}, shape={_DOT_SHAPES.get(box.kind, 'box')}, "
        f'style="{style}", color="{colours.strong}", fillcolor="{colours.pale}"]'
    )


_SURROGATE = re.compile("[\ud800-\udfff]")


def draw_json(drawing: Drawing) -> str:
    """Return the drawing as indented JSON.

    Shape:
    `{"schema","title","budget","tokens","nodes":[{"address","kind","depth","tokens","state","view","title"}],
    "edges":[{"source","target","edge"}],"cycles":[[address, …]]}`. A derived edge also
    has the `line`, or the number of `commits`, that supports it. `left_out` and
    `records_left_out` count the files and records omitted for lack of room.
    """
    shape: Json = {
        "schema": 1,
        "title": drawing.title,
        "budget": drawing.budget,
        "tokens": drawing.tokens,
        "nodes": [box._asdict() for box in drawing.boxes],
        "edges": [_edge(arrow) for arrow in drawing.arrows],
        "cycles": [list(cycle) for cycle in drawing.cycles],
    }
    if drawing.left_out:
        shape["left_out"] = drawing.left_out
    if drawing.records_left_out:
        shape["records_left_out"] = drawing.records_left_out
    text = json.dumps(shape, indent=2, ensure_ascii=False)
    # A file name that is not valid UTF-8 contains lone surrogates; escaped, they can be
    # encoded and decoded again.
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text) + "\n"


def _edge(arrow: Arrow) -> Json:
    fields = arrow._asdict()
    return {
        name: value
        for name, value in fields.items()
        if value or name not in ("line", "commits")
    }
