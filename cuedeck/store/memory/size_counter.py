"""How much MEMORY.md holds, known without reading it: each append of ours adds to what was counted."""

from __future__ import annotations

import contextlib
import json
import os
from typing import NamedTuple

from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import read_json
from cuedeck.store.memory.memory_files import PRIMARY, MemoryFiles


class Counts(NamedTuple):
    """What a file of records holds."""

    records: int
    chars: int
    """Code points of the whole file."""


class Counter:
    """Counts of MEMORY.md, kept in the cache beside what tells that the file is still the one that was counted."""

    def __init__(self, files: MemoryFiles) -> None:
        self._files = files
        self._place = os.path.join(files.workspace.cache, f"{files.lock}.counts.json")

    def known(self) -> Counts | None:
        """Return the counts when they are known and true."""
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
        return Counts(records, chars) if tuple(seen) == tuple(now) else None

    def read(self) -> Counts:
        """Return the counts, counting where they are not known; for who holds the lock. Raises: StorageError."""
        known = self.known()
        if known is None:
            before = self._files.print(PRIMARY)
            known = Counts(len(self._files.primary.records), len(self._files.text(PRIMARY) or ""))
            if before == self._files.print(PRIMARY):  # else somebody who knows no lock wrote meanwhile
                self.keep(known)
        return known

    def add(self, before: Counts | None, records: int, chars: int) -> None:
        """Take in what was appended, if it is known what was there before."""
        if before is not None:
            self.keep(Counts(before.records + records, before.chars + chars))

    def keep(self, counts: Counts) -> None:
        """Note the counts of the file as it is now."""
        now = self._files.print(PRIMARY)
        if now is None:
            return
        self._files.counted = (now, counts)
        try:
            handle = nofollow.open_file(self._place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            with open(handle, "wb", buffering=0) as file:
                file.write(json.dumps([*counts, *now]).encode())
        except OSError:  # a cache: without it the next process counts
            self.forget()

    def forget(self) -> None:
        """Count anew when asked next."""
        self._files.counted = None
        with contextlib.suppress(OSError):
            nofollow.unlink(self._place)
