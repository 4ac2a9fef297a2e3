"""Integrity checks of the index of recall, which open it read-only."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from typing import Any

from cuedeck.store.cache.recall_index import parse_state
from cuedeck.store.files.file_growth import Known
from cuedeck.store.index.schema import DAMAGE, open_read_only


def stale_files(place: str, is_changed: Callable[[str, str, Known], bool]) -> list[str]:
    """Return the paths of the files whose known part differs from the disk although
    their fingerprints are those of the index.

    That is so if a program changed a line in place and then appended to the file.
    `is_changed` compares a file, given its path, its reader and its state.
    """
    rows = _read_rows(place, "SELECT * FROM files ORDER BY path")
    try:
        states = [parse_state(row) for row in rows]
    except DAMAGE:
        return []
    return [
        state.path
        for state in states
        if state.known and is_changed(state.path, state.source, state.known)
    ]


def lost_units(place: str) -> int:
    """Return how many units the files of the index have, but its table lacks."""
    query = "SELECT coalesce(sum(units), 0) - (SELECT count(*) FROM units) FROM files"
    for row in _read_rows(place, query):
        difference: int = row[0]
        return abs(difference)
    return 0


def _read_rows(place: str, query: str) -> Sequence[tuple[Any, ...]]:
    """Return the rows of a query; none if the index is missing, corrupt or of another
    version.
    """
    if not os.path.isfile(place):
        return []
    try:
        with contextlib.closing(open_read_only(place)) as database:
            return database.execute(query).fetchall()
    except (*DAMAGE, OSError):
        return []
