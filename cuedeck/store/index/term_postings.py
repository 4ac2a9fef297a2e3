"""Postings of the index: for each term the files that contain it, updated with the
stored terms of each file.

Lists are packed in parts of 1,024 files, so that a change rewrites little. A part
contains the files whose numbers differ only in their last bits. The lists of a part are
in blocks of some consecutive terms, because a row for each term takes most of the time
of a first index.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from cuedeck.parse.index_terms import IndexTerms
    from cuedeck.store.index.database import News

_PART_BITS = 10
_TIMES_BITS = 32 - _PART_BITS
_MOST_TIMES = (1 << _TIMES_BITS) - 1
_PLACE = (1 << _PART_BITS) - 1
_BLOCK_TERMS = 64
_UPDATE = (
    "UPDATE documents SET length = ?, names = ?, terms = ?, times = ?, sum = ?"
    " WHERE doc = ?"
)
_INSERT = "INSERT OR IGNORE INTO documents VALUES (NULL, ?, ?, ?, ?, ?, ?)"
_KNOWN = "SELECT doc, terms, times, sum FROM documents WHERE path = ?"
BLOCKS = """
    WITH RECURSIVE numbers(number) AS (
        SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?
    )
    SELECT part, terms, sizes, data FROM numbers CROSS JOIN postings
    ON part = number AND first <= ? AND first >= coalesce(
        (SELECT max(first) FROM postings WHERE part = number AND first <= ?), ''
    )
"""
"""Query for the blocks with the terms of a range; its values are a number of parts, the
last term and the first one.
"""
Block = tuple[int, str, bytes, bytes]
"""A row of `BLOCKS`."""


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
        query = "SELECT first FROM postings WHERE part = ? ORDER BY first"
        firsts = [first for (first,) in database.execute(query, (number,))]
        if not firsts and not part.edited:
            _insert(database, number, part.terms)
            continue
        groups: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
        for term, entries in part.terms.items():
            at = bisect_right(firsts, term) - 1
            first = firsts[max(at, 0)] if firsts else ""
            groups[first][term] = entries
        for first, lists in groups.items():
            _merge(database, number, first, lists)


def unpack(blocks: Iterable[Block], term: str) -> Iterator[tuple[int, int]]:
    """Yield (number of a file, count) of a term in some blocks. Raises:
    DatabaseError.
    """
    for part, terms, *columns in sorted(blocks):
        if term not in str(terms):
            continue  # most blocks of a rare term, without reading them
        names, ends, entries = _read_block(terms, *columns)
        if term not in names:
            continue
        at = names.index(term)
        for entry in entries[ends[at] : ends[at + 1]]:
            yield part << _PART_BITS | entry >> _TIMES_BITS, entry & _MOST_TIMES


def part_of(doc: int) -> int:
    """Return the part a file belongs to."""
    return doc >> _PART_BITS


def split_terms(terms: str) -> list[str]:
    """Return the terms of a block or a file."""
    return terms.split("\n") if terms else []


def _insert(
    database: sqlite3.Connection, number: int, lists: Mapping[str, Sequence[int]]
) -> None:
    """Insert lists into a part, in blocks of about equal numbers of terms."""
    terms = sorted(lists)
    count = max(1, round(len(terms) / _BLOCK_TERMS))
    size = -(-len(terms) // count) or 1
    rows = []
    for start in range(0, len(terms), size):
        block = terms[start : start + size]
        found = [lists[term] for term in block]
        names = "\n".join(block)
        sizes = map(len, found)
        entries = chain.from_iterable(found)
        row = (number, block[0], names, _pack(sizes), _pack(entries))
        rows.append(row)
    database.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", rows)


def _merge(
    database: sqlite3.Connection,
    number: int,
    first: str,
    changes: Mapping[str, Sequence[int]],
) -> None:
    """Replace the block that begins with a term by one with the changed entries."""
    place = (number, first)
    query = "SELECT terms, sizes, data FROM postings WHERE part = ? AND first = ?"
    lists: dict[str, Sequence[int]] = {}
    for columns in database.execute(query, place).fetchall():
        names, ends, entries = _read_block(*columns)
        spans = pairwise(ends)
        for name, (start, end) in zip(names, spans, strict=True):
            lists[name] = entries[start:end]
    database.execute("DELETE FROM postings WHERE part = ? AND first = ?", place)
    for term, entries in changes.items():
        by_file = {}
        for entry in chain(lists.pop(term, ()), entries):
            file = entry >> _TIMES_BITS
            by_file[file] = entry
        counted = [entry for entry in by_file.values() if entry & _MOST_TIMES]
        if counted:
            lists[term] = sorted(counted)
    _insert(database, number, lists)


def _read_block(
    terms: object, sizes: object, data: object
) -> tuple[Sequence[str], Sequence[int], Sequence[int]]:
    """Return the terms of a block, the ends of their lists after a zero, and the
    entries of all lists. Raises: DatabaseError.
    """
    names = split_terms(str(terms))
    ends = list(accumulate(_unpack(sizes), initial=0))
    entries = _unpack(data)
    if len(names) + 1 != len(ends) or len(entries) != ends[-1]:
        raise sqlite3.DatabaseError("malformed postings")
    return names, ends, entries


def _pack(numbers: Iterable[int]) -> bytes:
    return array("I", numbers).tobytes()


def _unpack(data: object) -> Sequence[int]:
    if not isinstance(data, bytes) or len(data) % array("I").itemsize:
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
        total = _checksum(terms.terms, terms.times)
        row = (terms.length, terms.names, terms.terms, terms.times, total)
        made = self._database.execute(_INSERT, (path, *row))
        after = terms.counts
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


def _terms(terms: str, times: bytes, total: int) -> dict[str, int]:
    """Return the stored terms of a file with their counts. Raises: DatabaseError for a
    damaged row.
    """
    if _checksum(terms, times) != total:
        raise sqlite3.DatabaseError("malformed terms")
    names = split_terms(terms)
    counts = _unpack(times)
    return dict(zip(names, counts, strict=True))


def _checksum(terms: str, times: bytes) -> int:
    return crc32(times, crc32(terms.encode()))
