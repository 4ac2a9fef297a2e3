"""How a JSON file is written: its newlines, its indentation, and whether it stands on one line."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from cuedeck.parse.hosts.edit import newline_of
from cuedeck.parse.hosts.json_tree import Document, Node, Slot
from cuedeck.parse.splice.places import lead

_INDENT = "  "


class Style(NamedTuple):
    """How values are written into a file so that they look like the rest."""

    newline: str
    indent: str
    inline: bool
    """Whether everything stands on one line."""

    def write(self, value: Any, before: str, *, inline: bool = False) -> str:
        """Return a value as text; `before` is what its lines after the first begin with."""
        if inline or self.inline:
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self.indent).split("\n")
        return f"{self.newline}{before}".join(lines)


def style_of(document: Document) -> Style:
    """Return the style of a file, that of most editors where it has none."""
    text, root = document.text, document.root
    inline = root is not None and bool(root.slots) and not set("\r\n") & set(text[root.start : root.end])
    return Style(newline_of(text), _indent(document) or _INDENT, inline)


def _indent(document: Document) -> str:
    """Return by how much the first container indents what it holds."""
    waiting = [] if document.root is None else [document.root]
    while waiting:
        here = waiting.pop()
        for slot in here.slots[:1]:
            inside, outside = own_lead(document.text, slot), line_lead(document.text, here)
            if inside and len(inside) > len(outside) and inside.startswith(outside):
                return inside[len(outside) :]
        waiting += [slot.node for slot in reversed(here.slots)]
    return ""


def own_lead(text: str, slot: Slot) -> str | None:
    """Return the blanks before a slot that begins its line; None for one that does not."""
    before = lead(text, slot.start)
    return None if before.strip(" \t\ufeff") else before


def line_lead(text: str, node: Node) -> str:
    """Return the blanks with which the line of a node begins."""
    before = lead(text, node.start).removeprefix("\ufeff")
    return before[: len(before) - len(before.lstrip(" \t"))]
