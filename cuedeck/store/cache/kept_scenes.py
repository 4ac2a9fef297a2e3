"""Cache of built scenes, keyed by the fingerprint of all their inputs."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import lz4.frame

import cuedeck
from cuedeck.store.files.disk import parse_json
from cuedeck.store.files.unpacking import unpack

if TYPE_CHECKING:
    from cuedeck.store.index import Index

BRIEF = "brief "
"""Beginning of the keys of briefs."""
_KEPT = 16
PRODUCERS = (
    "agents/hooks",
    "context/blocks",
    "context/ranking",
    "context/scene",
    "engine",
    "graph",
    "graph/imports",
    "knowledge/context_block",
    "knowledge/cortex",
    "knowledge/experiences",
    "knowledge/layers",
    "knowledge/memory",
    "ledger",
    "ledger/kinds",
    "ledger/records",
    "ledger/sessions",
    "model",
    "parse",
    "store/index",
    "store/tokens",
    "text",
    "work/assumptions",
    "work/decisions",
)
"""Packages that determine the bytes of a scene. `schema.VERSION` covers the rules of
languages and secrets.
"""


@cache
def code_version() -> str:
    """Return a hash of the release and of the fingerprints of the modules that
    determine the bytes of a scene.

    The modules are neither read nor imported: their names, sizes and times of
    modification take 0.3 ms. In a package without files, for example a zip archive,
    only the release counts.
    """
    home = os.path.dirname(cuedeck.__file__)
    found: list[object] = [cuedeck.__version__]
    with contextlib.suppress(OSError):
        for folder in PRODUCERS:
            with os.scandir(os.path.join(home, *folder.split("/"))) as entries:
                modules = sorted(
                    (entry for entry in entries if entry.name.endswith(".py")),
                    key=lambda each: each.name,
                )
            stats = [(entry.name, entry.stat()) for entry in modules]
            for name, stat in stats:
                found.append((name, stat.st_size, stat.st_mtime_ns))
    return sha256(repr(found).encode()).hexdigest()


def load_scene(index: Index, key: str) -> list[Any] | None:
    """Return the parts of a cached scene, or None if it is missing or damaged."""
    data = index.cached("scenes", key)
    if data is None:
        return None
    try:
        parts = parse_json(unpack(data))
    except (RuntimeError, ValueError, TypeError):
        return None
    return parts if isinstance(parts, list) else None


def save_scene(index: Index, key: str, parts: tuple[Any, ...]) -> None:
    """Cache the parts of a scene; the oldest entries beyond the limit are dropped."""
    text = json.dumps(parts, ensure_ascii=False)
    data = text.encode("utf-8", "surrogatepass")
    packed = lz4.frame.compress(data, content_checksum=True)
    index.keep("scenes", {key: packed}, _KEPT)


def kept_scenes(index: Index) -> Iterator[list[Any]]:
    """Yield the parts of each valid cached scene, newest first, without briefs."""
    query = "SELECT key FROM cache WHERE kind = 'scenes' ORDER BY rowid DESC"
    for (key,) in index.ask(query):
        parts = None
        if not key.startswith(BRIEF):
            parts = load_scene(index, key)
        if parts is not None:
            yield parts
