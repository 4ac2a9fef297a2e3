"""Which files have a term, in the index: lists packed by parts of so many files that one is soon written anew.

A part holds the files whose numbers have all but their last bits in common. Parts come before terms in the table,
so that files that are taken in one after another fill its pages in order.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

TABLE = "CREATE TABLE postings (part INTEGER, term TEXT, data BLOB NOT NULL, PRIMARY KEY (part, term)) WITHOUT ROWID"

ENTRY_BYTES = 4
_PART_BITS = 10
_TIMES_BITS = 32 - _PART_BITS
_MOST_TIMES = (1 << _TIMES_BITS) - 1
_PLACE = (1 << _PART_BITS) - 1


class _Part:
    """What is new of one part: by term the entries as they are stored; one of no times takes the file out."""

    __slots__ = ("edited", "terms")

    def __init__(self) -> None:
        self.terms: defaultdict[str, list[int]] = defaultdict(list)
        self.edited = False
        """True when some of it is said of files that were there before."""


Changes = dict[int, _Part]
"""By part."""


def note_terms(changes: Changes, doc: int, terms: Mapping[str, int], *, is_new: bool = False) -> None:
    """Add how often a file has each of some terms; the last word counts."""
    if max(terms.values(), default=0) > _MOST_TIMES:
        terms = {term: min(times, _MOST_TIMES) for term, times in terms.items()}
    part = changes.setdefault(part_of(doc), _Part())
    part.edited = part.edited or not is_new
    place = (doc & _PLACE) << _TIMES_BITS
    entries = part.terms
    for term, times in terms.items():
        entries[term].append(place | times)


def write(database: sqlite3.Connection, changes: Changes) -> None:
    """Put changes into the table. Raises: DatabaseError when what is there is damaged."""
    for number, part in sorted(changes.items()):
        if part.edited or database.execute("SELECT 1 FROM postings WHERE part = ? LIMIT 1", (number,)).fetchone():
            _merge(database, number, part.terms)
        else:
            rows = ((number, term, _pack(entries)) for term, entries in sorted(part.terms.items()))
            database.executemany("INSERT INTO postings VALUES (?, ?, ?)", rows)


def query(parts: int, columns: str) -> str:
    """Return a query for a term in the first parts."""
    each = ", ".join(map(str, range(parts)))
    return f"SELECT {columns} FROM postings WHERE part IN ({each}) AND term = ?"


def unpack(rows: Iterable[tuple[int, object]]) -> Iterator[tuple[int, int]]:
    """Yield the number of a file and its times, from rows of part and data. Raises: DatabaseError."""
    for part, data in sorted(rows):
        for entry in _entries(data):
            yield part << _PART_BITS | entry >> _TIMES_BITS, entry & _MOST_TIMES


def part_of(doc: int) -> int:
    """Return the part a file belongs to."""
    return doc >> _PART_BITS


def _merge(database: sqlite3.Connection, number: int, terms: Mapping[str, Sequence[int]]) -> None:
    run = database.execute
    for term, entries in sorted(terms.items()):
        row = run("SELECT data FROM postings WHERE part = ? AND term = ?", (number, term)).fetchone()
        found = {entry >> _TIMES_BITS: entry for entry in (*(_entries(row[0]) if row else ()), *entries)}
        kept = sorted(entry for entry in found.values() if entry & _MOST_TIMES)
        if kept:
            run("REPLACE INTO postings VALUES (?, ?, ?)", (number, term, _pack(kept)))
        elif row:
            run("DELETE FROM postings WHERE part = ? AND term = ?", (number, term))


def _pack(entries: Sequence[int]) -> bytes:
    return array("I", entries).tobytes()


def _entries(data: object) -> Sequence[int]:
    if not isinstance(data, bytes) or len(data) % ENTRY_BYTES:
        raise sqlite3.DatabaseError("malformed postings")
    return array("I", data)
