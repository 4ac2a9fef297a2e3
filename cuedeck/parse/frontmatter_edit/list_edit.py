"""Edits that add or remove an item of a list in a card's front matter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.parse.frontmatter_edit.card_text import CardText, Check, Edit, KeyEntry, apply_edits, read_card_text
from cuedeck.parse.frontmatter_edit.key_edit import add_entry, remove_value, replace_value
from cuedeck.parse.frontmatter_edit.yaml_nodes import Node
from cuedeck.parse.frontmatter_edit.yaml_quoting import quote, quote_list
from cuedeck.parse.text_offsets import invalid_at, lead, line_start, newline_at, next_line


def add_item(data: bytes, key: str, item: str) -> bytes:
    """Append an item to a list, unless the list already contains it.

    A block list stays a block list, and a flow list stays a flow list. A comma-separated string gets one more part; any
    other string becomes a flow list. A missing key is added as a block list.

    Raises: Invalid like `set_key`, and if the list is shared with another key by an alias.
    """
    card = read_card_text(data)
    entry = card.find(key)
    if entry is None:
        line = f"{card.newline}{card.item_indent}- {quote(item)}"
        edit = add_entry(card, key, f" {quote_list([item])}" if card.root.flow else line)
        return apply_edits(card, [edit], key, _reads([item]))
    items = items_of(card, entry)
    if position(items, item) is not None:
        return data
    edits = _addition(card, entry, items, item)
    return apply_edits(card, edits, key, _reads([*(old.text for old in items), item]))


def remove_item(data: bytes, key: str, item: str) -> bytes:
    """Remove every item of a list whose value, source text or `ref:` (for a mapping) is `item`.

    A missing item changes nothing. The key stays after its last item was removed.

    Raises: Invalid like `add_item`.
    """
    while True:
        card = read_card_text(data)
        entry = card.find(key)
        items = items_of(card, entry) if entry else []
        index = position(items, item)
        if entry is None or index is None:
            return data
        rest = [old.text for place, old in enumerate(items) if place != index]
        data = apply_edits(card, _removal(card, entry, items, index, rest), key, _reads(rest))


def _addition(card: CardText, entry: KeyEntry, items: Sequence[Item], item: str) -> list[Edit]:
    value = entry.value
    if value.kind == "list":
        return add_to_flow(card.text, value, item) if value.flow else [add_to_block(card, value, item)]
    if value.start == value.end and not card.root.flow:
        return [start_block(card, entry, item)]
    if takes_part(card, entry, item):
        _, end = value.inside
        return [Edit(end, end, f", {item}")]
    texts = [*(old.text for old in items), item]
    return [replace_value(card, entry, quote_list(texts, like=value.style))]


def _removal(card: CardText, entry: KeyEntry, items: Sequence[Item], index: int, rest: Sequence[str]) -> list[Edit]:
    value = entry.value
    if value.kind == "list" and not value.flow:
        return [remove_from_block(card, value.children[index])]
    if value.kind == "scalar" and not rest:
        return [remove_value(card, entry)]
    spans = [item.span for item in items if item.span]
    return remove_from_flow(card.text, spans, index) if spans else [replace_value(card, entry, quote_list(rest))]


def _reads(expected: list[str]) -> Check:
    def is_done(card: CardText, entry: KeyEntry | None) -> bool:
        return entry is not None and [item.text for item in items_of(card, entry)] == expected

    return is_done


def start_block(card: CardText, entry: KeyEntry, item: str) -> Edit:
    """Return the edit that starts a block list below a key without a value."""
    after = next_line(card.text, card.after_colon(entry))
    return Edit(after, after, f"{card.item_indent}- {quote(item)}{newline_at(card.text, after)}")


def add_to_block(card: CardText, node: Node, item: str) -> Edit:
    """Return the edit that adds an item below the last one, with the same indentation, blanks and quotes."""
    text, last = card.text, node.children[-1]
    dash = card.dash(last)
    between = text[dash + 1 : last.start]
    blanks = between if between and not between.strip(" \t") else " "
    after = next_line(text, max(last.end, dash + 1))
    written = quote(item, like=node.last_style)
    return Edit(after, after, f"{lead(text, dash)}-{blanks}{written}{newline_at(text, after)}")


def remove_from_block(card: CardText, item: Node) -> Edit:
    """Return the edit that removes the lines of an item."""
    dash = card.dash(item)
    return Edit(line_start(card.text, dash), next_line(card.text, max(item.end, dash + 1)), "")


_GAP = re.compile(r"(?:\s|#[^\r\n]*)*")
_TAIL = re.compile(r"[ \t]*(?P<comma>,?)[ \t]*(?:#[^\r\n]*)?(?P<newline>\r\n|\r|\n)")


def add_to_flow(text: str, node: Node, item: str) -> list[Edit]:
    """Return the edits that append an item to a flow list, on its own line if the last item is on its own line."""
    written = quote(item, flow=True, like=node.last_style)
    if not node.children:
        inside = text.index("[", node.start) + 1
        return [Edit(inside, inside, written)]
    last = node.children[-1]
    before = lead(text, last.start)
    if before.strip(" \t"):
        return [Edit(last.end, last.end, f", {written}")]
    tail = _TAIL.match(text, last.end)
    if tail is None:
        newline = newline_at(text, line_start(text, last.start))
        return [Edit(last.end, last.end, f",{newline}{before}{written}")]
    below = Edit(tail.end(), tail.end(), f"{before}{written}{tail['comma']}{tail['newline']}")
    return [below] if tail["comma"] else [Edit(last.end, last.end, ","), below]


def remove_from_flow(text: str, spans: Sequence[tuple[int, int]], index: int) -> list[Edit]:
    """Return the edits that remove the item at `index` with one comma, and its line if it is alone on it."""
    start, end = spans[index]
    is_last = index == len(spans) - 1
    before = spans[index - 1][1] if index else None
    comma = None if before is None else _comma(text, before)
    tail = _TAIL.match(text, end)
    if tail and not lead(text, start).strip(" \t"):
        line = Edit(line_start(text, start), tail.end(), "")
        return [comma, line] if comma and is_last and not tail["comma"] else [line]
    if not is_last:
        return [Edit(start, spans[index + 1][0], "")]
    if before is None:
        trailing = _comma(text, end)
        return [Edit(start, trailing.end if trailing else end, "")]
    if comma and "#" in text[before:start]:
        return [comma, Edit(start, end, "")]
    return [Edit(before, end, "")]


def _comma(text: str, at: int) -> Edit | None:
    """Return the removal of the next comma after `at`, across comments and newlines, or None if none follows."""
    gap = _GAP.match(text, at)
    end = gap.end() if gap else at
    return Edit(end, end + 1, "") if text.startswith(",", end) else None


_COMMA_KEYS = ("tags", "depends_on")
"""Keys whose value may be a comma-separated string instead of a list."""
_PART = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_WHOLE = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_NOTHING = ("", "~", "null", "Null", "NULL")


class Item(NamedTuple):
    """An item of a list value: its parsed text, its source text and its position."""

    text: str
    written: str
    span: tuple[int, int] | None
    """The offsets in the file; None for a part of a string that is written with escapes."""


def items_of(card: CardText, entry: KeyEntry) -> list[Item]:
    """Return the items of a value. A string is one item, or its comma-separated parts for the keys that allow them.

    Raises: Invalid if the value is a mapping, or a list shared with another key by an alias.
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
    """Return the index of the first item whose value or source text is `wanted`, or None."""
    return next((index for index, item in enumerate(items) if wanted in (item.text, item.written)), None)


def takes_part(card: CardText, entry: KeyEntry, part: str) -> bool:
    """Return whether `part` can be appended to a comma-separated string without quoting."""
    name, value = entry
    if name.text not in _COMMA_KEYS or "," not in value.text or not _is_verbatim(card.text, value):
        return False
    is_plain = not set(part) & set("'\"\\") and quote(part, flow=True) == part
    return is_plain and _PART.fullmatch(part) is not None


def _has_alias(root: Node, anchor: str) -> bool:
    return any(node.kind == "alias" and node.anchor == anchor for node in root.walk())


def _list_item(text: str, node: Node) -> Item:
    """Return the item of a node. Its text is the scalar, the `ref:` of a mapping, or else the source text."""
    written = text[node.start : node.end]
    reading = node.text if node.kind == "scalar" else written
    if node.kind == "map":
        refs = [value.text for name, value in node.pairs if name.text == "ref" and value.kind == "scalar"]
        reading = refs[0] if refs else written
    return Item(reading, written, (node.start, node.end))


def _text_items(text: str, entry: KeyEntry) -> list[Item]:
    name, value = entry
    if not value.style and value.text in _NOTHING:
        return []
    parts = (_PART if name.text in _COMMA_KEYS else _WHOLE).finditer(value.text)
    if not _is_verbatim(text, value):
        return [Item(part.group(), part.group(), None) for part in parts]
    start, _ = value.inside
    return [Item(part.group(), part.group(), (start + part.start(), start + part.end())) for part in parts]


def _is_verbatim(text: str, node: Node) -> bool:
    """Return whether a scalar is written without escapes or folding: quotes aside, its text is the source text."""
    start, end = node.inside
    return node.text == text[start:end]
