"""Set keys of a card's front matter."""

from __future__ import annotations

from cuedeck.parse.splice.card_text import CardText, Entry, read_card_text
from cuedeck.parse.splice.edit import apply_edits
from cuedeck.parse.splice.entries import add_entry, replace_value
from cuedeck.parse.splice.quoting import STRICT_KEYS, quote


def set_key(data: bytes, key: str, value: str) -> bytes:
    r"""Set a front-matter key to one text; add the key, or the front matter, where missing.

    A value that already reads as `value` stays as it is written; a quoted value stays quoted.

    Raises: Invalid for a file that is not UTF-8, for broken front matter, or when no safe edit exists.
    Example: `set_key(b"---\nstatus: todo\n---\n", "status", "done")` is `b"---\nstatus: done\n---\n"`.
    """

    def is_done(_: CardText, entry: Entry | None) -> bool:
        return entry is not None and entry.value.kind == "scalar" and entry.value.text == value

    card = read_card_text(data)
    entry = card.find(key)
    if is_done(card, entry):
        return data
    style = entry.value.style if entry else ""
    written = quote(value, flow=card.root.flow, strict=key in STRICT_KEYS, like=style)
    edit = replace_value(card, entry, written) if entry else add_entry(card, key, f" {written}")
    return apply_edits(card, [edit], key, is_done)
