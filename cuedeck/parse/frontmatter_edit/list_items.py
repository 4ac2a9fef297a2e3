"""The items of a front matter value: of a list, or of a string with commas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.parse.frontmatter_edit.card_text import CardText, KeyEntry
from cuedeck.parse.frontmatter_edit.yaml_nodes import Node
from cuedeck.parse.frontmatter_edit.yaml_quoting import quote
from cuedeck.text.text_offsets import invalid_at

_COMMA_KEYS = ("tags", "depends_on")
"""Keys whose value may be a comma-separated string instead of a list."""


_PART = re.compile(r"[^\s,](?:[^,]*[^\s,])?")


_NEEDS_QUOTES = frozenset("'\"\\")


_WHOLE = re.compile(r"\S(?:.*\S)?", re.DOTALL)


_NOTHING = ("", "~", "null", "Null", "NULL")


class Item(NamedTuple):
    """An item of a list value: its parsed text, its source text and its position."""

    text: str
    written: str
    span: tuple[int, int] | None
    """The offsets in the file; None for a part of a string that is written with
    escapes.
    """


def items_of(card: CardText, entry: KeyEntry) -> list[Item]:
    """Return the items of a value. A string is one item, or its comma-separated parts
    for the keys that allow them.

    Raises: Invalid if the value is a mapping, or a list shared with another key by an
    alias.
    """
    name, value = entry
    is_shared = value.kind == "alias" or (
        value.anchor and _has_alias(card.root, value.anchor)
    )
    if is_shared:
        raise invalid_at(
            card.text, value.start, f"the value of {name.text!r} is shared by an alias"
        )
    if value.kind == "map":
        raise invalid_at(
            card.text, value.start, f"the value of {name.text!r} is not a list"
        )
    if value.kind == "list":
        return [_list_item(card.text, node) for node in value.children]
    return _text_items(card.text, entry)


def position(items: Sequence[Item], wanted: str) -> int | None:
    """Return the index of the first item whose value or source text is `wanted`, or
    None.
    """
    for index, item in enumerate(items):
        if wanted in (item.text, item.written):
            return index
    return None


def takes_part(card: CardText, entry: KeyEntry, part: str) -> bool:
    """Return whether `part` can be appended to a comma-separated string without
    quoting.
    """
    name, value = entry
    if name.text not in _COMMA_KEYS or "," not in value.text:
        return False
    if not _is_verbatim(card.text, value) or _PART.fullmatch(part) is None:
        return False
    if not _NEEDS_QUOTES.isdisjoint(part):
        return False
    return quote(part, flow=True) == part


def _has_alias(root: Node, anchor: str) -> bool:
    return any(node.kind == "alias" and node.anchor == anchor for node in root.walk())


def _list_item(text: str, node: Node) -> Item:
    """Return the item of a node. Its text is the scalar, the `ref:` of a mapping, or
    else the source text.
    """
    written = text[node.start : node.end]
    span = (node.start, node.end)
    if node.kind == "scalar":
        return Item(node.text, written, span)
    if node.kind == "map":
        for name, value in node.pairs:
            if name.text == "ref" and value.kind == "scalar":
                return Item(value.text, written, span)
    return Item(written, written, span)


def _text_items(text: str, entry: KeyEntry) -> list[Item]:
    name, value = entry
    if not value.style and value.text in _NOTHING:
        return []
    pattern = _PART if name.text in _COMMA_KEYS else _WHOLE
    is_verbatim = _is_verbatim(text, value)
    offset, _ = value.inside
    items = []
    for match in pattern.finditer(value.text):
        part = match.group()
        span = (offset + match.start(), offset + match.end())
        items.append(Item(part, part, span if is_verbatim else None))
    return items


def _is_verbatim(text: str, node: Node) -> bool:
    """Return whether a scalar is written without escapes or folding: quotes aside, its
    text is the source text.
    """
    start, end = node.inside
    return node.text == text[start:end]
