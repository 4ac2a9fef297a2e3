"""The SQLite file of the index: its tables, its version, and how it is opened and rebuilt.

The index is derived from the files of the workspace. It may be deleted at any time; one that is corrupt,
of another version or not ours is replaced, never trusted.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3

from cuedeck import __version__

VERSION = f"cuedeck {__version__} index 1"
"""Parsers may change with every release, so an index belongs to one release."""

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE prints (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER,
    checked_ns INTEGER, hash TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE verdicts (path TEXT PRIMARY KEY, hidden INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE problems (path TEXT, line INTEGER, level TEXT, code TEXT, message TEXT, hint TEXT);
CREATE TABLE nodes (path TEXT PRIMARY KEY, kind TEXT NOT NULL, troubled INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX nodes_by_kind ON nodes (kind);
CREATE TABLE names (key TEXT, path TEXT, PRIMARY KEY (key, path)) WITHOUT ROWID;
CREATE INDEX names_by_path ON names (path);
CREATE TABLE counts (text BLOB, encoding TEXT, tokens INTEGER NOT NULL, PRIMARY KEY (text, encoding)) WITHOUT ROWID;
CREATE TABLE secrets (hash TEXT, rules TEXT, spans TEXT NOT NULL, PRIMARY KEY (hash, rules)) WITHOUT ROWID;
CREATE TABLE scenes (request TEXT PRIMARY KEY, data BLOB NOT NULL);
"""


def open_index(place: str) -> sqlite3.Connection:
    """Open the index, new when it is missing, corrupt, foreign or of another version.

    An empty `place`, or one where nothing can be written, gives an index in memory, for this process alone.
    """
    if not place:
        return _in_memory()
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        return _open(place)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and not _is_broken(error):
            return _in_memory()
    except OSError:
        return _in_memory()
    try:
        _remove(place)
        return _open(place)
    except (sqlite3.DatabaseError, OSError):
        return _in_memory()


def _open(place: str) -> sqlite3.Connection:
    database = _connect(place)
    try:
        if _version(database) != VERSION:
            if database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                database.close()
                _remove(place)
                database = _connect(place)
            _create(database)
    except BaseException:
        database.close()
        raise
    return database


def _connect(place: str) -> sqlite3.Connection:
    database = sqlite3.connect(place, timeout=10, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    # The index is derived: losing its last moments in a power cut costs a rescan, so no fsync at commits.
    database.execute("PRAGMA synchronous = OFF")
    return database


def _in_memory() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _create(database)
    return database


def _version(database: sqlite3.Connection) -> str:
    try:
        row = database.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    except sqlite3.OperationalError:
        return ""
    return row[0] if row else ""


def _create(database: sqlite3.Connection) -> None:
    """Lay out a new file; when two processes do it at once, the second finds it done."""
    with contextlib.suppress(sqlite3.OperationalError):
        database.executescript(f"BEGIN IMMEDIATE; {_TABLES} INSERT INTO meta VALUES ('version', '{VERSION}'); COMMIT;")
    if database.in_transaction:
        database.execute("ROLLBACK")


def _is_broken(error: sqlite3.OperationalError) -> bool:
    return any(
        word in str(error) for word in ("malformed", "disk image", "not a database", "no such table", "no such column")
    )


def _remove(place: str) -> None:
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place + ending)
