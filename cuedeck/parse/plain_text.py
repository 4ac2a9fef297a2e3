"""Texts as they are said: on one line, without what a terminal or a reader would take for a command."""

from __future__ import annotations

_JOINERS = "\u200c\u200d"
"""Of the characters that cannot be seen, those that scripts and emoji need."""


def plain_line(text: str) -> str:
    """Return a text on one line, without control characters and marks that turn the direction of writing."""
    kept = "".join(each if each.isprintable() or each in _JOINERS else " " for each in text)
    return " ".join(kept.split())


def with_full_stop(text: str) -> str:
    """Return a text that ends like a sentence."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
