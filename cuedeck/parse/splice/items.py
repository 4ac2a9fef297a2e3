"""The items of a value: those of a list, or the parts of a text that is read as one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.parse.splice.card_text import CardText, Entry
from cuedeck.parse.splice.places import invalid_at
from cuedeck.parse.splice.quoting import quote
from cuedeck.parse.splice.tree import Node

_COMMA_KEYS = ("tags", "depends_on")
"""Keys whose value, when it is one text, is read as a list with commas."""
_PART = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_WHOLE = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_NOTHING = ("", "~", "null", "Null", "NULL")


class Item(NamedTuple):
    """An item of a value, as it reads and where it is written."""

    text: str
    written: str
    span: tuple[int, int] | None
    """None for a part of a text whose letters do not stand in the file as they read."""


def items_of(card: CardText, entry: Entry) -> list[Item]:
    """List the items of a value; a text is one item, or its parts between commas where the key has them.

    Raises: Invalid for a mapping, and for a list shared with another key by an alias.
    """
    value = entry.value
    shared = value.kind == "alias" or (value.anchor and _has_alias(card.root, value.anchor))
    if shared or value.kind == "map":
        what = "shared by an alias" if shared else "not a list"
        raise invalid_at(card.text, value.start, f"the value of {entry.name.text!r} is {what}")
    if value.kind == "list":
        return [_list_item(card.text, node) for node in value.children]
    return _text_items(card.text, entry)


def position(items: Sequence[Item], wanted: str) -> int | None:
    """Return the index of the first item that reads, or is written, as `wanted`."""
    return next((index for index, item in enumerate(items) if wanted in (item.text, item.written)), None)


def takes_part(card: CardText, entry: Entry, part: str) -> bool:
    """Whether `part` can be written into a text behind one more comma."""
    name, value = entry
    if name.text not in _COMMA_KEYS or "," not in value.text or not _is_verbatim(card.text, value):
        return False
    is_plain = not set(part) & set("'\"\\") and quote(part, flow=True) == part
    return is_plain and _PART.fullmatch(part) is not None


def _has_alias(root: Node, anchor: str) -> bool:
    return any(node.kind == "alias" and node.anchor == anchor for node in root.walk())


def _list_item(text: str, node: Node) -> Item:
    """Return an item that reads as a scalar's text, as the `ref:` of a mapping, else as it is written."""
    written = text[node.start : node.end]
    reading = node.text if node.kind == "scalar" else written
    if node.kind == "map":
        refs = [value.text for name, value in node.pairs if name.text == "ref" and value.kind == "scalar"]
        reading = refs[0] if refs else written
    return Item(reading, written, (node.start, node.end))


def _text_items(text: str, entry: Entry) -> list[Item]:
    name, value = entry
    if not value.style and value.text in _NOTHING:
        return []
    parts = (_PART if name.text in _COMMA_KEYS else _WHOLE).finditer(value.text)
    if not _is_verbatim(text, value):
        return [Item(part.group(), part.group(), None) for part in parts]
    start, _ = value.inside
    return [Item(part.group(), part.group(), (start + part.start(), start + part.end())) for part in parts]


def _is_verbatim(text: str, node: Node) -> bool:
    """Whether a scalar stands in the file letter for letter, apart from quotes around it."""
    start, end = node.inside
    return node.text == text[start:end]
