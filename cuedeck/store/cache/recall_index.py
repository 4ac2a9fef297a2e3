"""The index of recall: units of text with their stems, in an SQLite file with FTS5.

The file is derived and can be deleted at any time. Units of one file have consecutive
numbers, so the neighbours of a unit are the rows before and after it. Texts are masked
before they come here.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.light_typing import TYPE_CHECKING, Any, NamedTuple
from cuedeck.model.recall_values import Unit
from cuedeck.store.fs.file_growth import Known
from cuedeck.store.fs.fingerprint import Print
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

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    number INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, source TEXT NOT NULL, hash TEXT NOT NULL,
    size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, checked_ns INTEGER,
    offset INTEGER, sum INTEGER, tail INTEGER, rest INTEGER, lines INTEGER, headings TEXT,
    units INTEGER NOT NULL, words INTEGER NOT NULL, newest TEXT NOT NULL
);
CREATE TABLE units (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    text TEXT NOT NULL, title TEXT NOT NULL, id TEXT NOT NULL, date TEXT NOT NULL,
    speaker TEXT NOT NULL, session TEXT NOT NULL, category TEXT NOT NULL,
    evergreen INTEGER NOT NULL, asks INTEGER NOT NULL, key BLOB NOT NULL, stems TEXT NOT NULL
);
CREATE INDEX units_by_date ON units (date);
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
    "parse/memory_units.py",
    "records/cortex/memory_card.py",
    "records/cortex/message_file.py",
    "parse/record_file.py",
    "parse/timestamps.py",
    "records/recall/recall_terms.py",
    "app/cortex/cortex_places.py",
    "app/recall/cortex_units.py",
    "app/recall/ledger_units.py",
    "app/recall/mask_units.py",
    "app/recall/update_file.py",
)
"""Modules that determine the content of the index, besides the secret formats, which
the version of the index of files covers.
"""
_DAY_LENGTH = len("2026-11-23")
_LATEST = "9999-99"
"""Text that sorts after every date."""
_MANY_ROWS = 10_000
"""New units after which the parts of the FTS5 index are merged into one, which halves
the time to look up a word.
"""
_BITS = 32
"""Bits of a unit number that count the units of one file."""
_COLUMNS = (
    "kind, start, end, text, title, id, date, speaker, session, category, evergreen"
)


class FileState(NamedTuple):
    """What the index knows about one file."""

    number: int = 0
    """0 for a file that is not stored yet."""
    path: str = ""
    source: str = ""
    """Name of the reader that made its units."""
    hash: str = ""
    """Hash of the content, for readers that compare hashes."""
    known: Known | None = None
    """State of the file, for readers that compare fingerprints."""
    lines: int = 0
    """Lines of the known part."""
    headings: tuple[tuple[int, str], ...] = ()
    """Levels and texts of the headings above the end of the known part."""
    units: int = 0
    words: int = 0
    newest: str = ""
    """Latest date of its units."""


class StemmedUnit(NamedTuple):
    """A unit with its stems in text order."""

    unit: Unit
    is_question: bool
    """Whether the text asks."""
    key: bytes
    """Hash of the stems of its text, without those of its title."""
    stems: Sequence[str]


class UnitRow(NamedTuple):
    """The columns of a unit that ranking needs."""

    number: int
    kind: str
    id: str
    date: str
    speaker: str
    session: str
    category: str
    is_evergreen: bool
    is_question: bool
    key: bytes
    stems: str

    @property
    def file(self) -> int:
        """Number of its file."""
        return self.number >> _BITS


class _Paths(dict[int, str]):
    """Paths of files by their numbers."""

    def __missing__(self, number: int) -> str:
        raise ValueError(f"file {number} is missing")


class Secrets(NamedTuple):
    """The secret records of all files: no copy of one may be shown."""

    ids: frozenset[str]
    keys: frozenset[bytes]
    """Keys of their texts, as in `StemmedUnit`."""


class Period(NamedTuple):
    """A span of time; an empty text means that it has no limit."""

    first: str = ""
    """First local day."""
    last: str = ""
    """Last local day, inclusive."""
    begin: str = ""
    """UTC time at which it begins."""
    end: str = ""
    """UTC time at which it has ended."""

    @property
    def is_limited(self) -> bool:
        return any(self)

    def contains(self, date: str) -> bool:
        """Return whether the date of a unit, a day or a UTC time, is in the period."""
        if not date:
            return not self.is_limited
        if len(date) == _DAY_LENGTH:
            return self.first <= date <= (self.last or _LATEST)
        return self.begin <= date < (self.end or _LATEST)


ANY_TIME = Period()


class Filters(NamedTuple):
    """Conditions on units; an empty condition matches every unit."""

    kinds: tuple[str, ...] = ()
    category: str = ""
    session: str = ""
    """Prefix of the id of a session."""
    period: Period = ANY_TIME
    below: str = ""
    """Path of a file, or of a folder above files of the index. `match` does not check
    it: the neighbours of a unit are in the same file.
    """
    without_messages: bool = False
    """Whether messages of timelines are left out."""

    def match(self, row: UnitRow) -> bool:
        """Return whether a unit meets all conditions, as `search` does."""
        if self.kinds and row.kind not in self.kinds:
            return False
        if self.category and row.category != self.category:
            return False
        if not row.session.startswith(self.session):
            return False
        if self.without_messages and row.kind == CORTEX_KIND and row.session:
            return False
        return self.period.contains(row.date)


class RecallIndex(IndexFile):
    """The open index."""

    def __init__(self, place: str, version: str) -> None:
        """Open the index, or create it if it is missing, corrupt or foreign.

        `version` identifies the settings that determine its content.
        """
        self.place = place
        super().__init__(place, Layout(_TABLES, f"{_VERSION} {version}"))
        self._has_lost_stems = False
        """Whether this transaction removed stems, which FTS5 keeps on disk at first."""
        self._last_file = 0
        """Largest number of a file in this transaction; 0 if it is not known yet."""
        self._inode = self._inode_now()
        self.changes = 0
        """Number of changes of files made through this object."""
        self.rows_written = 0
        """Number of units stored through this object."""
        self._files: dict[str, FileState] = {}
        """Cached answer of `files`."""
        self._paths: dict[int, str] | None = None
        """Cached answer of `paths`."""
        self._files_at: object = None
        """State of the index in which `_files` are its files."""
        self._written: dict[str, FileState | None] = {}
        """States of files that this transaction stored; None for removed files."""

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
        """Provide a write transaction; an error rolls it back. After it, no file of the
        index contains the bytes of removed stems.
        """
        self._has_lost_stems = False
        self._last_file = 0
        self._written = {}
        rows_before = self.rows_written
        try:
            with super().writing() as database:
                yield database
                has_many_rows = self.rows_written - rows_before >= _MANY_ROWS
                if self._has_lost_stems or has_many_rows:
                    database.execute("INSERT INTO terms (terms) VALUES ('optimize')")
                is_cached = self._files_at == self._state()
        except BaseException:
            # An interrupt rolls back, too: `_files` may be those of the transaction.
            self._files_at = None
            raise
        self._files_at = self._state() if is_cached else None
        self._paths = None
        for path, state in self._written.items():
            if state is None:
                self._files.pop(path, None)
            else:
                self._files[path] = state
        if self._has_lost_stems:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # --- files

    def files(self) -> Mapping[str, FileState]:
        """Return the state of every file by path, in a transaction as it was at its
        first call.

        The mapping changes when a transaction ends.
        """
        now = self._state()
        if now != self._files_at:
            run = self.database.execute
            rows = run("SELECT * FROM files ORDER BY number").fetchall()
            states = (_file_state(row) for row in rows)
            self._files = {state.path: state for state in states}
            self._files_at = now
            self._paths = None
        return self._files

    def _state(self) -> object:
        return self.database, self.revision()

    def readers(self) -> frozenset[str]:
        """Return the readers of the files that have units."""
        rows = self.database.execute(
            "SELECT DISTINCT source FROM files WHERE units > 0"
        ).fetchall()
        return frozenset(row[0] for row in rows)

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
        `secrets` the ids of secret records with the keys of their texts. The caller
        holds a transaction.
        """
        number = state.number or self._next_file()
        kept, words = state.units, state.words
        lost: set[str] = set()
        if state.number and not keeps:
            kept, words, lost = self._delete(number, after)
        first = (number << _BITS) + kept
        rows = [
            (at, *each.unit, each.is_question, each.key, " ".join(each.stems))
            for at, each in enumerate(units, first)
        ]
        self._add(_ADD_UNIT, rows)
        stems = [(row[0], row[-1]) for row in rows]
        self._add("INSERT INTO terms (rowid, stems) VALUES (?, ?)", stems)
        for row in rows if lost else ():
            lost.difference_update(row[-1].split(" "))
        self._has_lost_stems |= bool(lost)
        named = [(number, newer, older) for newer, older in links]
        self._add("INSERT INTO links VALUES (?, ?, ?)", named)
        hidden = [(number, *each) for each in secrets]
        self._add("INSERT OR IGNORE INTO secrets VALUES (?, ?, ?)", hidden)
        dates = [each.unit.date for each in units]
        if kept:
            dates.append(state.newest)
        words += sum(len(each.stems) for each in units)
        stored = state._replace(
            number=number,
            units=kept + len(units),
            words=words,
            newest=max(dates, default=""),
        )
        statement = _REPLACE_FILE if state.number else _ADD_FILE
        self.database.execute(statement, _file_row(stored))
        self._written[state.path] = stored
        self.rows_written += len(rows)
        self.changes += 1
        return stored

    def confirm(self, state: FileState, known: Known) -> None:
        """Store the fingerprint of a file whose content is unchanged."""
        self.database.execute(
            "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?,"
            " checked_ns = ? WHERE number = ?",
            (*known.print, known.checked_ns, state.number),
        )
        assert state.known is not None
        known = state.known._replace(print=known.print, checked_ns=known.checked_ns)
        self._written[state.path] = state._replace(known=known)

    def remove(self, state: FileState) -> None:
        """Remove a file with its units. The caller holds a transaction."""
        _, _, lost = self._delete(state.number, 0)
        self._has_lost_stems |= bool(lost)
        self.changes += 1
        self._written[state.path] = None
        self.database.execute("DELETE FROM files WHERE number = ?", (state.number,))

    def _add(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:  # preparing a statement takes longer than adding a short row
            self.database.executemany(statement, rows)

    def _next_file(self) -> int:
        if not self._last_file:
            row = self.database.execute("SELECT max(number) FROM files").fetchone()
            self._last_file = row[0] or 0
        self._last_file += 1
        return self._last_file

    def _delete(self, file: int, after: int) -> tuple[int, int, set[str]]:
        """Delete the units of a file that begin after a line; return the number of the
        others, the number of their words, and the stems of the deleted ones.
        """
        run = self.database.execute
        base = file << _BITS
        last = base + (1 << _BITS) - 1
        kept = words = 0
        if after:
            row = run("SELECT units, words FROM files WHERE number = ?", (file,))
            kept, words = row.fetchone()
            # Units are in line order, so only the last ones are looked at.
            query = (
                "SELECT start, stems FROM units WHERE number BETWEEN ? AND ?"
                " ORDER BY number DESC"
            )
            for start, stems in run(query, (base, last)):
                if start <= after:
                    break
                kept -= 1
                words -= stems.count(" ") + 1
        else:
            run("DELETE FROM links WHERE file = ?", (file,))
            run("DELETE FROM secrets WHERE file = ?", (file,))
        gone = (base + kept, last)
        lost: set[str] = set()
        for (stems,) in run(
            "SELECT stems FROM units WHERE number BETWEEN ? AND ?", gone
        ):
            lost.update(stems.split(" "))
        run(
            "INSERT INTO terms (terms, rowid, stems) SELECT 'delete', number, stems"
            " FROM units WHERE number BETWEEN ? AND ?",
            gone,
        )
        run("DELETE FROM units WHERE number BETWEEN ? AND ?", gone)
        return kept, words, lost

    # --- queries

    def search(self, match: str, filters: Filters, most: int) -> list[int]:
        """Return the numbers of the best units that contain a term of an FTS5 query,
        best first.
        """
        condition, values = _condition(filters)
        if not condition:
            query = "SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?"
        else:
            query = (
                "SELECT units.number FROM terms JOIN units ON number = terms.rowid"
                f" WHERE terms MATCH ? AND {condition} ORDER BY terms.rank LIMIT ?"
            )
        rows = self.database.execute(query, (match, *values, most)).fetchall()
        return [row[0] for row in rows]

    def having(self, conditions: Sequence[Iterable[str]]) -> list[int]:
        """Return the numbers of the units that contain a stem of each condition."""
        parts = (" OR ".join(f'"{stem}"' for stem in stems) for stems in conditions)
        match = " AND ".join(f"({part})" for part in parts)
        # One array takes a third of the time of a row for each of 20,000 units.
        query = "SELECT json_group_array(rowid) FROM terms WHERE terms MATCH ?"
        (numbers,) = self.database.execute(query, (match,)).fetchone()
        found: list[int] = json.loads(numbers)
        return found

    def meeting(self, filters: Filters) -> list[int]:
        """Return the numbers of the units that meet the filters."""
        condition, values = _condition(filters)
        query = f"SELECT json_group_array(number) FROM units WHERE {condition or '1'}"
        (numbers,) = self.database.execute(query, values).fetchone()
        found: list[int] = json.loads(numbers)
        return found

    def newest(self, filters: Filters, most: int) -> list[int]:
        """Return the numbers of the newest units, newest first."""
        condition, values = _condition(filters)
        query = (
            f"SELECT number FROM units WHERE {condition or '1'}"
            " ORDER BY date DESC, number LIMIT ?"
        )
        rows = self.database.execute(query, (*values, most)).fetchall()
        return [row[0] for row in rows]

    def rows(self, numbers: Iterable[int]) -> dict[int, UnitRow]:
        """Return the columns that ranking needs of existing units, by number."""
        listed = ",".join(map(str, numbers))
        query = (
            "SELECT number, kind, id, date, speaker, session, category, evergreen,"
            f" asks, key, stems FROM units WHERE number IN ({listed})"
        )
        rows = self.database.execute(query).fetchall()
        return {row[0]: UnitRow._make(row) for row in rows}

    def units(self, numbers: Sequence[int]) -> dict[int, tuple[str, Unit]]:
        """Return existing units with the paths of their files, by number."""
        listed = ",".join(map(str, numbers))
        query = (
            f"SELECT units.number, path, {_COLUMNS} FROM units"
            f" JOIN files ON files.number = units.number >> {_BITS}"
            f" WHERE units.number IN ({listed})"
        )
        rows = self.database.execute(query).fetchall()
        found = {}
        for number, path, *values in rows:
            found[number] = (path, Unit(*values))
        return found

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


def first_number(file: int) -> int:
    """Return the number of the first unit of a file."""
    return file << _BITS


def stale_files(place: str, is_changed: Callable[[str, str, Known], bool]) -> list[str]:
    """Return the paths of the files whose known part differs from the disk although
    their fingerprints are those of the index.

    That is so if a program changed a line in place and then appended to the file.
    `is_changed` compares a file, given its path, its reader and its state. The index is
    opened read-only.
    """
    if not os.path.isfile(place):
        return []
    try:
        with contextlib.closing(open_read_only(place)) as database:
            rows = database.execute("SELECT * FROM files ORDER BY path").fetchall()
        states = [_file_state(row) for row in rows]
    except (*DAMAGE, OSError):  # corrupt, or of another version
        return []
    return [
        state.path
        for state in states
        if state.known and is_changed(state.path, state.source, state.known)
    ]


def lost_units(place: str) -> int:
    """Return how many units the files of the index have, but its table lacks.

    The index is opened read-only.
    """
    if not os.path.isfile(place):
        return 0
    query = "SELECT coalesce(sum(units), 0) - (SELECT count(*) FROM units) FROM files"
    try:
        with contextlib.closing(open_read_only(place)) as database:
            difference: int = database.execute(query).fetchone()[0]
    except (*DAMAGE, OSError):  # corrupt, or of another version
        return 0
    return abs(difference)


def remove_recall_index(place: str) -> None:
    """Remove the file of the index, so that nothing of a deleted record remains."""
    if place:
        with contextlib.suppress(OSError):
            remove_index(place)


_VERSION = f"{INDEX.version} recall {rules_hash(_TABLES, _SOURCES)}"
_ADD_UNIT = f"INSERT INTO units VALUES ({', '.join('?' * 15)})"
_ADD_FILE = f"INSERT INTO files VALUES ({', '.join('?' * 18)})"
"""Statement for a new file. A REPLACE in its place would make FTS5 write its collected
units to the database for every file.
"""
_REPLACE_FILE = f"REPLACE INTO files VALUES ({', '.join('?' * 18)})"


def _file_row(state: FileState) -> Sequence[object]:
    return (
        state.number,
        state.path,
        state.source,
        state.hash,
        *_known_row(state.known),
        state.lines,
        json.dumps(state.headings) if state.headings else _NO_HEADINGS,
        state.units,
        state.words,
        state.newest,
    )


def _known_row(known: Known | None) -> Sequence[int | None]:
    if known is None:
        return (None,) * 9
    return (*known.print, *known[1:])


_NO_HEADINGS = "[]"


def _file_state(row: Sequence[Any]) -> FileState:
    number, path, source, hash_, *stat, lines, headings, units, words, newest = row
    known = None
    if stat[0] is not None:
        print_ = Print(*stat[:4])
        known = Known(print_, *stat[4:])
    above = []
    if headings != _NO_HEADINGS:  # most files have none
        for level, text in json.loads(headings):
            above.append((level, text))
    return FileState(
        number,
        path,
        source,
        hash_,
        known,
        lines,
        tuple(above),
        units,
        words,
        newest,
    )


def _condition(filters: Filters) -> tuple[str, list[str]]:
    """Return the SQL condition of filters, empty for none, and its values."""
    parts: list[str] = []
    values: list[str] = []
    if filters.kinds:
        marks = ", ".join("?" * len(filters.kinds))
        parts.append(f"units.kind IN ({marks})")
        values += filters.kinds
    if filters.category:
        parts.append("units.category = ?")
        values.append(filters.category)
    if filters.session:
        parts.append("substr(units.session, 1, ?) = ?")
        values += [str(len(filters.session)), filters.session]
    if filters.period.is_limited:
        first, last, begin, end = filters.period
        # The index contains dates in order, days among times.
        parts.append("units.date BETWEEN ? AND ?")
        values += [min(first, begin), max(last or _LATEST, end or _LATEST)]
        parts.append(
            "CASE length(units.date) WHEN 0 THEN 0"
            f" WHEN {_DAY_LENGTH} THEN units.date BETWEEN ? AND ?"
            " ELSE units.date >= ? AND units.date < ? END"
        )
        values += [first, last or _LATEST, begin, end or _LATEST]
    if filters.without_messages:
        parts.append("NOT (units.kind = ? AND units.session <> '')")
        values.append(CORTEX_KIND)
    if filters.below:
        parts.append(
            f"units.number >> {_BITS} IN"
            " (SELECT number FROM files WHERE path = ? OR substr(path, 1, ?) = ?)"
        )
        folder = f"{filters.below}/"
        values += [filters.below, str(len(folder)), folder]
    return " AND ".join(parts), values
