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
from typing import TYPE_CHECKING, Any, NamedTuple

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
    stamp: FileStamp = FileStamp(
        0,
        0,
        0,
        0,
        0,
        "",
    )
    """Fingerprint of the file; of a card or doc its hash."""
    units: int = 0
    words: int = 0
    newest: str = ""
    """Latest date of its units."""


class _Paths(dict[int, str]):
    """Paths of files by their numbers."""

    def __missing__(self, number: int) -> str:
        raise ValueError(f"file {number} is missing")


class Secrets(NamedTuple):
    """The secret records of all files: no copy of one may be shown."""

    ids: frozenset[str]
    keys: frozenset[bytes]
    """Keys of their texts, as in `StemmedUnit`."""


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
        self._paths: dict[int, str] | None = None
        """Cached answer of `paths`."""
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
        now = self._state()
        if now != self._files_at:
            run = self.database.execute
            rows = run("SELECT * FROM files ORDER BY number").fetchall()
            states = (parse_state(row) for row in rows)
            self._files = {state.path: state for state in states}
            self._files_at = now
            self._paths = None
        return self._files

    def _state(self) -> object:
        return self.database, self.revision()

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

    def standing(self, categories: Sequence[str], most: int) -> list[tuple[int, Unit]]:
        """Return the newest statements of the user with one of these kinds, newest
        first; of every kind without one.
        """
        marks = ", ".join("?" * len(categories))
        condition = f"AND category IN ({marks})" if categories else ""
        query = (
            f"SELECT number, {_COLUMNS} FROM units WHERE kind = 'statement'"
            f" AND speaker = 'user' {condition} ORDER BY date DESC, number DESC LIMIT ?"
        )
        rows = self.database.execute(query, (*categories, most)).fetchall()
        return [(number, Unit(*values)) for number, *values in rows]

    def rows(self, numbers: Iterable[int]) -> dict[int, UnitRow]:
        """Return the columns that ranking needs of existing units, by number."""
        listed = ",".join(map(str, numbers))
        query = (
            "SELECT number, kind, id, date, speaker, session, category, evergreen,"
            f" asks, key, stems FROM units WHERE number IN ({listed})"
        )
        paths = self.paths()
        found = {}
        for number, *values, stems in self.database.execute(query):
            row = (number, *values, paths[number >> UNIT_BITS], stems.split(" "))
            found[number] = UnitRow._make(row)
        return found

    def units(self, numbers: Sequence[int]) -> dict[int, tuple[str, Unit]]:
        """Return existing units with the paths of their files, by number."""
        listed = ",".join(map(str, numbers))
        query = (
            f"SELECT units.number, path, {_COLUMNS} FROM units"
            f" JOIN files ON files.number = units.number >> {UNIT_BITS}"
            f" WHERE units.number IN ({listed})"
        )
        rows = self.database.execute(query).fetchall()
        found = {}
        for number, path, *values in rows:
            found[number] = (path, Unit(*values))
        return found

    def units_of(self, state: FileState) -> list[Unit]:
        """Return the units of a file in order."""
        first = first_number(state.number)
        query = (
            f"SELECT {_COLUMNS} FROM units WHERE number BETWEEN ? AND ? ORDER BY number"
        )
        rows = self.database.execute(query, (first, first + state.units - 1))
        return [Unit(*row) for row in rows]

    def unit_at(self, file: int, line: int, most_before: int) -> int | None:
        """Return the number of the unit of a file that contains a line.

        A line between units belongs to the paragraph that begins at most `most_before`
        lines below it; a record contains its own line only.
        """
        query = (
            "SELECT number, start, id FROM units WHERE number BETWEEN ? AND ?"
            " AND end >= ? ORDER BY number LIMIT 1"
        )
        bounds = (first_number(file), first_number(file + 1) - 1)
        row = self.database.execute(query, (*bounds, line)).fetchone()
        if row is None:
            return None
        number, start, identity = row
        is_near = start <= line + most_before and not identity
        return int(number) if start <= line or is_near else None

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

    def paths(self) -> Mapping[int, str]:
        """Return the path of each file, by its number. The number of a file that the
        index has lost raises ValueError, as for other damage.
        """
        files = self.files()
        if self._paths is None:
            pairs = ((state.number, path) for path, state in files.items())
            self._paths = _Paths(pairs)
        return self._paths

    def links(self) -> Mapping[str, list[str]]:
        """Return the ids that each record supersedes, by its id."""
        found: dict[str, list[str]] = {}
        for newer, older in self.database.execute(
            "SELECT newer, older FROM links ORDER BY rowid"
        ):
            found.setdefault(newer, []).append(older)
        return found

    def secrets(self) -> Secrets:
        """Return the secret records of all files."""
        rows = self.database.execute("SELECT id, key FROM secrets").fetchall()
        return Secrets(
            frozenset(row[0] for row in rows), frozenset(row[1] for row in rows)
        )


def remove_recall_index(place: str) -> None:
    """Remove the file of the index, so that nothing of a deleted record remains."""
    if place:
        with contextlib.suppress(OSError):
            remove_index(place)


def parse_state(row: Sequence[Any]) -> FileState:
    """Return the state in a row of the table of files."""
    number, path, source, *stamp, units, words, newest = row
    return FileState(
        number,
        path,
        source,
        FileStamp(*stamp),
        units,
        words,
        newest,
    )


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
