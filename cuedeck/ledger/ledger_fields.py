"""Typed access to the fields of a ledger entry; values of the wrong type are
ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuedeck.text.json_text import string_of


def text_of(fields: Mapping[str, Any], name: str) -> str:
    """Return a string field; empty if it is not a string."""
    return string_of(fields.get(name)).strip()


def texts_of(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a list of strings without empty ones and repeats; a single string is a
    list of one.
    """
    value = fields.get(name)
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return ()
    texts = [item.strip() for item in value if isinstance(item, str)]
    return tuple(dict.fromkeys(filter(None, texts)))


def hashes_of(fields: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return a table of strings; other values are omitted."""
    value = fields.get(name)
    if not isinstance(value, dict):
        return {}
    found: dict[str, str] = {}
    for key, item in value.items():
        if isinstance(item, str) and item:
            found[key] = item
    return found
