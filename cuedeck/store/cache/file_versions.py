"""The lines of files as they were looked at, by the hash of their content; a cache like any other."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 20_000


def knows_version(index: Index, hash_: str) -> bool:
    """Tell whether the lines of a content are kept."""
    return index.recall("SELECT 1 FROM versions WHERE hash = ?", (hash_,)) is not None


def keep_versions(index: Index, sums: Mapping[str, array[int]]) -> None:
    """Keep the sums of the lines of contents, each by the hash of its content."""
    if sums:
        index.keep("versions", [(hash_, each.tobytes()) for hash_, each in sums.items()], _KEPT)


def lines_of(index: Index, hash_: str) -> Sequence[int] | None:
    """Return the sums of the lines of a content that was looked at; None when it is not known any more."""
    row = index.recall("SELECT sums FROM versions WHERE hash = ?", (hash_,)) if hash_ else None
    if row is None:
        return None
    sums = array("I")
    sums.frombytes(row[0])
    return sums


def sums_of(data: bytes) -> array[int]:
    """Return a number for each line of a content; equal lines have equal ones."""
    return array("I", [crc32(line) for line in data.removesuffix(b"\n").split(b"\n")] if data else ())
