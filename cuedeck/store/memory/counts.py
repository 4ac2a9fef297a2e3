"""How much MEMORY.md holds, known without reading it: each append of ours adds to what was counted."""

from __future__ import annotations

import contextlib
import json
import os
from typing import NamedTuple

from cuedeck.store.memory.files import PRIMARY, MemoryFiles


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
        try:
            with open(self._place, encoding="utf-8") as file:
                records, chars, *seen = json.load(file)
        except (OSError, ValueError, TypeError):
            return None
        return Counts(records, chars) if tuple(seen) == tuple(now) else None

    def read(self) -> Counts:
        """Return the counts, counting where they are not known. Raises: StorageError."""
        known = self.known()
        if known is None:
            text = self._files.text(PRIMARY) or ""
            known = Counts(len(self._files.primary.records), len(text))
            self.keep(known)
        return known

    def add(self, before: Counts | None, records: int, chars: int) -> Counts | None:
        """Take in what was appended; None when it is not known what was there before."""
        if before is None:
            return None
        after = Counts(before.records + records, before.chars + chars)
        self.keep(after)
        return after

    def keep(self, counts: Counts) -> None:
        """Note the counts of the file as it is now."""
        now = self._files.print(PRIMARY)
        with contextlib.suppress(OSError):
            if now is not None:
                os.makedirs(os.path.dirname(self._place), exist_ok=True)
                with open(self._place, "w", encoding="utf-8") as file:
                    json.dump([*counts, *now], file)

    def forget(self) -> None:
        """Count anew when asked next."""
        with contextlib.suppress(OSError):
            os.unlink(self._place)
