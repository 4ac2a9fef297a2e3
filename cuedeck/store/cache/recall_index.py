"""The index of recall: units of text with their stems, in an SQLite file with FTS5.

The file is derived and can be deleted at any time. Units of one file have consecutive
numbers, so the neighbours of a unit are the rows before and after it. Texts are masked
before they come here. `recall_index_writer` changes the index; most searches do not
load it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.recall_values import UNIT_BITS, Unit, UnitRow, first_number
from cuedeck.store.cache.unit_filters import sql_condition
from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.index.database import IndexFile
from cuedeck.store.index.schema import (
    DAMAGE,
    INDEX,
    Layout,
    open_read_only,
    remove_index,
    rules_hash,
)

if TYPE_CHECKING:
    import sqlite3

    from cuedeck.store.cache.unit_filters import Filters

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    number INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, source TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL, checked_ns INTEGER NOT NULL, hash TEXT NOT NULL,
    units INTEGER NOT NULL, words INTEGER NOT NULL, newest TEXT NOT NULL
);
CREATE TABLE units (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    text TEXT NOT NULL, title TEXT NOT NULL, id TEXT NOT NULL, date TEXT NOT NULL,
    speaker TEXT NOT NULL, session TEXT NOT NULL, category TEXT NOT NULL,
    evergreen INTEGER NOT NULL, asks INTEGER NOT NULL, key BLOB NOT NULL, stems TEXT NOT NULL
);
CREATE INDEX units_by_date ON units (date);
CREATE INDEX units_by_id ON units (id) WHERE id != '';
CREATE INDEX statements ON units (number, session, speaker, date, start, length(stems))
    WHERE kind = 'statement';
CREATE VIRTUAL TABLE terms USING fts5(
    stems, content = 'units', content_rowid = 'number', tokenize = "ascii tokenchars '-_.:,+#'''"
);
CREATE VIRTUAL TABLE spread USING fts5vocab(terms, row);
CREATE TABLE links (file INTEGER NOT NULL, newer TEXT NOT NULL, older TEXT NOT NULL);
CREATE INDEX links_by_file ON links (file);
CREATE TABLE secrets (
    file INTEGER NOT NULL, id TEXT NOT NULL, key BLOB NOT NULL, PRIMARY KEY (file, id, key)
) WITHOUT ROWID;
"""
_SOURCES = (
    "knowledge/recall/memory_units.py",
    "knowledge/cortex/memory_card.py",
    "knowledge/cortex/message_file.py",
    "ledger/records/record_file.py",
    "text/timestamps.py",
    "text/sentences.py",
    "knowledge/cortex/cortex_places.py",
    "knowledge/recall/cortex_units.py",
    "knowledge/recall/mask_units.py",
    "knowledge/recall/store_changes.py",
)
"""Modules that determine the content of the index, besides the secret formats, which
the version of the index of files covers.
"""
_VERSION = f"{INDEX.version} recall {rules_hash(_TABLES, _SOURCES)}"
_COLUMNS = (
    "kind, start, end, text, title, id, date, speaker, session, category, evergreen"
)
_FILES = (
    "SELECT number, path, source, units, size, mtime_ns, ctime_ns, inode, checked_ns,"
    " hash FROM files ORDER BY number"
)
_WITH_FILES = f"units LEFT JOIN files ON files.number = units.number >> {UNIT_BITS}"
_STATEMENTS = (
    "SELECT number, session, speaker, date, start, length(stems) FROM units"
    " WHERE kind = 'statement' AND session != ? ORDER BY number"
)


StatementRow = tuple[int, str, str, str, int, int]
"""Number, session, speaker, date, line and characters of the stems of a statement."""


class FileState(NamedTuple):
    """The state of one file in the index."""

    number: int = 0
    """0 for a file that is not stored yet."""
    path: str = ""
    source: str = ""
    """Name of the reader that made its units."""
    stamp: FileStamp = FileStamp(0, 0, 0, 0, 0, "")
    """Fingerprint of the file; of a card or doc its hash."""
    units: int = 0


class RecallIndex(IndexFile):
    """The open index."""

    def __init__(self, place: str, version: str) -> None:
        """Open the index, or create it if it is missing, corrupt or foreign.

        `version` identifies the settings that determine its content.
        """
        self.place = place
        super().__init__(place, Layout(_TABLES, f"{_VERSION} {version}"))
        self._inode = self._inode_now()
        self.rows_written = 0
        """Number of units stored through this object."""
        self._files: dict[str, FileState] = {}
        """Cached answer of `files`."""
        self._files_at: object = None
        """State of the index in which `_files` are its files."""

    @property
    def is_replaced(self) -> bool:
        """Whether another file is in the place of the open one, or none."""
        return not self.is_in_memory and self._inode != self._inode_now()

    def _inode_now(self) -> int:
        try:
            return os.stat(self.place).st_ino
        except OSError:
            return 0

    def _open(self) -> sqlite3.Connection:
        database = super()._open()
        database.execute("PRAGMA secure_delete = ON")
        return database

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Provide a write transaction for `write_index`; an error rolls it back."""
        try:
            with super().writing() as database:
                yield database
        finally:
            self._files_at = None

    # --- files

    def files(self) -> Mapping[str, FileState]:
        """Return the state of every file by path, in a transaction as it was at its
        first call.
        """
        now = (self.database, self.revision())
        if now != self._files_at:
            self._files = {}
            for row in self.database.execute(_FILES):
                number, path, source, units, *stamp = row
                stored = FileStamp(*stamp)
                self._files[path] = FileState(number, path, source, stored, units)
            self._files_at = now
        return self._files

    def ids_like(self, start: str) -> list[str]:
        """Return the ids of ledger entries that begin with some characters."""
        query = "SELECT DISTINCT id FROM units WHERE id != '' AND id BETWEEN ? AND ?"
        rows = self.database.execute(query, (start, f"{start}~"))
        return [row[0] for row in rows]

    def readers(self) -> frozenset[str]:
        """Return the readers of the files that have units."""
        rows = self.database.execute(
            "SELECT DISTINCT source FROM files WHERE units > 0"
        ).fetchall()
        return frozenset(row[0] for row in rows)

    # --- queries

    def search(self, match: str, filters: Filters, most: int) -> list[int]:
        """Return the numbers of the best units that contain a term of an FTS5 query,
        best first.
        """
        condition, values = sql_condition(filters)
        if not condition:
            query = "SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?"
        else:
            query = (
                "SELECT units.number FROM terms JOIN units ON number = terms.rowid"
                f" WHERE terms MATCH ? AND {condition} ORDER BY terms.rank LIMIT ?"
            )
        rows = self.database.execute(query, (match, *values, most)).fetchall()
        return [row[0] for row in rows]

    def newest(self, filters: Filters, most: int) -> list[int]:
        """Return the numbers of the newest units, newest first."""
        condition, values = sql_condition(filters)
        query = (
            f"SELECT number FROM units WHERE {condition or '1'}"
            " ORDER BY date DESC, number DESC LIMIT ?"
        )
        rows = self.database.execute(query, (*values, most)).fetchall()
        return [row[0] for row in rows]

    def statements(self, *, without: str = "") -> list[StatementRow]:
        """Return the statements of all conversations but one, in the order of their
        files.
        """
        return self.database.execute(_STATEMENTS, (without,)).fetchall()

    def stems(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the stems of existing units, by number."""
        listed = ",".join(map(str, numbers))
        query = f"SELECT number, stems FROM units WHERE number IN ({listed})"
        return dict(self.database.execute(query))

    def first_statement(self, session: str) -> str:
        """Return the time of the first statement of a session; empty without one."""
        query = "SELECT min(date) FROM units WHERE kind = 'statement' AND session = ?"
        row = self.database.execute(query, (session,)).fetchone()
        return row[0] or ""

    def standing(self, most: int) -> list[Unit]:
        """Return the newest rules and corrections of the user, newest first."""
        query = (
            f"SELECT {_COLUMNS} FROM units WHERE kind = 'statement'"
            " AND speaker = 'user' AND category IN ('rule', 'correction')"
            " ORDER BY date DESC, number DESC LIMIT ?"
        )
        return [Unit(*values) for values in self.database.execute(query, (most,))]

    def rows(self, numbers: Iterable[int]) -> dict[int, UnitRow]:
        """Return the columns that ranking needs of existing units, by number."""
        listed = ",".join(map(str, numbers))
        query = (
            "SELECT units.number, kind, id, date, speaker, session, category,"
            f" evergreen, asks, key, path, stems FROM {_WITH_FILES}"
            f" WHERE units.number IN ({listed})"
        )
        found = {}
        for *values, path, stems in self.database.execute(query).fetchall():
            if path is None:
                raise ValueError(f"the file of unit {values[0]} is missing")
            found[values[0]] = UnitRow._make((*values, path, stems.split(" ")))
        return found

    def matching(self, numbers: Iterable[int], filters: Filters) -> set[int]:
        """Return the numbers of the units that meet all conditions."""
        condition, values = sql_condition(filters)
        listed = ",".join(map(str, numbers))
        query = (
            f"SELECT number FROM units WHERE number IN ({listed})"
            f" AND {condition or '1'}"
        )
        return {row[0] for row in self.database.execute(query, values)}

    def units(self, numbers: Sequence[int]) -> dict[int, tuple[str, Unit]]:
        """Return existing units with the paths of their files, by number."""
        listed = ",".join(map(str, numbers))
        query = (
            f"SELECT units.number, path, {_COLUMNS} FROM {_WITH_FILES}"
            f" WHERE units.number IN ({listed})"
        )
        rows = self.database.execute(query).fetchall()
        return {number: (path, Unit(*values)) for number, path, *values in rows}

    def units_of(self, state: FileState) -> list[Unit]:
        """Return the units of a file in order."""
        first = first_number(state.number)
        query = (
            f"SELECT {_COLUMNS} FROM units WHERE number BETWEEN ? AND ? ORDER BY number"
        )
        rows = self.database.execute(query, (first, first + state.units - 1))
        return [Unit(*row) for row in rows]

    def spread(self, stem: str) -> int:
        """Return the number of units that contain a stem."""
        row = self.database.execute(
            "SELECT doc FROM spread WHERE term = ?", (stem,)
        ).fetchone()
        return row[0] if row else 0

    def totals(self) -> tuple[int, int, str]:
        """Return the number of units, of their words, and their latest date."""
        row = self.database.execute(
            "SELECT sum(units), sum(words), max(newest) FROM files"
        ).fetchone()
        units, words, newest = row
        return units or 0, words or 0, newest or ""

    def links(self) -> Mapping[str, list[str]]:
        """Return the ids that each record supersedes, by its id."""
        found: dict[str, list[str]] = {}
        for newer, older in self.database.execute(
            "SELECT newer, older FROM links ORDER BY rowid"
        ):
            found.setdefault(newer, []).append(older)
        return found

    def secrets(self) -> tuple[frozenset[str], frozenset[bytes]]:
        """Return the ids of the secret records of all files and the keys of their
        texts: no copy of one may be shown.
        """
        rows = self.database.execute("SELECT id, key FROM secrets").fetchall()
        return frozenset(row[0] for row in rows), frozenset(row[1] for row in rows)


def remove_recall_index(place: str) -> None:
    """Remove the file of the index, so that nothing of a deleted record remains."""
    if place:
        with contextlib.suppress(OSError):
            remove_index(place)


def lost_units(place: str) -> int:
    """Return how many units the files of the index at a place have, but its table
    lacks; 0 if it is missing, corrupt or of another version.
    """
    query = "SELECT coalesce(sum(units), 0) - (SELECT count(*) FROM units) FROM files"
    if not os.path.isfile(place):
        return 0
    try:
        with contextlib.closing(open_read_only(place)) as database:
            difference: int = database.execute(query).fetchone()[0]
    except (*DAMAGE, OSError):
        return 0
    return abs(difference)
