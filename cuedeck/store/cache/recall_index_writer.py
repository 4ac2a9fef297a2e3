"""Changes of the index of recall: the units of files are stored, replaced and removed.

Removed texts are overwritten, so that no file of the index contains them afterwards.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.recall_values import Unit, first_number
from cuedeck.store.cache.recall_index import NO_HEADINGS, FileState, RecallIndex

if TYPE_CHECKING:
    import sqlite3

    from cuedeck.store.files.file_growth import Known

_MANY_ROWS = 10_000
"""New units after which the parts of the FTS5 index are merged into one, which halves
the time to look up a word.
"""
_ADD_UNIT = f"INSERT INTO units VALUES ({', '.join('?' * 15)})"
_ADD_STEMS = "INSERT INTO terms (rowid, stems) VALUES (?, ?)"
_ADD_LINK = "INSERT INTO links VALUES (?, ?, ?)"
_ADD_SECRET = "INSERT OR IGNORE INTO secrets VALUES (?, ?, ?)"
_ADD_FILE = f"INSERT INTO files VALUES ({', '.join('?' * 18)})"
"""Statement for a new file. A REPLACE in its place would make FTS5 write its collected
units to the database for every file.
"""
_REPLACE_FILE = f"REPLACE INTO files VALUES ({', '.join('?' * 18)})"
_CONFIRM_FILE = (
    "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?,"
    " checked_ns = ? WHERE number = ?"
)
_MERGE_TERMS = "INSERT INTO terms (terms) VALUES ('optimize')"
_REMOVE_STEMS = (
    "INSERT INTO terms (terms, rowid, stems) SELECT 'delete', number, stems"
    " FROM units WHERE number BETWEEN ? AND ?"
)
_REMOVE_UNITS = "DELETE FROM units WHERE number BETWEEN ? AND ?"
_STEMS = "SELECT stems FROM units WHERE number BETWEEN ? AND ?"
_STEMS_FROM_LAST = (
    "SELECT start, stems FROM units WHERE number BETWEEN ? AND ? ORDER BY number DESC"
)

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


class _Kept(NamedTuple):
    """The first units of a file, which remain when later ones are deleted."""

    units: int
    words: int


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
        self._last_file = 0
        """Largest number of a file; 0 if it is not known yet."""

    # --- files

    def put(
        self,
        state: FileState,
        units: Sequence[StemmedUnit],
        links: Iterable[tuple[str, str]],
        *,
        after: int = 0,
        secrets: Iterable[tuple[str, bytes]] = (),
        keeps: bool = False,
    ) -> FileState:
        """Replace the units of a file that begin after a line, and store its state;
        return the state with its number and sums. With `keeps`, the units are added to
        the stored ones.

        The number of the state is 0 for a new file; its sums are those before the
        change. `links` are the ids (newer, older) of records that supersede others,
        `secrets` the ids of secret records with the keys of their texts.
        """
        number = state.number or self._next_file()
        kept = _Kept(state.units, state.words)
        lost: set[str] = set()
        if state.number and not keeps:
            kept, lost = self._delete_units(number, after)

        rows = _unit_rows(first_number(number) + kept.units, units)
        self._add_units(rows)
        self._add(_ADD_LINK, [(number, *link) for link in links])
        self._add(_ADD_SECRET, [(number, *secret) for secret in secrets])
        if lost:
            self._note_lost(lost, rows)

        stored = _sum_up(state._replace(number=number), kept, units)
        statement = _REPLACE_FILE if state.number else _ADD_FILE
        self._database.execute(statement, _file_row(stored))
        return stored

    def confirm(self, state: FileState, known: Known) -> None:
        """Store the fingerprint of a file whose content is unchanged."""
        values = (*known.print, known.checked_ns, state.number)
        self._database.execute(_CONFIRM_FILE, values)

    def remove(self, state: FileState) -> None:
        """Remove a file with its units."""
        _, lost = self._delete_units(state.number, 0)
        self._has_lost_stems |= bool(lost)
        self._database.execute("DELETE FROM files WHERE number = ?", (state.number,))

    def _next_file(self) -> int:
        if not self._last_file:
            found = self._database.execute("SELECT max(number) FROM files")
            self._last_file = found.fetchone()[0] or 0
        self._last_file += 1
        return self._last_file

    # --- units

    def _add_units(self, rows: Sequence[_UnitValues]) -> None:
        self._add(_ADD_UNIT, rows)
        self._add(_ADD_STEMS, [(row[0], row[-1]) for row in rows])
        self._new_rows += len(rows)
        self._index.rows_written += len(rows)

    def _add(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:  # preparing a statement takes longer than adding a short row
            self._database.executemany(statement, rows)

    def _delete_units(self, file: int, after: int) -> tuple[_Kept, set[str]]:
        """Delete the units of a file that begin after a line, with links and secrets if
        these are all units; return the sums of the others, and the stems of the deleted
        ones.
        """
        run = self._database.execute
        if after:
            kept = self._units_until(file, after)
        else:
            kept = _Kept(0, 0)
            run("DELETE FROM links WHERE file = ?", (file,))
            run("DELETE FROM secrets WHERE file = ?", (file,))
        deleted = (first_number(file) + kept.units, _last_number(file))
        lost: set[str] = set()
        for (stems,) in run(_STEMS, deleted):
            lost.update(stems.split(" "))
        run(_REMOVE_STEMS, deleted)
        run(_REMOVE_UNITS, deleted)
        return kept, lost

    def _units_until(self, file: int, line: int) -> _Kept:
        """Return the sums of the units of a file that begin at most at a line."""
        run = self._database.execute
        found = run("SELECT units, words FROM files WHERE number = ?", (file,))
        units, words = found.fetchone()
        # Units are in line order, so only the last ones are looked at.
        numbers = (first_number(file), _last_number(file))
        for start, stems in run(_STEMS_FROM_LAST, numbers):
            if start <= line:
                break
            units -= 1
            words -= stems.count(" ") + 1
        return _Kept(units, words)

    # --- removed stems

    def _note_lost(self, lost: set[str], rows: Iterable[_UnitValues]) -> None:
        """Note whether stems of deleted units are in none of the new rows."""
        for row in rows:
            lost.difference_update(row[-1].split(" "))
        self._has_lost_stems |= bool(lost)

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
    """Return the largest number that a unit of a file can have."""
    return first_number(file + 1) - 1


def _unit_rows(first: int, units: Iterable[StemmedUnit]) -> Sequence[_UnitValues]:
    return [
        (number, *each.unit, each.is_question, each.key, " ".join(each.stems))
        for number, each in enumerate(units, first)
    ]


def _sum_up(state: FileState, kept: _Kept, units: Collection[StemmedUnit]) -> FileState:
    """Return the state of a file with the sums of its kept and its new units."""
    dates = [each.unit.date for each in units]
    if kept.units:
        dates.append(state.newest)
    return state._replace(
        units=kept.units + len(units),
        words=kept.words + sum(len(each.stems) for each in units),
        newest=max(dates, default=""),
    )


def _file_row(state: FileState) -> Sequence[object]:
    """Return the row of a file, which `RecallIndex` reads."""
    return (
        state.number,
        state.path,
        state.source,
        state.hash,
        *_known_values(state.known),
        state.lines,
        json.dumps(state.headings) if state.headings else NO_HEADINGS,
        state.units,
        state.words,
        state.newest,
    )


def _known_values(known: Known | None) -> Sequence[int | None]:
    if known is None:
        return (None,) * 9
    return (*known.print, *known[1:])
