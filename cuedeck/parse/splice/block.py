"""Edits of block lists: one item a line, each behind a dash."""

from __future__ import annotations

from cuedeck.parse.splice.card_text import CardText, Entry
from cuedeck.parse.splice.edit import Edit
from cuedeck.parse.splice.places import lead, line_start, newline_at, next_line
from cuedeck.parse.splice.quoting import quote
from cuedeck.parse.splice.tree import Node


def start_block(card: CardText, entry: Entry, item: str) -> Edit:
    """Put the first item below a key without a value."""
    after = next_line(card.text, card.after_colon(entry))
    return Edit(after, after, f"{card.item_indent}- {quote(item)}{newline_at(card.text, after)}")


def add_to_block(card: CardText, node: Node, item: str) -> Edit:
    """Put an item below the last one, with its indentation, blanks and quotes."""
    text, last = card.text, node.children[-1]
    dash = card.dash(last)
    between = text[dash + 1 : last.start]
    blanks = between if between and not between.strip(" \t") else " "
    after = next_line(text, max(last.end, dash + 1))
    written = quote(item, like=node.last_style)
    return Edit(after, after, f"{lead(text, dash)}-{blanks}{written}{newline_at(text, after)}")


def remove_from_block(card: CardText, item: Node) -> Edit:
    """Take the lines of an item."""
    dash = card.dash(item)
    return Edit(line_start(card.text, dash), next_line(card.text, max(item.end, dash + 1)), "")
