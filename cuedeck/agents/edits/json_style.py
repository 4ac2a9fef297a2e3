"""The formatting style of a JSON file: newlines, indentation, one line or several."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from cuedeck.agents.edits.json_tree import Document, Node, Slot
from cuedeck.parse.text_edit import newline_of
from cuedeck.text.text_offsets import lead


def _has_line_end(text: str) -> bool:
    return "\n" in text or "\r" in text


def _write_inline(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_INDENT = "  "


class Style(NamedTuple):
    """The formatting style of a JSON file."""

    newline: str
    indent: str
    inline: bool
    """Whether the whole document is on one line."""

    def write(self, value: Any, before: str) -> str:
        """Return a value as JSON; `before` is the indentation of its lines after the
        first.
        """
        if self.inline:
            return _write_inline(value)
        lines = json.dumps(value, ensure_ascii=False, indent=self.indent).split("\n")
        return f"{self.newline}{before}".join(lines)


def style_of(document: Document) -> Style:
    """Return the style of a file; the default indentation is two spaces."""
    text = document.text
    root = document.root
    inline = False
    if root is not None and root.slots:
        inline = not _has_line_end(text[root.start : root.end])
    return Style(newline_of(text), _indent(document) or _INDENT, inline)


def _indent(document: Document) -> str:
    """Return the indentation step of the first container with indented slots, or an
    empty string.
    """
    pending = [] if document.root is None else [document.root]
    while pending:
        container = pending.pop()
        if not container.slots:
            continue
        inside = own_lead(document.text, container.slots[0])
        outside = line_lead(document.text, container)
        if inside and len(inside) > len(outside) and inside.startswith(outside):
            return inside[len(outside) :]
        pending += [slot.node for slot in reversed(container.slots)]
    return ""


def own_lead(text: str, slot: Slot) -> str | None:
    """Return the blanks before a slot at the start of its line, or None if other text
    precedes it.
    """
    before = lead(text, slot.start)
    return None if before.strip(" \t\ufeff") else before


def line_lead(text: str, node: Node) -> str:
    """Return the indentation of the line on which a node starts."""
    before = lead(text, node.start).removeprefix("\ufeff")
    return before[: len(before) - len(before.lstrip(" \t"))]
