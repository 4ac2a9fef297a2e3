"""One line of an append-only ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class LedgerEntry(NamedTuple):
    """A JSON object with an id and a time, and where it stands."""

    id: str
    timestamp: str
    """As written; RFC 3339 in what is written here."""
    value: Mapping[str, Any]
    line: int
    """1-based."""
    digest: str
    """sha256 (hex) of the line, which decides between entries of the same time."""
