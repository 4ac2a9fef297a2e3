"""Scenes already built, by the key of everything they depend on; a cache like any other."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import lz4.frame

_KEPT = 16


def load_scene(database: sqlite3.Connection, key: str) -> tuple[str, dict[str, Any]] | None:
    """Return (text, report) of a scene built before, or None."""
    row = database.execute("SELECT data FROM scenes WHERE request = ?", (key,)).fetchone()
    if row is None:
        return None
    text, report = json.loads(lz4.frame.decompress(row[0]))
    return text, report


def save_scene(database: sqlite3.Connection, key: str, text: str, report: dict[str, Any]) -> None:
    """Keep a scene; the oldest of more than a few are dropped."""
    database.execute(
        "REPLACE INTO scenes VALUES (?, ?)", (key, lz4.frame.compress(json.dumps([text, report]).encode()))
    )
    database.execute("DELETE FROM scenes WHERE rowid <= (SELECT max(rowid) FROM scenes) - ?", (_KEPT,))
