"""Digests of memory files, cached and recomputed only for changed pieces."""

from __future__ import annotations

import struct
import time
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.digest_cache import DigestsUnfinished, load_or_make
from cuedeck.ledger.records.digested_file import Digested
from cuedeck.ledger.records.file_digest import Digest, decode_digest, digest, split
from cuedeck.store.files.fingerprint import is_settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.mention_parser import Reader
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.store.files.fingerprint import Print


_EMPTY = Digested(b"", ())


class _CachedFile(NamedTuple):
    """File as last read."""

    print: Print
    at_ns: int
    data: bytes
    file: Digested
    gone: frozenset[str]
    """Ids of the records deleted by then."""


def digested_file(workspace: Workspace, memory: MemoryFiles, name: str) -> Digested:
    """Return the digests of a record file, as the same object while the file is
    unchanged.

    Raises: StorageError; DigestsUnfinished if the deadline of the workspace passes,
    which sets `is_memory_unfinished`.
    """
    now = memory.print(name)
    if now is None:
        return _EMPTY
    gone = memory.forgotten()
    key = f"digested {name}"
    cached: _CachedFile | None = memory.derived.get(key)
    if cached is not None and cached.gone != gone:
        cached = None
    if cached is not None and cached.print == now and is_settled(now, cached.at_ns):
        return cached.file
    at = time.time_ns()
    data = memory.data(name) or b""
    file = (
        _digested(workspace, data, gone)
        if cached is None or cached.data != data
        else cached.file
    )
    memory.derived[key] = _CachedFile(
        print=now, at_ns=at, data=data, file=file, gone=gone
    )
    return file


def _digested(workspace: Workspace, data: bytes, gone: frozenset[str]) -> Digested:
    """Return the digests of a file. The last piece is not cached because the next
    record extends it.
    """
    ranges = list(split(data)) or [(0, 0)]
    last_start, last_end = ranges[-1]
    digests = _cached(workspace, data, ranges[:-1])
    last = data[last_start:last_end]
    digests.append(digest(last))
    starts = [start for start, _ in ranges]
    placed = list(zip(starts, digests, strict=True))
    return Digested(data, placed, gone)


def _cached(
    workspace: Workspace, data: bytes, full: Sequence[tuple[int, int]]
) -> list[Digest]:
    """Return the digests of full pieces."""
    if not full:
        return []
    view = memoryview(data)
    pieces = [view[start:end] for start, end in full]
    make = partial(_make, _Names())
    if workspace.is_memory_unfinished:  # One batch after the deadline is enough.
        raise DigestsUnfinished
    try:
        encoded = load_or_make(workspace.index, pieces, make, workspace.deadline)
        return list(map(decode_digest, encoded))
    except DigestsUnfinished:
        workspace.is_memory_unfinished = True
        raise
    except (ValueError, struct.error):  # the row of the cache is invalid
        return [decode_digest(make(piece)) for piece in pieces]


class _Names:
    """Mention reader that is loaded when the first piece has to be digested."""

    @cached_property
    def reader(self) -> Reader:
        """Reader of mentions."""
        from cuedeck.ledger.mention_parser import Reader

        return Reader()


def _make(names: _Names, piece: memoryview) -> bytes:
    return digest(bytes(piece), names.reader).encode()
