"""Changes of the index of recall: the units of files are stored, replaced and removed.

Removed texts are overwritten, so that no file of the index contains them afterwards.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.recall_values import Unit, first_number
from cuedeck.store.cache.recall_index import FileState, RecallIndex

if TYPE_CHECKING:
    import sqlite3

_MANY_ROWS = 10_000
"""New units after which the parts of the FTS5 index are merged into one, which halves
the time to look up a word.
"""
_ADD_UNIT = f"INSERT INTO units VALUES ({', '.join('?' * 15)})"
_ADD_STEMS = "INSERT INTO terms (rowid, stems) VALUES (?, ?)"
_ADD_LINK = "INSERT INTO links VALUES (?, ?, ?)"
_ADD_SECRET = "INSERT OR IGNORE INTO secrets VALUES (?, ?, ?)"
_ADD_FILE = f"INSERT INTO files VALUES ({', '.join('?' * 12)})"
"""Statement for a new file. A REPLACE in its place would make FTS5 write its collected
units to the database for every file.
"""
_REPLACE_FILE = f"REPLACE INTO files VALUES ({', '.join('?' * 12)})"
_MERGE_TERMS = "INSERT INTO terms (terms) VALUES ('optimize')"
_REMOVE_STEMS = (
    "INSERT INTO terms (terms, rowid, stems) SELECT 'delete', number, stems"
    " FROM units WHERE number BETWEEN ? AND ?"
)
_REMOVE_UNITS = "DELETE FROM units WHERE number BETWEEN ? AND ?"
_STEMS = "SELECT stems FROM units WHERE number BETWEEN ? AND ?"
_SUMS = (
    "SELECT count(*), coalesce(max(date), ''),"
    " coalesce(sum(length(stems) - length(replace(stems, ' ', '')) + 1), 0)"
    " FROM units WHERE number BETWEEN ? AND ?"
)
"""Units, latest date and words of a file."""

_UnitValues = tuple[Any, ...]
"""The row of a unit in the table of units; its number is first, its stems are last."""


class StemmedUnit(NamedTuple):
    """A unit with its stems in text order."""

    unit: Unit
    is_question: bool
    """Whether the text is a question."""
    key: bytes
    """Hash of the stems of its text, without those of its title."""
    stems: Sequence[str]


@contextlib.contextmanager
def write_index(index: RecallIndex) -> Iterator[RecallWriter]:
    """Provide a write transaction; an error rolls it back. After it, no file of the
    index contains the bytes of removed stems.
    """
    with index.writing() as database:
        writer = RecallWriter(index, database)
        yield writer
        writer.merge_terms()
    writer.overwrite_removed()


class RecallWriter:
    """The changes of one transaction."""

    def __init__(self, index: RecallIndex, database: sqlite3.Connection) -> None:
        self._index = index
        self._database = database
        self._new_rows = 0
        """Number of units that this transaction stored."""
        self._has_lost_stems = False
        """Whether this transaction removed stems, which FTS5 keeps on disk at first."""

    # --- files

    def put(
        self,
        state: FileState,
        units: Sequence[StemmedUnit],
        links: Iterable[tuple[str, str]] = (),
        secrets: Iterable[tuple[str, bytes]] = (),
        *,
        kept: int = 0,
    ) -> None:
        """Replace the units of a file, except the first ones that are kept, and store
        its state, whose number is 0 for a new file.

        `links` are the ids (newer, older) of records that supersede others, `secrets`
        the ids of secret records with the keys of their texts.
        """
        number = state.number or self._next_file()
        lost = self._delete_units(number, kept) if state.number else set[str]()
        rows = _unit_rows(first_number(number) + kept, units)
        self._add_units(rows)
        self._add(_ADD_LINK, [(number, *link) for link in links])
        self._add(_ADD_SECRET, [(number, *secret) for secret in secrets])
        for row in rows if lost else ():
            lost.difference_update(row[-1].split(" "))
        self._has_lost_stems |= bool(lost)
        run = self._database.execute
        bounds = (first_number(number), _last_number(number))
        count, newest, words = run(_SUMS, bounds).fetchone()
        statement = _REPLACE_FILE if state.number else _ADD_FILE
        values = (state.path, state.source, *state.stamp, count, words, newest)
        run(statement, (number, *values))

    def remove(self, state: FileState) -> None:
        """Remove a file with its units."""
        self._has_lost_stems |= bool(self._delete_units(state.number, 0))
        self._database.execute("DELETE FROM files WHERE number = ?", (state.number,))

    def _next_file(self) -> int:
        found = self._database.execute("SELECT max(number) FROM files").fetchone()
        return (found[0] or 0) + 1

    # --- units

    def _add_units(self, rows: Sequence[_UnitValues]) -> None:
        self._add(_ADD_UNIT, rows)
        self._add(_ADD_STEMS, [(row[0], row[-1]) for row in rows])
        self._new_rows += len(rows)
        self._index.rows_written += len(rows)

    def _add(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:  # preparing a statement takes longer than adding a short row
            self._database.executemany(statement, rows)

    def _delete_units(self, file: int, kept: int) -> set[str]:
        """Delete the units of a file except the first ones, and its links and secrets;
        return the stems of the deleted ones.
        """
        run = self._database.execute
        run("DELETE FROM links WHERE file = ?", (file,))
        run("DELETE FROM secrets WHERE file = ?", (file,))
        deleted = (first_number(file) + kept, _last_number(file))
        lost: set[str] = set()
        for (stems,) in run(_STEMS, deleted):
            lost.update(stems.split(" "))
        run(_REMOVE_STEMS, deleted)
        run(_REMOVE_UNITS, deleted)
        return lost

    # --- removed stems

    def merge_terms(self) -> None:
        """Merge the parts of the FTS5 index if it has removed stems or many new units.
        The caller holds the transaction.
        """
        if self._has_lost_stems or self._new_rows >= _MANY_ROWS:
            self._database.execute(_MERGE_TERMS)

    def overwrite_removed(self) -> None:
        """Empty the write-ahead log, which has the bytes of removed stems. The caller
        has committed the transaction.
        """
        if self._has_lost_stems:
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _last_number(file: int) -> int:
    return first_number(file + 1) - 1


def _unit_rows(first: int, units: Iterable[StemmedUnit]) -> Sequence[_UnitValues]:
    return [
        (number, *each.unit, each.is_question, each.key, " ".join(each.stems))
        for number, each in enumerate(units, first)
    ]
