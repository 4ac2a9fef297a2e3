"""Postings of the index: for each term the files that contain it, updated with the
stored terms of each file.

Lists are packed in parts of 1,024 files, so that a change rewrites little. A part
contains the files whose numbers differ only in their last bits. Parts precede terms in
the key of the table, so that files that are added one after another fill its pages in
order.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.store.index.file_codec import checksum

if TYPE_CHECKING:
    from cuedeck.parse.index_terms import IndexTerms
    from cuedeck.store.index.database import News

ENTRY_BYTES = 4
_PART_BITS = 10
_TIMES_BITS = 32 - _PART_BITS
_MOST_TIMES = (1 << _TIMES_BITS) - 1
_PLACE = (1 << _PART_BITS) - 1
_UPDATE = "UPDATE documents SET length = ?, names = ?, terms = ?, sum = ? WHERE doc = ?"
_INSERT = "INSERT OR IGNORE INTO documents VALUES (NULL, ?, ?, ?, ?, ?)"
_KNOWN = "SELECT doc, terms, sum FROM documents WHERE path = ?"


class _Part:
    """Changed entries of one part, by term; an entry with the count zero removes the
    file.
    """

    __slots__ = ("edited", "terms")

    def __init__(self) -> None:
        self.terms: defaultdict[str, list[int]] = defaultdict(list)
        self.edited = False
        """Whether an entry concerns a file that was in the part before."""


Changes = dict[int, _Part]
"""By part."""


def note_terms(
    changes: Changes, doc: int, terms: Mapping[str, int], *, is_new: bool = False
) -> None:
    """Add the counts of some terms in a file; a later count of the same term replaces
    an earlier one.
    """
    if max(terms.values(), default=0) > _MOST_TIMES:
        terms = {term: min(times, _MOST_TIMES) for term, times in terms.items()}
    part = changes.setdefault(part_of(doc), _Part())
    part.edited = part.edited or not is_new
    place = (doc & _PLACE) << _TIMES_BITS
    entries = part.terms
    for term, times in terms.items():
        entries[term].append(place | times)


def write(database: sqlite3.Connection, changes: Changes) -> None:
    """Write changes to the table. Raises: DatabaseError if a stored list is damaged."""
    for number, part in sorted(changes.items()):
        if (
            part.edited
            or database.execute(
                "SELECT 1 FROM postings WHERE part = ? LIMIT 1", (number,)
            ).fetchone()
        ):
            _merge(database, number, part.terms)
        else:
            rows = (
                (number, term, _pack(entries))
                for term, entries in sorted(part.terms.items())
            )
            database.executemany("INSERT INTO postings VALUES (?, ?, ?)", rows)


def query(parts: int, columns: str, where: str = "term = ?") -> str:
    """Return a query for a term, or for the terms that `where` selects, in the first
    parts.
    """
    each = ", ".join(map(str, range(parts)))
    return f"SELECT {columns} FROM postings WHERE part IN ({each}) AND {where}"


def unpack(rows: Iterable[tuple[int, object]]) -> Iterator[tuple[int, int]]:
    """Yield (number of a file, count) from rows of (part, data). Raises:
    DatabaseError.
    """
    for part, data in sorted(rows):
        for entry in _entries(data):
            yield part << _PART_BITS | entry >> _TIMES_BITS, entry & _MOST_TIMES


def part_of(doc: int) -> int:
    """Return the part a file belongs to."""
    return doc >> _PART_BITS


def _merge(
    database: sqlite3.Connection, number: int, terms: Mapping[str, Sequence[int]]
) -> None:
    run = database.execute
    for term, entries in sorted(terms.items()):
        row = run(
            "SELECT data FROM postings WHERE part = ? AND term = ?", (number, term)
        ).fetchone()
        before: Sequence[int] = _entries(row[0]) if row else ()
        found = {entry >> _TIMES_BITS: entry for entry in (*before, *entries)}
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


class Intake:
    """Changes of the terms within one transaction; call `finish` before it ends."""

    def __init__(self, database: sqlite3.Connection, news: News) -> None:
        self._database = database
        self._news = news
        self._changes: Changes = {}

    def take(self, path: str, terms: IndexTerms | None) -> None:
        """Replace the terms of a file; None removes them. Raises: DatabaseError."""
        if terms is None:
            self.remove(path)
            return
        total = checksum(terms.terms)
        row = (terms.length, terms.names, terms.terms, total)
        made = self._database.execute(_INSERT, (path, *row))
        after = json.loads(terms.terms)
        if made.rowcount == 1:
            self._add(int(made.lastrowid or 0), after)
        else:
            doc, *stored = self._database.execute(_KNOWN, (path,)).fetchone()
            before = _terms(*stored)
            self._database.execute(_UPDATE, (*row, doc))
            removed = {term: 0 for term in before if term not in after}
            changed = {
                term: times
                for term, times in after.items()
                if before.get(term) != times
            }
            self._edit(doc, removed)
            self._edit(doc, changed)
        self._news.is_pending = True
        if not self._news.everything:
            self._news.paths[path] = None

    def remove(self, path: str) -> None:
        """Remove the terms of a file. Raises: DatabaseError."""
        old: Sequence[Any] | None = self._database.execute(_KNOWN, (path,)).fetchone()
        self._news.is_pending = True
        if not self._news.everything:
            (self._news.others if old is None else self._news.paths)[path] = None
        if old is not None:
            doc, *stored = old
            self._edit(doc, dict.fromkeys(_terms(*stored), 0))
            self._database.execute("DELETE FROM documents WHERE doc = ?", (doc,))

    def finish(self) -> None:
        """Write the changes that are still in memory. Raises: DatabaseError."""
        changes, self._changes = self._changes, {}
        write(self._database, changes)

    def _add(self, doc: int, terms: dict[str, int]) -> None:
        if part_of(doc) not in self._changes:
            self.finish()  # the previous part is full
        note_terms(self._changes, doc, terms, is_new=True)
        self._record_changes(terms)

    def _edit(self, doc: int, terms: dict[str, int]) -> None:
        if terms:
            note_terms(self._changes, doc, terms)
            self._record_changes(terms)

    def _record_changes(self, terms: Iterable[str]) -> None:
        if not self._news.everything:
            self._news.terms.update(terms)


def _terms(data: str, total: int) -> dict[str, int]:
    """Return the stored terms of a file with their counts. Raises: DatabaseError for a
    damaged row.
    """
    if checksum(data) != total:
        raise sqlite3.DatabaseError("malformed terms")
    found: dict[str, int] = json.loads(data)
    return found
