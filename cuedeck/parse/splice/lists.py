"""Add and remove items of a list in a card's front matter."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.parse.splice.block import add_to_block, remove_from_block, start_block
from cuedeck.parse.splice.card_text import CardText, Entry, read_card_text
from cuedeck.parse.splice.edit import Check, Edit, apply_edits
from cuedeck.parse.splice.entries import add_entry, remove_value, replace_value
from cuedeck.parse.splice.flow import add_to_flow, remove_from_flow
from cuedeck.parse.splice.items import Item, items_of, position, takes_part
from cuedeck.parse.splice.quoting import quote, quote_list


def add_item(data: bytes, key: str, item: str) -> bytes:
    """Add an item at the end of a list, in the form the list has; an item that is there changes nothing.

    A block list stays a block list and a flow list a flow list; a text with commas gets one more part, any
    other text becomes a flow list; a missing key is added as a block list.

    Raises: Invalid as `set_key` does, and for a list shared with another key by an alias.
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
    """Remove every item of a list that reads, or is written, as `item`, or is a mapping with that `ref:`.

    A missing item changes nothing; the key stays when its last item goes.

    Raises: Invalid as `add_item` does.
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


def _addition(card: CardText, entry: Entry, items: Sequence[Item], item: str) -> list[Edit]:
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


def _removal(card: CardText, entry: Entry, items: Sequence[Item], index: int, rest: Sequence[str]) -> list[Edit]:
    value = entry.value
    if value.kind == "list" and not value.flow:
        return [remove_from_block(card, value.children[index])]
    if value.kind == "scalar" and not rest:
        return [remove_value(card, entry)]
    spans = [item.span for item in items if item.span]
    return remove_from_flow(card.text, spans, index) if spans else [replace_value(card, entry, quote_list(rest))]


def _reads(expected: list[str]) -> Check:
    def is_done(card: CardText, entry: Entry | None) -> bool:
        return entry is not None and [item.text for item in items_of(card, entry)] == expected

    return is_done
