"""One line of an append-only ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class LedgerEntry(NamedTuple):
    """A JSON object with an id and a time, and its position in the file."""

    id: str
    timestamp: str
    """As written; RFC 3339 if written by CueDeck."""
    value: Mapping[str, Any]
    line: int
    """1-based."""
    digest: str
    """sha256 (hex) of the line; orders entries with the same time."""
