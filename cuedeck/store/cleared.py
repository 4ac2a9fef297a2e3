"""Answers in which no secret was found; they are kept along with what was found in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 200_000


def is_cleared(index: Index, key: str, rules: str) -> bool:
    """Tell whether an answer is known to hold no secret by these rules."""
    return index.recall("SELECT 1 FROM secrets WHERE hash = ? AND rules = ?", (key, rules)) is not None


def keep_cleared(index: Index, key: str, rules: str) -> None:
    """Keep that an answer holds no secret by these rules."""
    index.keep("secrets", [(key, rules, "[]")], _KEPT)
