"""Cache of digests of the pieces of large record files, in the index, keyed by the hash
of the piece.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 8_000
_BATCH = 32
"""Digests written per transaction: a hook that runs out of time keeps the finished
batches for the next one.
"""
_QUERY = "SELECT data, sum FROM digests WHERE hash = ?"


class DigestsUnfinished(Exception):
    """Raised if the deadline passed before all digests were made; the next call
    continues with the rest.
    """


def load_or_make(
    index: Index,
    pieces: Sequence[memoryview],
    make: Callable[[memoryview], bytes],
    deadline: float | None = None,
) -> list[bytes]:
    """Return the digest of each piece; make and cache the missing ones.

    At least one batch is made even after the deadline, so that each call makes
    progress. Raises: DigestsUnfinished after `deadline`, in seconds of the monotonic
    clock.
    """
    found: list[bytes] = []
    made: list[tuple[str, bytes, int]] = []
    for piece in pieces:
        key = hashlib.sha256(piece).hexdigest()
        row = index.recall(_QUERY, (key,))
        if row is not None and isinstance(row[0], bytes) and crc32(row[0]) == row[1]:
            found.append(row[0])
            continue
        data = make(piece)
        found.append(data)
        made.append((key, data, crc32(data)))
        if len(made) >= _BATCH:
            index.keep("digests", made, _KEPT)
            made = []
            if deadline is not None and time.monotonic() >= deadline:
                raise DigestsUnfinished
    if made:
        index.keep("digests", made, _KEPT)
    return found


def forget_digests(index: Index) -> None:
    """Delete all digests, so that no bytes of a forgotten record remain in the index
    file.
    """
    index.wipe("digests")
