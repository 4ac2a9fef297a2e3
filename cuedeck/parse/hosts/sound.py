"""Edits of JSON read back, so that none can damage what it did not mean."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cuedeck.model.errors import Invalid
from cuedeck.parse.hosts.edit import Cut, cut
from cuedeck.parse.hosts.json_edit import take_out
from cuedeck.parse.hosts.json_tree import HINT, Document, Node, read_json
from cuedeck.parse.splice.places import invalid_at


def check_json(before: Document, after: str, wanted: Any, gone: Cut | None = None) -> Document:
    """Return the edited file read back: it says `wanted`, with every comment but those inside what is gone.

    Raises: Invalid when it does not.
    """
    line = gone.start if gone else 0
    try:
        document = read_json(after)
    except Invalid as error:
        raise invalid_at(before.text, line, "own entries cannot be changed without breaking the file", HINT) from error
    inside = before.within(*gone) if gone else ()
    kept = [before.text[start:end] for start, end in before.comments if Cut(start, end) not in inside]
    if document.value() != wanted or Counter(kept) - Counter(document.said()):
        raise invalid_at(before.text, line, "own entries cannot be changed without risk to the rest", HINT)
    return document


def take_and_check(document: Document, into: Node, index: int) -> Document:
    """Return the file without a slot. Raises: Invalid when that cannot be done safely."""
    slot = into.slots[index]
    after = cut(document.text, take_out(document, into, index))
    return check_json(document, after, document.value(but=slot), Cut(slot.start, slot.node.end))
