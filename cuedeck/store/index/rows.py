"""The rows of the index: those of one file, and those of the scan."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from cuedeck.store.index.read_file import Reading

_PRINT = "INTO prints VALUES (?, ?, ?, ?, ?, ?, ?)"
PROBLEMS = "SELECT path, line, level, code, message, hint FROM problems ORDER BY 1, 2, 3, 4, 5, 6"
"""Asks for what the scan found to be mended, as the fields of diagnostics, in order."""
_CONFIRM = (
    "UPDATE prints SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, checked_ns = ? WHERE path = ? AND hash = ?"
)


def checksum(text: object) -> int:
    """Return a sum that tells whether a text is still the one that was stored."""
    return crc32(str(text).encode("utf-8", "surrogatepass"))


def put(database: sqlite3.Connection, reading: Reading) -> bool:
    """Put what was read of a file in the place of what was known; tell whether it goes by other names now."""
    path, run = reading.path, database.execute
    row = (path, reading.kind, reading.status, reading.troubled, reading.data, checksum(reading.data))
    is_new = run(f"INSERT OR IGNORE {_PRINT}", (path, *reading.print)).rowcount == 1
    if not is_new:
        run(f"REPLACE {_PRINT}", (path, *reading.print))
    run("REPLACE INTO nodes VALUES (?, ?, ?, ?, ?, ?)", row)
    if not is_new:
        if _names(database, path) == reading.names:
            return False
        run("DELETE FROM names WHERE path = ?", (path,))
    database.executemany("INSERT INTO names VALUES (?, ?)", [(name, path) for name in reading.names])
    return True


def confirm(database: sqlite3.Connection, reading: Reading) -> bool:
    """Note the new fingerprint of unchanged content; tell whether the content is the one that is stored."""
    mark = reading.print
    values = (mark.size, mark.mtime_ns, mark.ctime_ns, mark.inode, mark.checked_ns, reading.path, mark.hash)
    return database.execute(_CONFIRM, values).rowcount == 1


def remove(database: sqlite3.Connection, path: str) -> None:
    """Forget a file."""
    for table in ("prints", "nodes", "names"):
        database.execute(f"DELETE FROM {table} WHERE path = ?", (path,))


def put_verdicts(database: sqlite3.Connection, verdicts: Mapping[str, int | None]) -> None:
    """Note what the ignore rules say of paths now; None for one that is gone."""
    for path, verdict in sorted(verdicts.items()):
        if verdict is None:
            database.execute("DELETE FROM verdicts WHERE path = ?", (path,))
        else:
            database.execute("REPLACE INTO verdicts VALUES (?, ?)", (path, verdict))


def put_problems(database: sqlite3.Connection, problems: Iterable[Sequence[object]]) -> None:
    """Put what the scan found to be mended in the place of what it found before."""
    database.execute("DELETE FROM problems")
    database.executemany("INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?)", problems)


def put_meta(database: sqlite3.Connection, meta: Mapping[str, str], *, changed: bool) -> None:
    """Put values; the generation counts every change of content."""
    values = dict(meta)
    if changed:
        row = database.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
        values["generation"] = str((int(row[0]) if row else 0) + 1)
    database.executemany("REPLACE INTO meta VALUES (?, ?)", sorted(values.items()))


def _names(database: sqlite3.Connection, path: str) -> tuple[str, ...]:
    rows = database.execute("SELECT key FROM names WHERE path = ? ORDER BY key", (path,))
    return tuple(row[0] for row in rows)
