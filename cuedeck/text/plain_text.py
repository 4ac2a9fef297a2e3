"""Sanitising of text for display on one line, and comparison of texts."""

from __future__ import annotations

import json
from typing import Any

from cuedeck.model.formatting import replace_surrogates

_JOINERS = "\u200c\u200d"
"""The invisible characters to keep, because some scripts and emoji need them."""


def plain_line(text: str) -> str:
    """Return a text on one line, without control characters and bidirectional
    formatting characters.
    """
    shown = [char if char.isprintable() or char in _JOINERS else " " for char in text]
    return " ".join("".join(shown).split())


def is_blank(text: str) -> bool:
    """Return whether a text has no visible character."""
    return not any(char.isprintable() and not char.isspace() for char in text)


def fold_case(text: str) -> str:
    """Return a text without regard to case and blanks; texts with the same result count
    as the same.
    """
    return " ".join(text.casefold().split())


def with_full_stop(text: str) -> str:
    """Return a text with a full stop at its end, unless it already ends like a
    sentence.
    """
    if text.endswith((".", "!", "?", "…")):
        return text
    return f"{text}."


def load_json(data: bytes) -> Any:
    """Return the value of a JSON text; lone surrogates, which no output can encode, are
    replaced.

    Raises: ValueError if it is not valid JSON, RecursionError if it is nested too
    deeply.
    """
    value = json.loads(data)
    if b"\\u" not in data:  # only an escape can spell a lone surrogate
        return value
    return json.loads(replace_surrogates(json.dumps(value, ensure_ascii=False)))


def string_of(value: object) -> str:
    """Return a value that is a text; empty for any other value."""
    return value if isinstance(value, str) else ""
