"""Edits that add or remove an item of a list in a card's front matter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.parse.frontmatter_edit.card_text import (
    CardText,
    Check,
    Edit,
    KeyEntry,
    apply_edits,
    insertion,
    read_card_text,
)
from cuedeck.parse.frontmatter_edit.key_edit import (
    add_entry,
    remove_value,
    replace_value,
)
from cuedeck.parse.frontmatter_edit.yaml_nodes import Node
from cuedeck.parse.frontmatter_edit.yaml_quoting import quote, quote_list
from cuedeck.parse.text_offsets import (
    invalid_at,
    lead,
    line_start,
    newline_at,
    next_line,
)


def add_item(data: bytes, key: str, item: str) -> bytes:
    """Append an item to a list, unless the list already contains it.

    A block list stays a block list, and a flow list stays a flow list. A
    comma-separated string gets one more part; any other string becomes a flow list. A
    missing key is added as a block list.

    Raises: Invalid like `set_key`, and if the list is shared with another key by an
    alias.
    """
    card = read_card_text(data)
    entry = card.find(key)
    if entry is None:
        written = f"{card.newline}{card.item_indent}- {quote(item)}"
        if card.root.flow:
            written = f" {quote_list([item])}"
        edit = add_entry(card, key, written)
        return apply_edits(card, [edit], key, _reads([item]))
    items = items_of(card, entry)
    if position(items, item) is not None:
        return data
    expected = [old.text for old in items]
    expected.append(item)
    edits = _addition(card, entry, expected)
    return apply_edits(card, edits, key, _reads(expected))


def remove_item(data: bytes, key: str, item: str) -> bytes:
    """Remove every item of a list whose value, source text or `ref:` (for a mapping) is
    `item`.

    A missing item changes nothing. The key stays after its last item was removed.

    Raises: Invalid like `add_item`.
    """
    while True:
        card = read_card_text(data)
        entry = card.find(key)
        if entry is None:
            return data
        items = items_of(card, entry)
        index = position(items, item)
        if index is None:
            return data
        expected = [old.text for old in items]
        del expected[index]
        edits = _removal(card, entry, items, index)
        data = apply_edits(card, edits, key, _reads(expected))


def _addition(card: CardText, entry: KeyEntry, texts: Sequence[str]) -> list[Edit]:
    """Return the edits that add the last of `texts`, the items of the edited value."""
    value = entry.value
    item = texts[-1]
    if value.kind == "list":
        if value.flow:
            return add_to_flow(card.text, value, item)
        return [add_to_block(card, value, item)]
    if value.start == value.end and not card.root.flow:
        return [start_block(card, entry, item)]
    if takes_part(card, entry, item):
        _, end = value.inside
        return [insertion(end, f", {item}")]
    written = quote_list(texts, like=value.style)
    return [replace_value(card, entry, written)]


def _removal(
    card: CardText, entry: KeyEntry, items: Sequence[Item], index: int
) -> list[Edit]:
    value = entry.value
    if value.kind == "list" and not value.flow:
        return [remove_from_block(card, value.children[index])]
    if value.kind == "scalar" and len(items) == 1:
        return [remove_value(card, entry)]
    spans = [item.span for item in items if item.span]
    if spans:
        return remove_from_flow(card.text, spans, index)
    texts = [item.text for item in items]
    del texts[index]
    return [replace_value(card, entry, quote_list(texts))]


def _reads(expected: list[str]) -> Check:
    def is_done(card: CardText, entry: KeyEntry | None) -> bool:
        if entry is None:
            return False
        return [item.text for item in items_of(card, entry)] == expected

    return is_done


def start_block(card: CardText, entry: KeyEntry, item: str) -> Edit:
    """Return the edit that starts a block list below a key without a value."""
    after = next_line(card.text, card.after_colon(entry))
    newline = newline_at(card.text, after)
    return insertion(after, f"{card.item_indent}- {quote(item)}{newline}")


def add_to_block(card: CardText, node: Node, item: str) -> Edit:
    """Return the edit that adds an item below the last one, with the same indentation,
    blanks and quotes.
    """
    text = card.text
    last = node.children[-1]
    dash = card.dash(last)
    blanks = text[dash + 1 : last.start]
    if not blanks or blanks.strip(" \t"):
        blanks = " "
    after = next_line(text, max(last.end, dash + 1))
    written = quote(item, like=node.last_style)
    return insertion(
        after, f"{lead(text, dash)}-{blanks}{written}{newline_at(text, after)}"
    )


def remove_from_block(card: CardText, item: Node) -> Edit:
    """Return the edit that removes the lines of an item."""
    dash = card.dash(item)
    start = line_start(card.text, dash)
    end = next_line(card.text, max(item.end, dash + 1))
    return Edit(start, end, "")


_GAP = re.compile(r"(?:\s|#[^\r\n]*)*")
_TAIL = re.compile(r"[ \t]*(?P<comma>,?)[ \t]*(?:#[^\r\n]*)?(?P<newline>\r\n|\r|\n)")


def add_to_flow(text: str, node: Node, item: str) -> list[Edit]:
    """Return the edits that append an item to a flow list, on its own line if the last
    item is on its own line.
    """
    written = quote(item, flow=True, like=node.last_style)
    if not node.children:
        inside = text.index("[", node.start) + 1
        return [insertion(inside, written)]
    last = node.children[-1]
    indent = lead(text, last.start)
    if indent.strip(" \t"):
        return [insertion(last.end, f", {written}")]
    tail = _TAIL.match(text, last.end)
    if tail is None:
        newline = newline_at(text, line_start(text, last.start))
        return [insertion(last.end, f",{newline}{indent}{written}")]
    comma = tail["comma"]
    below = insertion(tail.end(), f"{indent}{written}{comma}{tail['newline']}")
    if comma:
        return [below]
    return [insertion(last.end, ","), below]


def remove_from_flow(
    text: str, spans: Sequence[tuple[int, int]], index: int
) -> list[Edit]:
    """Return the edits that remove the item at `index` with one comma, and its line if
    it is alone on it.
    """
    start, end = spans[index]
    is_last = index == len(spans) - 1
    before = None
    if index:
        before = spans[index - 1][1]
    comma = None
    if before is not None:
        comma = _comma(text, before)
    tail = _TAIL.match(text, end)
    is_alone = not lead(text, start).strip(" \t")
    if tail and is_alone:
        line = Edit(line_start(text, start), tail.end(), "")
        has_comma = not is_last or tail["comma"]
        if has_comma or not comma:
            return [line]
        return [comma, line]
    if not is_last:
        return [Edit(start, spans[index + 1][0], "")]
    if before is None:
        trailing = _comma(text, end)
        return [Edit(start, trailing.end if trailing else end, "")]
    if comma and "#" in text[before:start]:
        return [comma, Edit(start, end, "")]
    return [Edit(before, end, "")]


def _comma(text: str, at: int) -> Edit | None:
    """Return the removal of the next comma after `at`, across comments and newlines, or
    None if none follows.
    """
    gap = _GAP.match(text, at)
    end = gap.end() if gap else at
    if not text.startswith(",", end):
        return None
    return Edit(end, end + 1, "")


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
