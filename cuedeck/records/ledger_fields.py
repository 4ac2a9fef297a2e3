"""Fields of a ledger line, read as what they should be, whatever a person wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def text_of(fields: Mapping[str, Any], name: str) -> str:
    """Return a text; empty when the field is none."""
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""


def texts_of(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a list of texts without empty ones and repeats; a single text is a list of one."""
    value = fields.get(name)
    items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(dict.fromkeys(item.strip() for item in items if isinstance(item, str) and item.strip()))


def pairs_of(fields: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return an object of texts; what is no text in it is left out."""
    value = fields.get(name)
    items = value.items() if isinstance(value, dict) else ()
    return {key: item for key, item in items if isinstance(item, str) and item}
