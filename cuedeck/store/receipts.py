"""The scenes that are kept, by the receipt they carry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cuedeck.store.scenes import load_scene

if TYPE_CHECKING:
    from cuedeck.store.index import Index


def kept_scenes(index: Index) -> Iterator[list[Any]]:
    """Yield the parts of each kept scene that is sound, newest first."""
    for row in index.ask("SELECT request FROM scenes ORDER BY rowid DESC"):
        parts = load_scene(index, row[0])
        if parts is not None:
            yield parts
