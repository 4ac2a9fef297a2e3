"""Log of recall hits of a memory: appended by every recall, folded into totals when it
is long.

The counts cannot be derived from other files, so the log is not in the cache. Appends
are not synced: a recall must not wait for the disk, and a power failure costs at most
the newest counts. A killed process loses no count that it has written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from cuedeck.ledger.records.memory_files import RECALLS, MemoryFiles
from cuedeck.ledger.records.recall_hit_line import format_hits
from cuedeck.model.recall_hit import RecallHit
from cuedeck.store.files.append import appending
from cuedeck.store.files.disk import read_generated, write_atomic
from cuedeck.store.files.file_lock import locked

if TYPE_CHECKING:
    from cuedeck.ledger.records.recall_log import RecallLog
    from cuedeck.model.recall_hit import RecallTotal

MAX_BYTES = 2 << 20
"""Size of the log from which it is folded."""
MAX_FOLDED_BYTES = MAX_BYTES // 2
"""Size of the folded log; the texts that were not recalled for longest are dropped."""
PATIENCE_SECONDS = 2.0
"""Maximum time that a recall waits for another writer of the log."""


def append_hits(memory: MemoryFiles, hits: Sequence[RecallHit]) -> None:
    """Append hits to the log and fold it if it is too long. Raises: Locked,
    StorageError.
    """
    if not hits:
        return
    data = format_hits(hits)
    with _locked(memory, PATIENCE_SECONDS):
        with appending(memory.place(RECALLS), synced=False) as end:
            end.add(data)
            size = end.before + len(data)
        if size > MAX_BYTES:
            _rewrite(memory, lambda total: True)


def read_recalls(memory: MemoryFiles) -> RecallLog:
    """Return the totals of all recalled texts. Raises: StorageError."""
    # A search only appends.
    from cuedeck.ledger.records.recall_log import parse_recall_log

    return parse_recall_log(read_generated(memory.place(RECALLS)) or b"")


def remove_recalls(memory: MemoryFiles, is_kept: Callable[[RecallTotal], bool]) -> int:
    """Remove the totals that are not kept; return their number.

    The log is unchanged if all are kept. Raises: Locked, StorageError.
    """
    if not os.path.lexists(memory.place(RECALLS)):
        return 0
    with _locked(memory):
        totals = read_recalls(memory).totals.values()
        removed = sum(not is_kept(total) for total in totals)
        if removed:
            _rewrite(memory, is_kept)
    return removed


def _rewrite(memory: MemoryFiles, is_kept: Callable[[RecallTotal], bool]) -> None:
    """Replace the log by its totals in one atomic step, so that no count is lost or
    doubled. The caller must hold the lock.
    """
    # See `read_recalls`.
    from cuedeck.ledger.records.recall_log import format_totals

    place = memory.place(RECALLS)
    lines: list[bytes] = []
    size = 0
    oldest_first = tuple(read_recalls(memory).totals.values())
    for total in reversed(oldest_first):
        if not is_kept(total):
            continue
        line = format_totals((total,))
        size += len(line)
        if size > MAX_FOLDED_BYTES:
            break
        lines.append(line)
    lines.reverse()
    write_atomic(place, b"".join(lines), memory.workspace.cache, private=True)


def _locked(
    memory: MemoryFiles, patience_seconds: float | None = None
) -> AbstractContextManager[None]:
    """Hold the lock of the log; it is not the lock of the memory, so a recall does not
    wait for a compaction.
    """
    family = f"{memory.lock}-recalls"
    if patience_seconds is None:
        return locked(memory.workspace, family)
    return locked(memory.workspace, family, patience_seconds)
