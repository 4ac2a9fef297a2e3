"""Scenes already built, by the key of everything they depend on; a cache like any other."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import lz4.frame

from cuedeck.store.fs.disk import parse_json
from cuedeck.store.fs.unpacking import unpack
from cuedeck.store.index.schema import DAMAGE

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 16


def load_scene(index: Index, key: str) -> list[Any] | None:
    """Return the parts of a scene built before, or None when it is unknown or damaged."""
    row = index.recall("SELECT data FROM scenes WHERE request = ?", (key,))
    if row is None:
        return None
    try:
        parts = parse_json(unpack(row[0]))
    except (RuntimeError, ValueError, TypeError):
        return None
    return parts if isinstance(parts, list) else None


def save_scene(index: Index, key: str, parts: tuple[Any, ...]) -> None:
    """Keep the parts of a scene; the oldest of more than a few are dropped."""
    text = json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    index.keep("scenes", [(key, lz4.frame.compress(text, content_checksum=True))], _KEPT)


def rename_scene(index: Index, key: str, new_key: str) -> None:
    """Keep a scene under another key; a failure only costs the next run time."""
    with contextlib.suppress(*DAMAGE), index.writing() as database:
        database.execute("UPDATE OR REPLACE scenes SET request = ? WHERE request = ?", (new_key, key))


def forget_scenes(index: Index) -> None:
    """Drop every scene, so that nothing of them is left in the file of the index either."""
    index.wipe("scenes")


def kept_scenes(index: Index) -> Iterator[list[Any]]:
    """Yield the parts of each kept scene that is sound, newest first."""
    for row in index.ask("SELECT request FROM scenes ORDER BY rowid DESC"):
        parts = load_scene(index, row[0])
        if parts is not None:
            yield parts
