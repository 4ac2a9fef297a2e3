"""Scenes already built, by the key of everything they depend on; a cache like any other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cuedeck.store.index import checksum

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 16


def load_scene(index: Index, key: str) -> tuple[str, dict[str, Any]] | None:
    """Return (text, report) of a scene built before, or None."""
    row = index.recall("SELECT text, report, sum FROM scenes WHERE request = ?", (key,))
    if row is None or checksum(f"{row[0]}\0{row[1]}") != row[2]:
        return None
    return row[0], json.loads(row[1])


def save_scene(index: Index, key: str, text: str, report: dict[str, Any]) -> None:
    """Keep a scene; the oldest of more than a few are dropped."""
    told = json.dumps(report, ensure_ascii=False)
    index.keep("scenes", [(key, text, told, checksum(f"{text}\0{told}"))], _KEPT)
