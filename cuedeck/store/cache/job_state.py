"""Last runs of the maintenance jobs of a memory, in the cache: if the file is deleted,
each job runs once more.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import Any, NamedTuple

from cuedeck.store.files.disk import read_json, write_atomic
from cuedeck.store.workspace_paths import WorkspacePaths


class Run(NamedTuple):
    """State of one job."""

    last: datetime | None = None
    """Start time (UTC) of the last completed run."""
    begun: datetime | None = None
    """Start time (UTC) of the last attempt if it failed, was killed or is still
    running.
    """
    failures: int = 0
    """Number of incomplete attempts since the last completed run."""
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
        found = self._table().get(job)
        if isinstance(found, dict):
            return _run(found)
        return Run()

    def write(self, job: str, run: Run) -> None:
        """Store the state of a job. Raises: StorageError."""
        table = dict(self._table())
        table[job] = {name: _plain(value) for name, value in run._asdict().items()}
        text = json.dumps(table, sort_keys=True)
        write_atomic(self._place, text.encode(), self._scratch, private=True)

    def _table(self) -> dict[str, Any]:
        table = read_json(self._place)
        return table if isinstance(table, dict) else {}


def _run(found: dict[str, Any]) -> Run:
    failures = found.get("failures")
    if not isinstance(failures, int):
        failures = 0
    return Run(
        _moment(found.get("last")),
        _moment(found.get("begun")),
        failures,
        _pair(found.get("tried")),
    )


def _pair(found: object) -> tuple[int, int] | None:
    match found:
        case [int(records), int(chars)]:
            return records, chars
    return None


def _moment(text: object) -> datetime | None:
    try:
        moment = None
        if isinstance(text, str):
            moment = datetime.fromisoformat(text)
        return (
            moment.astimezone(UTC)
            if moment is not None and moment.tzinfo is not None
            else None
        )
    except (ValueError, OverflowError):
        return None


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value
