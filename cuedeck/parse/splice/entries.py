"""Edits of one entry: a key with its value."""

from __future__ import annotations

import re

from cuedeck.parse.splice.card_text import CardText, Entry
from cuedeck.parse.splice.edit import Edit
from cuedeck.parse.splice.quoting import quote

_BLOCK_TEXT_COMMENT = re.compile(r"[|>][-+0-9]*(?P<comment>[ \t]+#[^\r\n]*)")


def add_entry(card: CardText, key: str, rest: str) -> Edit:
    """Put a key behind the last one; `rest` is what follows the colon."""
    root, newline = card.root, card.newline
    written = f"{quote(key, flow=root.flow)}:{rest}"
    if not card.fenced:
        return Edit(card.end, card.end, f"---{newline}{written}{newline}---{newline}")
    if not root.flow:
        return Edit(card.end, card.end, f"{card.indent}{written}{newline}")
    if root.children:
        return Edit(root.children[-1].end, root.children[-1].end, f", {written}")
    return Edit(root.end - 1, root.end - 1, written)


def replace_value(card: CardText, entry: Entry, written: str) -> Edit:
    """Put `written` in place of a value; a comment behind it stays."""
    value = entry.value
    if value.kind in ("list", "map") and not value.flow:
        return Edit(card.after_colon(entry), value.end, f" {written}")
    if value.start == value.end:
        return Edit(value.start, value.start, f" {written}")
    comment = _BLOCK_TEXT_COMMENT.match(card.text, value.start) if value.style in ("|", ">") else None
    return Edit(value.start, value.end, written + (comment["comment"] if comment else ""))


def remove_value(card: CardText, entry: Entry) -> Edit:
    """Take a value and leave its key."""
    return Edit(card.after_colon(entry), entry.value.end, "")
