"""Last runs of the maintenance jobs of a memory, in the cache: if the file is deleted,
each job runs once more.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import NamedTuple

from cuedeck.model.ports import Json
from cuedeck.store.files.disk import read_json, write_atomic
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.plain_text import string_of
from cuedeck.text.timestamps import moment_of


class Run(NamedTuple):
    """State of one job."""

    last: datetime | None = None
    """Start time (UTC) of the last run that was not killed."""
    tried: tuple[int, int] | None = None
    """Records and characters left by a run whose result was still above the limits."""


class Runs:
    """State of the jobs of one memory. The caller of `write` must hold the lock of the
    jobs.
    """

    def __init__(self, paths: WorkspacePaths, memory: str) -> None:
        self._scratch = paths.private
        self._place = os.path.join(paths.private, f"{memory}.schedule.json")

    def read(self, job: str) -> Run:
        """Return the state of a job; a missing or corrupt state means that it never
        ran.
        """
        row = self._table().get(job)
        if not isinstance(row, dict):
            return Run()
        tried = None
        match row.get("tried"):
            case [int(records), int(chars)]:
                tried = records, chars
        return Run(moment_of(string_of(row.get("last"))), tried)

    def write(self, job: str, run: Run) -> None:
        """Store the state of a job. Raises: StorageError."""
        last = run.last.astimezone(UTC).isoformat() if run.last else None
        table = {**self._table(), job: {"last": last, "tried": run.tried}}
        text = json.dumps(table, sort_keys=True)
        write_atomic(self._place, text.encode(), self._scratch, private=True)

    def _table(self) -> Json:
        table = read_json(self._place)
        return table if isinstance(table, dict) else {}
