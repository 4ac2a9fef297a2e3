"""Connection to the file of the index: queries, transactions, cache tables, and
replacement of a damaged file.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from cuedeck.store.index.schema import (
    DAMAGE,
    INDEX,
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

    # --- cache tables of other modules

    def recall(self, query: str, values: Sequence[object]) -> tuple[Any, ...] | None:
        """Return the first row of a query on a cache table; None without a row, or if
        the table cannot be read.
        """
        try:
            row: tuple[Any, ...] | None = self._database.execute(
                query, values
            ).fetchone()
        except DAMAGE:
            return None
        return row

    def keep(self, table: str, rows: Iterable[Sequence[object]], most: int) -> None:
        """Add rows to a cache table and delete the oldest above `most`. Errors are
        ignored: caches can be refilled.
        """
        with contextlib.suppress(*DAMAGE), self.writing() as database:
            for row in rows:
                database.execute(
                    f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row
                )
            database.execute(
                f"DELETE FROM {table} WHERE rowid <= (SELECT max(rowid) FROM {table}) - {most}"
            )

    def wipe(self, *tables: str) -> None:
        """Delete all rows of cache tables and overwrite their bytes; if this fails,
        start over with an empty index.

        The bytes of rows that this connection deletes later are overwritten as well.
        """
        try:
            self._database.execute("PRAGMA secure_delete = ON")
            for table in tables:
                self._database.execute(f"DELETE FROM {table}")
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
