"""Cached numbers of records and characters of MEMORY.md, updated by each append so that
it need not be read.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import NamedTuple

from cuedeck.ledger.records.memory_files import PRIMARY, MemoryFiles
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import read_json


class Counts(NamedTuple):
    """Size of a file of records."""

    records: int
    chars: int
    """Code points of the whole file."""


class Counter:
    """Counts of MEMORY.md, cached with the fingerprint of the counted file."""

    def __init__(self, files: MemoryFiles) -> None:
        self._files = files
        self._place = os.path.join(files.workspace.private, f"{files.lock}.counts.json")

    def known(self) -> Counts | None:
        """Return the cached counts if the fingerprint is current, else None."""
        now = self._files.print(PRIMARY)
        if now is None:
            return Counts(0, 0)
        held = self._files.counted
        if held is not None and held[0] == now:
            return Counts(*held[1])
        try:
            records, chars, *seen = read_json(self._place)
        except (ValueError, TypeError):
            return None
        if tuple(seen) != tuple(now):
            return None
        return Counts(records, chars)

    def read(self) -> Counts:
        """Return the counts; count if they are not cached. The caller must hold the
        lock. Raises: StorageError.
        """
        known = self.known()
        if known is None:
            before = self._files.print(PRIMARY)
            known = Counts(
                len(self._files.primary.records), len(self._files.text(PRIMARY) or "")
            )
            if before == self._files.print(PRIMARY):
                # Else a program without the lock wrote meanwhile.
                self.keep(known)
        return known

    def add(self, before: Counts | None, records: int, chars: int) -> None:
        """Add an append to the counts from before it; do nothing if those are
        unknown.
        """
        if before is not None:
            self.keep(Counts(before.records + records, before.chars + chars))

    def keep(self, counts: Counts) -> None:
        """Cache the counts of the current file."""
        now = self._files.print(PRIMARY)
        if now is None:
            return
        self._files.counted = (now, counts)
        try:
            nofollow.make_folder(os.path.dirname(self._place))
            handle = nofollow.open_file(
                self._place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            )
            with open(handle, "wb", buffering=0) as file:
                file.write(json.dumps([*counts, *now]).encode())
        except OSError:  # the next process counts again
            self.forget()

    def forget(self) -> None:
        """Drop the cached counts."""
        self._files.counted = None
        with contextlib.suppress(OSError):
            nofollow.unlink(self._place)
