"""Cache of secret scans: the hashes of answers in which no secret was found, so that a
repeated answer is not scanned again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 200_000


def has_no_secrets(index: Index, key: str, rules: str) -> bool:
    """Return whether an answer is known to contain no secret by these rules."""
    return (
        index.recall("SELECT 1 FROM secrets WHERE hash = ? AND rules = ?", (key, rules))
        is not None
    )


def store_without_secrets(index: Index, key: str, rules: str) -> None:
    """Record that an answer contains no secret by these rules."""
    index.keep("secrets", [(key, rules, "[]")], _KEPT)
