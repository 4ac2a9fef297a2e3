"""Mermaid flowchart of a drawing, for Markdown rendered in a browser."""

from __future__ import annotations

import json
import re

from cuedeck.graph.draw.box_label import clean, words
from cuedeck.graph.draw.bundles import bundles
from cuedeck.graph.draw.palette import ALL_INKS, INKS, Ink
from cuedeck.model.diagram import Box, Drawing

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
        lines.append(_node(i, box))
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
    return _SPECIAL.sub(lambda match: _entity(match.group()), clean(text))


def _entity(char: str) -> str:
    if char == '"':
        return "#quot;"
    return f"#{ord(char)};"


def _node(index: int, box: Box) -> str:
    opening, closing = _SHAPES.get(box.kind, _SHAPES["card"])
    text = "<br/>".join(map(escape, words(box)))
    return f"  n{index}{opening}{text}{closing}"


def _classes(drawing: Drawing) -> list[str]:
    by_kind: dict[str, list[int]] = {}
    by_state: dict[str, list[int]] = {}
    for i, box in enumerate(drawing.boxes):
        kind = "other"
        if box.kind in INKS:
            kind = box.kind
        by_kind.setdefault(kind, []).append(i)
        by_state.setdefault(box.state, []).append(i)
    lines = []
    for kind, colours in ALL_INKS.items():
        lines += _class(f"{kind}Kind", _fill(colours), by_kind.get(kind, []))
    lines += _class(
        "leftOut", "stroke-dasharray:5 4,opacity:0.6", by_state.get("left-out", [])
    )
    lines += _class("deadLink", "stroke-dasharray:2 3", by_state.get("dead", []))
    return lines


def _class(name: str, style: str, nodes: list[int]) -> list[str]:
    if not nodes:
        return []
    members = ",".join(f"n{i}" for i in nodes)
    return [f"  classDef {name} {style}", f"  class {members} {name}"]


def _fill(colours: Ink) -> str:
    return f"fill:{colours.pale},stroke:{colours.strong},color:#16191d"
