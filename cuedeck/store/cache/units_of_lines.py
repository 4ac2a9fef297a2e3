"""Lookup of units in the index of recall by their lines."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right

from cuedeck.model.recall_values import first_number

_COUNT = "SELECT units FROM files WHERE number = ?"
_START = "SELECT start FROM units WHERE number = ?"
_NEAR = "SELECT number, start, end, id FROM units WHERE number BETWEEN ? AND ?"


def unit_at(
    database: sqlite3.Connection, file: int, line: int, most_before: int
) -> int | None:
    """Return the number of the unit of a file that contains a line.

    A line between units belongs to the paragraph that begins at most `most_before`
    lines below it; a record contains its own line only.
    """
    counted = database.execute(_COUNT, (file,))
    (count,) = counted.fetchone()
    base = first_number(file)

    def start_of(place: int) -> int:
        found = database.execute(_START, (base + place,))
        row = found.fetchone()
        return int(row[0]) if row else 0

    # Units are in line order and have consecutive numbers.
    after = bisect_right(range(count), line, key=start_of)
    first = base + max(after - 1, 0)
    last = base + min(after, count - 1)
    for number, start, end, identity in database.execute(_NEAR, (first, last)):
        if start <= line <= end:
            return int(number)
        is_below = line < start <= line + most_before
        if is_below and not identity:
            return int(number)
    return None
