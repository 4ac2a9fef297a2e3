"""Cache of the answers without secrets, by hash, so that an answer that is repeated is
not searched again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 200_000


def is_cleared(index: Index, key: str, rules: str) -> bool:
    """Return whether an answer is known to contain no secret by these rules."""
    return (
        index.recall("SELECT 1 FROM secrets WHERE hash = ? AND rules = ?", (key, rules))
        is not None
    )


def keep_cleared(index: Index, key: str, rules: str) -> None:
    """Record that an answer contains no secret by these rules."""
    index.keep("secrets", [(key, rules, "[]")], _KEPT)
