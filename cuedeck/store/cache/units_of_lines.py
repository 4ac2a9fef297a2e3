"""Lookup of units in the index of recall by their lines."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right

from cuedeck.store.cache.recall_index import first_number


def unit_at(
    database: sqlite3.Connection, file: int, line: int, most_before: int
) -> int | None:
    """Return the number of the unit of a file that contains a line.

    A line between units belongs to the paragraph that begins at most `most_before`
    lines below it; a record contains its own line only.
    """
    row = database.execute("SELECT units FROM files WHERE number = ?", (file,))
    count = row.fetchone()[0]
    base = first_number(file)

    def start_of(place: int) -> int:
        query = "SELECT start FROM units WHERE number = ?"
        found = database.execute(query, (base + place,)).fetchone()
        return int(found[0]) if found else 0

    # Units are in line order and have consecutive numbers.
    after = bisect_right(range(count), line, key=start_of)
    query = "SELECT number, start, end, id FROM units WHERE number BETWEEN ? AND ?"
    near = (base + max(after - 1, 0), base + min(after, count - 1))
    for number, start, end, identity in database.execute(query, near):
        if start <= line <= end:
            return int(number)
        if line < start <= line + most_before and not identity:
            return int(number)
    return None
