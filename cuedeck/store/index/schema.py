"""The SQLite file of the index: its tables, its version, and its creation and
replacement.

The index is derived from the files of the workspace and can be deleted at any time. A
corrupt index, or one of another version, is replaced. A repository cannot bring one,
because the name of its folder is private (`private_folder`).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import cuedeck
from cuedeck.store.files import nofollow

_IN_TERMS = "".join(chr(code) for code in range(1, 128) if chr(code) != "\n")
"""ASCII characters of terms; FTS5 takes all others as a part of a term."""
_QUOTED = _IN_TERMS.replace("'", "''").replace('"', '""')
_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE prints (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER,
    checked_ns INTEGER, hash TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE problems (path TEXT, line INTEGER, level TEXT, code TEXT, message TEXT, hint TEXT);
CREATE TABLE nodes (
    path TEXT PRIMARY KEY, kind TEXT NOT NULL, status TEXT NOT NULL, troubled INTEGER NOT NULL, data TEXT NOT NULL,
    sum INTEGER NOT NULL
);
CREATE INDEX nodes_active ON nodes (path) WHERE status = 'active';
CREATE INDEX nodes_by_kind ON nodes (kind, path);
CREATE INDEX nodes_in_trouble ON nodes (path) WHERE troubled;
CREATE TABLE names (key TEXT, path TEXT, PRIMARY KEY (key, path)) WITHOUT ROWID;
CREATE INDEX names_by_path ON names (path);
CREATE TABLE documents (
    doc INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, length INTEGER NOT NULL, names INTEGER NOT NULL,
    terms TEXT NOT NULL, sum INTEGER NOT NULL
);
CREATE VIRTUAL TABLE terms USING fts5(text, content='', columnsize=0, tokenize="ascii tokenchars '{_QUOTED}'");
CREATE VIRTUAL TABLE places USING fts5vocab(terms, instance);
CREATE VIRTUAL TABLE spread USING fts5vocab(terms, row);
CREATE TABLE cache (kind TEXT, key BLOB, value NOT NULL, PRIMARY KEY (kind, key));
CREATE INDEX cache_by_kind ON cache (kind);
CREATE TABLE known_values (
    path TEXT, digest BLOB NOT NULL, kind TEXT NOT NULL, length INTEGER NOT NULL, run BLOB NOT NULL,
    run_start INTEGER NOT NULL, run_length INTEGER NOT NULL
);
CREATE INDEX known_values_by_path ON known_values (path);
CREATE TABLE copies (path TEXT PRIMARY KEY) WITHOUT ROWID;
"""
PROBLEMS = "SELECT path, line, level, code, message, hint FROM problems ORDER BY 1, 2, 3, 4, 5, 6"
"""Query for the diagnostics of the scan, as the fields of `Diagnostic`."""
VALUES_CHANGED = "values"
"""Key of the metadata: names the last change of the secret values while files may
contain copies that are not masked; empty otherwise.
"""
INSERT_VALUE = "INSERT INTO known_values VALUES (?, ?, ?, ?, ?, ?, ?)"
NO_FILE = ""
"""Path of the secret values that commit messages and given texts reveal."""
DERIVED = ("scenes", "layers", "pasts")
"""Kinds of cached values with texts that are masked when they are stored."""
INSERT_CACHED = "REPLACE INTO cache VALUES (?, ?, ?)"
CORTEX_PLACES = "cortex"
"""Key of the metadata: places of the cortex tree on which cached scenes depend."""
_RULES = (
    "parse/languages",
    "parse/code",
    "parse/secrets",
    "parse/card_file.py",
    "parse/frontmatter.py",
    "parse/import_roots.py",
    "parse/index_terms.py",
    "parse/jsonc.py",
    "parse/markdown.py",
    "parse/notebook.py",
    "parse/parse_file.py",
    "parse/refs.py",
    "text/plain_text.py",
    "text/stems.py",
    "text/words.py",
    "parse/sections.py",
    "parse/settings_checks.py",
    "parse/settings_file.py",
    "parse/source_file.py",
    "parse/text_decoding.py",
    "parse/toml_reader.py",
    "parse/yaml_reader.py",
    "text/fold_text.py",
    "model/secret.py",
    "model/settings_schema.py",
    "store/index/read_file.py",
)
"""Packages with the rule tables of the languages, the code that applies them, and the
secret formats; modules that read files, their index terms and the settings.
"""


def new_change() -> str:
    """Return the name of a change, which no other process gives."""
    return os.urandom(8).hex()


def rules_hash(tables: str, sources: Iterable[str]) -> str:
    """Return a hash of the tables of a file and of the rules that produce its content.

    `sources` are modules and packages of this program; their texts are read, not
    imported, because an unchanged scene comes from the index without these modules.
    """
    # `hashlib` would load OpenSSL.
    from _blake2 import blake2b

    found = blake2b(tables.encode(), digest_size=8)
    try:
        for source in sources:
            for place in _source_files(source):
                with open(place, "rb", buffering=0) as file:
                    found.update(file.read())
    except OSError:  # installed without sources: only the release is known
        return ""
    return found.hexdigest()


def _source_files(source: str) -> Iterator[str]:
    home = os.path.dirname(cuedeck.__file__)
    place = os.path.join(home, *source.split("/"))
    if source.endswith(".py"):
        yield place
        return
    for name in sorted(os.listdir(place)):
        if name.endswith(".py"):
            yield os.path.join(place, name)


class Layout(NamedTuple):
    """The tables of a derived SQLite file, and the version of its content."""

    tables: str
    """SQL statements, each ending with `;` and a newline; one creates `meta`."""
    version: str


def _rules_hash() -> str:
    return rules_hash(_TABLES, _RULES)


VERSION = f"cuedeck {cuedeck.__version__} index {_rules_hash()}"
"""Version of all code that determines the content of an index.

Parsers may change with every
release, so an index belongs to one release. Its tables, its parsers and the secret
formats may change within a release, so the version contains their hash: an index of
older rules is not read.
"""
INDEX = Layout(_TABLES, VERSION)
"""Layout of the index of files."""
DAMAGE = (sqlite3.DatabaseError, ValueError, TypeError)
"""Errors of reading a damaged file: SQLite detects most damage, values of a wrong type
reveal the rest.
"""
_BROKEN = (
    "malformed",
    "disk image",
    "not a database",
    "no such table",
    "no such column",
    "decode to UTF-8",
)
_PRIMARY_CODE = 0xFF
"""Bits of an error code of SQLite that are not details."""
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def open_index(place: str, layout: Layout = INDEX) -> sqlite3.Connection:
    """Open the index; create it if it is missing, corrupt, foreign or of another
    version.

    If `place` is empty or cannot be written, the index is in memory and belongs to this
    process only.
    """
    if not place:
        return _in_memory(layout)
    try:
        if not _writable(place):
            return _in_memory(layout)
        return _find(place, layout) or _create(place, layout)
    except (*DAMAGE, OSError, NotImplementedError):
        # NotImplementedError: the file system has no locks.
        return _in_memory(layout)


def open_read_only(place: str) -> sqlite3.Connection:
    """Open an existing file of any version without changing it. Raises:
    sqlite3.OperationalError, OSError.
    """
    from urllib.parse import quote

    nofollow.check_database(place)
    return sqlite3.connect(f"file:{quote(place)}?mode=ro", uri=True, timeout=5)


def is_broken(error: Exception) -> bool:
    """Return whether an error means that the file is damaged; otherwise the disk or a
    lock caused it.
    """
    return not isinstance(error, sqlite3.OperationalError) or any(
        word in str(error) for word in _BROKEN
    )


def is_locked(error: Exception) -> bool:
    """Return whether an error means that another process has locked the file."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & _PRIMARY_CODE in _LOCKED


def remove_index(place: str) -> None:
    """Remove the file of an index and the files that SQLite creates next to it. Raises:
    OSError.
    """
    for ending in nofollow.OF_DATABASE:
        with contextlib.suppress(FileNotFoundError):
            nofollow.unlink(place + ending)


def _writable(place: str) -> bool:
    folder = os.path.dirname(place)
    nofollow.make_folder(folder, mode=0o700)
    nofollow.check_database(place)
    if not os.access(folder, os.W_OK):
        return False
    if os.access(place, os.W_OK) or not os.path.lexists(place):
        return True
    # Another process may have created it after the first look.
    return os.access(place, os.W_OK)


def _find(place: str, layout: Layout) -> sqlite3.Connection | None:
    """Open a file as an index of this version; return None if it is missing, corrupt or
    of another version.

    Raises: sqlite3.OperationalError for an error of the disk or a lock, OSError.
    """
    if not os.path.lexists(place):
        return None
    database = _connect(place)
    try:
        _relax(database)
        if _version(database) == layout.version:
            return database
    except DAMAGE as error:
        if not is_broken(error):
            database.close()
            raise
    database.close()
    return None


def is_current(place: str) -> bool:
    """Return whether a file is an index of this version, without replacing another."""
    try:
        database = _find(place, INDEX)
    except (sqlite3.DatabaseError, OSError):
        return False
    if database is None:
        return False
    database.close()
    return True


def _create(place: str, layout: Layout) -> sqlite3.Connection:
    """Create an index, replacing a corrupt or foreign file, and open it.

    One process at a time does this; the others wait and use its index. The tables are
    created in a file with another name, so that no process opens an index without
    tables. Raises: sqlite3.DatabaseError, OSError.
    """
    from cuedeck.store.files.file_lock import held

    with held(f"{place}.lock"):
        database = _find(place, layout)
        if database is None:
            _write_empty(place, layout)
            database = _find(place, layout)
    if database is None:
        raise sqlite3.OperationalError(
            "another version of CueDeck has created its index here"
        )
    return database


def _write_empty(place: str, layout: Layout) -> None:
    """Write an index without files; the caller holds the lock. Raises:
    sqlite3.DatabaseError, OSError.
    """
    draft = f"{place}.new"
    nofollow.check_database(draft)
    remove_index(draft)
    # SQLite would make it world-readable.
    os.close(nofollow.open_file(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL))
    database = _connect(draft)
    try:
        _relax(database)
        # A draft that is not complete is removed, not rolled back.
        database.execute("PRAGMA journal_mode = OFF")
        _lay_out(database, layout)
        database.execute("PRAGMA journal_mode = WAL")
    finally:
        database.close()
    # A write-ahead log without its database belongs to another index.
    remove_index(place)
    nofollow.replace(draft, place)


def _connect(place: str) -> sqlite3.Connection:
    return sqlite3.connect(
        place, timeout=10, isolation_level=None, check_same_thread=False
    )


def _relax(database: sqlite3.Connection) -> None:
    """Do not sync commits to disk: the index is derived, so a power failure costs a
    scan and no data.
    """
    database.execute("PRAGMA synchronous = OFF")


def _in_memory(layout: Layout) -> sqlite3.Connection:
    database = sqlite3.connect(
        ":memory:", isolation_level=None, check_same_thread=False
    )
    _lay_out(database, layout)
    return database


def _version(database: sqlite3.Connection) -> str:
    try:
        row = database.execute(
            "SELECT value FROM meta WHERE key = 'version'"
        ).fetchone()
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):
            raise
        return ""
    if not row:
        return ""
    return str(row[0])


def _lay_out(database: sqlite3.Connection, layout: Layout) -> None:
    """Create the tables of an empty database."""
    database.execute("BEGIN IMMEDIATE")
    for statement in layout.tables.split(";\n"):
        database.execute(statement)
    database.execute("INSERT INTO meta VALUES ('version', ?)", (layout.version,))
    database.execute("COMMIT")
