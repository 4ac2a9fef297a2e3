"""Connection to the file of the index: queries, transactions, cache tables, and
replacement of a damaged file.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cuedeck.store.index.schema import (
    DAMAGE,
    INDEX,
    INSERT_CACHED,
    Layout,
    is_broken,
    open_index,
    remove_index,
)

_WRONGLY_ASKED = (sqlite3.ProgrammingError, UnicodeEncodeError)
"""Errors caused by the query itself, such as one that contains half of a surrogate
pair.
"""


class News:
    """Changes of the stored terms since the last `Index.follow_news`."""

    def __init__(self, *, everything: bool = True) -> None:
        self.everything = everything
        """Whether anything may have changed; then the other fields are not filled."""
        self.is_pending = everything
        """Whether there are changes."""
        self.paths: dict[str, None] = {}
        """Files that were read again or removed."""
        self.terms: set[str] = set()
        """Terms whose postings changed."""


class IndexFile:
    """An SQLite file with the tables of the index; in memory if `place` is empty."""

    def __init__(self, place: str, layout: Layout = INDEX) -> None:
        self._place = place
        self._layout = layout
        self._database = self._open()
        self.rebuild: Callable[[], None] = lambda: None
        """Fills a new index; set by the code that reads the workspace."""

    @property
    def database(self) -> sqlite3.Connection:
        """The connection to the file."""
        return self._database

    @property
    def is_in_memory(self) -> bool:
        """Whether the index is in memory, because its file could not be used."""
        return not self._database.execute("PRAGMA database_list").fetchone()[2]

    def ask(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query. If the index is damaged, rebuild it and repeat
        the query.
        """
        try:
            return self._database.execute(query, values).fetchall()
        except DAMAGE as error:
            if not is_broken(error) or isinstance(error, _WRONGLY_ASKED):
                raise
            self.rebuild()
            return self._database.execute(query, values).fetchall()

    def revision(self) -> int:
        """Return a number that changes when another process writes to the index."""
        return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Provide a transaction in which all queries read the same state."""
        self._database.execute("BEGIN")
        try:
            yield self._database
        finally:
            self._roll_back()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Provide a write transaction; an error rolls it back."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield self._database
            self._database.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    # --- cached values of other modules

    def recall(self, query: str, values: Sequence[object]) -> tuple[Any, ...] | None:
        """Return the first row of a query; None without a row, or if the table cannot
        be read.
        """
        try:
            row: tuple[Any, ...] | None = self._database.execute(
                query, values
            ).fetchone()
        except DAMAGE:
            return None
        return row

    def cached(self, kind: str, key: str | bytes) -> Any:
        """Return a cached value; None if there is none."""
        query = "SELECT value FROM cache WHERE kind = ? AND key = ?"
        row = self.recall(query, (kind, key))
        return row[0] if row else None

    def last_cached(self, kind: str) -> Any:
        """Return the value of a kind that was cached last; None if there is none."""
        query = "SELECT value FROM cache WHERE kind = ? ORDER BY rowid DESC LIMIT 1"
        row = self.recall(query, (kind,))
        return row[0] if row else None

    def keep(self, kind: str, values: Mapping[Any, object], most: int) -> None:
        """Cache values by key and delete the oldest of their kind above `most`. Errors
        are ignored: caches can be refilled.
        """
        with contextlib.suppress(*DAMAGE), self.writing() as database:
            rows = [(kind, *item) for item in values.items()]
            database.executemany(INSERT_CACHED, rows)
            oldest = "SELECT rowid FROM cache WHERE kind = ? ORDER BY rowid DESC"
            database.execute(
                f"DELETE FROM cache WHERE kind = ? AND rowid <= ({oldest} LIMIT 1 OFFSET ?)",
                (kind, kind, most),
            )

    def wipe(self, *kinds: str) -> None:
        """Delete all cached values of some kinds and overwrite their bytes; if this
        fails, start over with an empty index.

        The bytes of rows that this connection deletes later are overwritten as well.
        """
        try:
            self._database.execute("PRAGMA secure_delete = ON")
            for kind in kinds:
                self._database.execute("DELETE FROM cache WHERE kind = ?", (kind,))
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except DAMAGE:
            self.start_over(in_memory=False)

    # --- opening and closing

    def start_over(self, *, in_memory: bool) -> None:
        """Continue with an empty index, in a new file or in memory."""
        self.close()
        try:
            if self._place and not in_memory:
                remove_index(self._place)
        except OSError:
            in_memory = True
        self._place = "" if in_memory else self._place
        self._database = self._open()

    def close(self) -> None:
        """Close the connection; otherwise it is closed when this object is garbage
        collected.
        """
        self._database.close()

    def __del__(self) -> None:
        database = self.__dict__.get("_database")
        if database is not None:
            database.close()

    def _open(self) -> sqlite3.Connection:
        return open_index(self._place, self._layout)

    def _roll_back(self) -> None:
        if self._database.in_transaction:
            with contextlib.suppress(sqlite3.DatabaseError):
                self._database.execute("ROLLBACK")
