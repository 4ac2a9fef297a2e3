"""Edits that set a key of a card's front matter."""

from __future__ import annotations

import re

from cuedeck.parse.frontmatter_edit.card_text import (
    CardText,
    KeyEntry,
    apply_edits,
    insertion,
    read_card_text,
)
from cuedeck.parse.frontmatter_edit.yaml_quoting import STRICT_KEYS, quote
from cuedeck.parse.text_edit import Swap


def set_key(data: bytes, key: str, value: str) -> bytes:
    r"""Set a front-matter key to a string; add the key, or the front matter, if
    missing.

    A value that already parses to `value` is not rewritten; a quoted value stays
    quoted.

    Raises: Invalid for a file that is not UTF-8, for broken front matter, or when no
    safe edit exists. Example: `set_key(b"---\nstatus: todo\n---\n", "status", "done")`
    is `b"---\nstatus: done\n---\n"`.
    """

    def is_done(_: CardText, entry: KeyEntry | None) -> bool:
        if entry is None:
            return False
        if entry.value.kind != "scalar":
            return False
        return entry.value.text == value

    card = read_card_text(data)
    entry = card.find(key)
    if is_done(card, entry):
        return data
    style = entry.value.style if entry else ""
    written = quote(value, flow=card.root.flow, strict=key in STRICT_KEYS, like=style)
    edit = (
        replace_value(card, entry, written)
        if entry
        else add_entry(card, key, f" {written}")
    )
    return apply_edits(card, [edit], key, is_done)


_BLOCK_TEXT_COMMENT = re.compile(r"[|>][-+0-9]*(?P<comment>[ \t]+#[^\r\n]*)")


def add_entry(card: CardText, key: str, rest: str) -> Swap:
    """Return the edit that adds a key after the last one; `rest` is the text after the
    colon.
    """
    root = card.root
    newline = card.newline
    written = f"{quote(key, flow=root.flow)}:{rest}"
    if not card.fenced:
        return insertion(card.end, f"---{newline}{written}{newline}---{newline}")
    if not root.flow:
        return insertion(card.end, f"{card.indent}{written}{newline}")
    if root.children:
        return insertion(root.children[-1].end, f", {written}")
    return insertion(root.end - 1, written)


def replace_value(card: CardText, entry: KeyEntry, written: str) -> Swap:
    """Return the edit that replaces a value with `written`; a comment after the value
    stays.
    """
    value = entry.value
    if value.kind in ("list", "map") and not value.flow:
        return Swap(card.after_colon(entry), value.end, f" {written}")
    if value.start == value.end:
        return insertion(value.start, f" {written}")
    if value.style in ("|", ">"):
        comment = _BLOCK_TEXT_COMMENT.match(card.text, value.start)
        if comment is not None:
            written += comment["comment"]
    return Swap(value.start, value.end, written)


def remove_value(card: CardText, entry: KeyEntry) -> Swap:
    """Return the edit that removes a value and keeps its key."""
    return Swap(card.after_colon(entry), entry.value.end)
