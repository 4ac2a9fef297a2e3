"""Edits of a card's text, made only when they read back as they were meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.parse.splice.card_text import CardText, Entry, read_card_text
from cuedeck.parse.splice.places import invalid_at
from cuedeck.parse.splice.tree import Meaning

Check = Callable[[CardText, Entry | None], bool]
"""Whether a key of the edited card has the value it was meant to get."""


class Edit(NamedTuple):
    """The text that replaces a span of the file."""

    start: int
    end: int
    text: str


def apply_edits(card: CardText, edits: Sequence[Edit], key: str, is_done: Check) -> bytes:
    """Make the edits and read the result back, so that no edit can damage what it did not mean.

    Raises: Invalid when the key does not pass `is_done`, or when another key or the body has changed.
    """
    text = card.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    data = text.encode("utf-8")
    if not _is_safe(card, data, key, is_done):
        first = min(edits).start
        raise invalid_at(card.text, first, f"{key!r} cannot be changed without risk to the rest")
    return data


def _is_safe(before: CardText, data: bytes, key: str, is_done: Check) -> bool:
    try:
        after = read_card_text(data)
        return (
            is_done(after, after.find(key))
            and _others(after, key) == _others(before, key)
            and after.text[after.end :].endswith(before.text[before.end :])
        )
    except Invalid:
        return False


def _others(card: CardText, key: str) -> list[Meaning]:
    return [node.meaning() for entry in card.entries if entry.name.text != key for node in entry]
