"""Edits that add or remove an item of a list in a card's front matter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.parse.frontmatter_edit.card_text import (
    CardText,
    Check,
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
from cuedeck.parse.frontmatter_edit.list_items import (
    Item,
    items_of,
    position,
    takes_part,
)
from cuedeck.parse.frontmatter_edit.yaml_nodes import Node
from cuedeck.parse.frontmatter_edit.yaml_quoting import quote, quote_list
from cuedeck.parse.text_edit import Swap
from cuedeck.text.text_offsets import lead, line_start, newline_at, next_line


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


def _addition(card: CardText, entry: KeyEntry, texts: Sequence[str]) -> list[Swap]:
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
) -> list[Swap]:
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


def start_block(card: CardText, entry: KeyEntry, item: str) -> Swap:
    """Return the edit that starts a block list below a key without a value."""
    after = next_line(card.text, card.after_colon(entry))
    newline = newline_at(card.text, after)
    return insertion(after, f"{card.item_indent}- {quote(item)}{newline}")


def add_to_block(card: CardText, node: Node, item: str) -> Swap:
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


def remove_from_block(card: CardText, item: Node) -> Swap:
    """Return the edit that removes the lines of an item."""
    dash = card.dash(item)
    start = line_start(card.text, dash)
    end = next_line(card.text, max(item.end, dash + 1))
    return Swap(start, end)


_GAP = re.compile(r"(?:\s|#[^\r\n]*)*")
_TAIL = re.compile(r"[ \t]*(?P<comma>,?)[ \t]*(?:#[^\r\n]*)?(?P<newline>\r\n|\r|\n)")


def add_to_flow(text: str, node: Node, item: str) -> list[Swap]:
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
) -> list[Swap]:
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
        line = Swap(line_start(text, start), tail.end())
        has_comma = not is_last or tail["comma"]
        if has_comma or not comma:
            return [line]
        return [comma, line]
    if not is_last:
        return [Swap(start, spans[index + 1][0])]
    if before is None:
        trailing = _comma(text, end)
        return [Swap(start, trailing.end if trailing else end)]
    if comma and "#" in text[before:start]:
        return [comma, Swap(start, end)]
    return [Swap(before, end)]


def _comma(text: str, at: int) -> Swap | None:
    """Return the removal of the next comma after `at`, across comments and newlines, or
    None if none follows.
    """
    gap = _GAP.match(text, at)
    end = gap.end() if gap else at
    if not text.startswith(",", end):
        return None
    return Swap(end, end + 1)
