"""Cache of line checksums of earlier file versions, by content hash; used to count
changed lines and find renames.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 20_000


def knows_version(index: Index, hash_: str) -> bool:
    """Return whether the line checksums of a content hash are cached."""
    return index.recall("SELECT 1 FROM versions WHERE hash = ?", (hash_,)) is not None


def keep_versions(index: Index, sums: Mapping[str, array[int]]) -> None:
    """Cache line checksums, by content hash."""
    if sums:
        index.keep(
            "versions", [(hash_, each.tobytes()) for hash_, each in sums.items()], _KEPT
        )


def lines_of(index: Index, hash_: str) -> Sequence[int] | None:
    """Return the cached line checksums of a content hash, or None if they are not
    cached.
    """
    row = (
        index.recall("SELECT sums FROM versions WHERE hash = ?", (hash_,))
        if hash_
        else None
    )
    if row is None:
        return None
    sums = array("I")
    sums.frombytes(row[0])
    return sums


def sums_of(data: bytes) -> array[int]:
    """Return the crc32 of each line of a content."""
    if not data:
        return array("I")
    lines = data.removesuffix(b"\n").split(b"\n")
    return array("I", map(crc32, lines))
