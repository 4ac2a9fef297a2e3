"""Changes of the index: files that a scan found are read and added, deleted ones are
removed, all or nothing.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from cuedeck.parse.notebook import decode_file
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import look_at
from cuedeck.store.index.read_file import checksum, read_files
from cuedeck.store.index.schema import (
    DERIVED,
    INSERT_CACHED,
    INSERT_VALUE,
    VALUES_CHANGED,
    new_change,
)

if TYPE_CHECKING:
    from cuedeck.model.ports import Progress
    from cuedeck.model.secret import KnownValues
    from cuedeck.parse.index_terms import IndexTerms
    from cuedeck.parse.secrets import SecretSearch
    from cuedeck.store.files.fingerprint import FileStamp
    from cuedeck.store.index import Index
    from cuedeck.store.index.read_file import Find, Reading

_PORTION = 4_000
"""Number of files per transaction; other writers of the index wait for its end."""
_FEW = 100
"""Number of files below which this process reads them without starting others."""
_MOST_OF_SETTINGS = 100_000
"""Bytes of the largest ignored file that is searched for values."""
_PRINT = "INTO prints VALUES (?, ?, ?, ?, ?, ?, ?)"
_REMOVE_TERMS = "INSERT INTO terms (terms, rowid, text) VALUES ('delete', ?, ?)"
_CONFIRM = (
    "UPDATE prints SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, checked_ns = ?"
    " WHERE path = ? AND hash = ?"
)


def fill(
    index: Index,
    root: str,
    wanted: Sequence[tuple[str, str]],
    prints: dict[str, FileStamp],
    progress: Progress | None,
    search: SecretSearch,
) -> dict[str, bool]:
    """Read files, each given with its known hash, and add them to the index; update
    `prints`.

    `search` finds the secrets, which the index must not contain; their places are
    stored, so that each text is searched once. Returns: for each file that was read
    whether its content is new; a file that vanished is absent.
    """
    read: dict[str, bool] = {}
    again: list[tuple[str, str]] = []
    readings = _read(root, wanted, progress, search.search)
    with contextlib.closing(readings):
        for _ in range(0, len(wanted), _PORTION):
            fresh: dict[str, FileStamp] = {}
            with update_index(index, search.rules) as update:
                for reading in islice(readings, _PORTION):
                    read[reading.path] = bool(reading.data)
                    fresh[reading.path] = reading.print
                    if reading.data:
                        update.add(reading)
                    elif reading.print != prints.get(
                        reading.path
                    ) and not update.confirm(reading):
                        again.append((reading.path, ""))
            prints.update(fresh)
    if again:
        return read | fill(index, root, again, prints, None, search)
    return read


def _read(
    root: str,
    wanted: Sequence[tuple[str, str]],
    progress: Progress | None,
    find: Find,
) -> Generator[Reading, None, None]:
    """Yield the reading of each file that still exists; many files are read by several
    processes.
    """
    if len(wanted) >= _FEW:
        from cuedeck.store.index.parallel_read import read_all

        yield from read_all(root, wanted, progress, find)
        return
    yield from read_files(root, wanted, find)


@contextlib.contextmanager
def update_index(index: Index, rules: str = "") -> Iterator[IndexUpdate]:
    """Provide one transaction; an error rolls it back. `rules` identifies the search
    for secrets in added files.
    """
    try:
        with index.writing() as database:
            update = IndexUpdate(index, database, rules)
            yield update
            update.finish()
    except BaseException:
        # Also on Ctrl-C: the cache in memory must not keep rows that were rolled back.
        index.forget()
        raise


class IndexUpdate:
    """The changes of one transaction.

    The generation in the metadata counts every change of content, so that a result made
    from an older one is recognised.
    """

    def __init__(self, index: Index, database: sqlite3.Connection, rules: str) -> None:
        self._index = index
        self._rules = rules
        self._database = database
        self._meta: dict[str, str] = {}
        self._has_changed = False

    def add(self, reading: Reading) -> None:
        """Replace what the index has of a file."""
        self._has_changed = True
        self._index.forget_file(reading.path)
        if self._put(reading):
            self._index.forget_names()
        self._put_terms(reading.path, reading.facts)
        self._put_values(reading)
        if reading.secrets is not None:
            key = f"{reading.print.hash} {self._rules}"
            self._database.execute(INSERT_CACHED, ("secrets", key, reading.secrets))

    def confirm(self, reading: Reading) -> bool:
        """Store the fingerprint of an unchanged file; return False if another process
        changed its content.
        """
        mark = reading.print
        values = (
            mark.size,
            mark.mtime_ns,
            mark.ctime_ns,
            mark.inode,
            mark.checked_ns,
            reading.path,
            mark.hash,
        )
        return self._database.execute(_CONFIRM, values).rowcount == 1

    def remove(self, paths: Iterable[str]) -> None:
        """Remove files."""
        for path in paths:
            self._has_changed = True
            self._index.forget_file(path)
            self._index.forget_names()
            self._put_terms(path, None)
            for table in ("prints", "nodes", "names", "copies"):
                self._database.execute(f"DELETE FROM {table} WHERE path = ?", (path,))
            query = "DELETE FROM known_values WHERE path = ?"
            if self._database.execute(query, (path,)).rowcount:
                self._meta[VALUES_CHANGED] = new_change()

    def store_scan(
        self, problems: Iterable[Sequence[object]], meta: Mapping[str, str]
    ) -> None:
        """Store all problems of the scan, and metadata."""
        self._database.execute("DELETE FROM problems")
        self._database.executemany(
            "INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?)", problems
        )
        self._meta.update(meta)

    def finish(self) -> None:
        """Write the metadata."""
        values = dict(self._meta)
        if self._has_changed:
            self._index.forget_known_values()
            row = self._database.execute(
                "SELECT value FROM meta WHERE key = 'generation'"
            ).fetchone()
            values["generation"] = str((int(row[0]) if row else 0) + 1)
        self._database.executemany(
            "REPLACE INTO meta VALUES (?, ?)", sorted(values.items())
        )

    def _put_terms(self, path: str, terms: IndexTerms | None) -> None:
        """Replace the terms of a file; None removes them. Raises: DatabaseError if the
        stored ones are damaged.
        """
        run = self._database.execute
        news = self._index.news
        query = "SELECT doc, terms, sum FROM documents WHERE path = ?"
        doc, before, total = run(query, (path,)).fetchone() or (None, "", 0)
        if doc is not None:
            if checksum(before) != total:
                raise sqlite3.DatabaseError("malformed terms")
            run(_REMOVE_TERMS, (doc, before))
        if terms is not None:
            columns = (path, terms.length, terms.names, terms.terms)
            row = (doc, *columns, checksum(terms.terms))
            doc = run("REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?)", row).lastrowid
            run("INSERT INTO terms (rowid, text) VALUES (?, ?)", (doc, terms.terms))
        elif doc is not None:
            run("DELETE FROM documents WHERE doc = ?", (doc,))
        news.is_pending = True
        if not news.everything:
            after = terms.terms if terms else ""
            changes = _count_terms(before) ^ _count_terms(after)
            news.terms.update(term for term, _ in changes)
            news.paths[path] = None

    def _put_values(self, reading: Reading) -> None:
        """Store the marks of the values of a file, and whether it has copies."""
        run = self._database.execute
        columns = "digest, kind, length, run, run_start, run_length"
        query = f"SELECT {columns} FROM known_values WHERE path = ?"
        if sorted(run(query, (reading.path,))) != sorted(reading.marks):
            self._meta[VALUES_CHANGED] = new_change()
            run("DELETE FROM known_values WHERE path = ?", (reading.path,))
            for mark in reading.marks:
                run(INSERT_VALUE, (reading.path, *mark))
        if reading.has_copies:
            run("REPLACE INTO copies VALUES (?)", (reading.path,))
        else:
            run("DELETE FROM copies WHERE path = ?", (reading.path,))

    def _put(self, reading: Reading) -> bool:
        """Store the rows of a file; return whether the file is new or its names
        changed.
        """
        path = reading.path
        run = self._database.execute
        is_new = run(f"INSERT OR IGNORE {_PRINT}", (path, *reading.print)).rowcount == 1
        if not is_new:
            run(f"REPLACE {_PRINT}", (path, *reading.print))
        row = (
            path,
            reading.kind,
            reading.status,
            reading.troubled,
            reading.data,
            checksum(reading.data),
        )
        run("REPLACE INTO nodes VALUES (?, ?, ?, ?, ?, ?)", row)
        if not is_new:
            known = run("SELECT key FROM names WHERE path = ? ORDER BY key", (path,))
            if tuple(key for (key,) in known) == reading.names:
                return False
            run("DELETE FROM names WHERE path = ?", (path,))
        self._database.executemany(
            "INSERT INTO names VALUES (?, ?)", [(name, path) for name in reading.names]
        )
        return True


def _count_terms(terms: str) -> set[tuple[str, int]]:
    return set(Counter(terms.split("\n")).items())


def note_hidden_values(
    index: Index, root: str, paths: Iterable[str], search: SecretSearch
) -> None:
    """Note the secret values of ignored `.env` files. The index stores hashes of them,
    and nothing else of these files.
    """
    for path in paths:
        with contextlib.suppress(OSError):
            data = nofollow.read_file(os.path.join(root, path), _MOST_OF_SETTINGS)
            index.note_values(search.search(data.decode("utf-8", "replace")).marks)


def read_copies(
    index: Index,
    root: str,
    prints: dict[str, FileStamp],
    before: KnownValues | None,
    search: SecretSearch,
) -> Sequence[str]:
    """Read the files again in which copies of secret values must be masked, or no
    longer; return their paths.

    `before` are the values whose copies are masked; None if an update was interrupted,
    so that all values count as new, and others as gone.
    """
    change = index.meta(VALUES_CHANGED)
    index.forget_known_values()
    values = index.known_values()
    known = before.marks if before is not None else ()
    added = values.without(known)
    paths: set[str] = set()
    if before is None or not set(known) <= set(values.marks):
        paths.update(index.copy_paths())
    if added:
        paths.update(_with_copies(index, root, added))
    index.wipe(*DERIVED)
    read = {}
    if paths:
        search.know(values)
        wanted = [(path, "") for path in sorted(paths)]
        read = fill(index, root, wanted, prints, None, search)
        # FTS5 has the bytes of removed terms until its parts are merged.
        with index.writing() as database:
            database.execute("INSERT INTO terms (terms) VALUES ('optimize')")
        index.wipe()
    # If another process, or a file that changed meanwhile, has added a value, the next
    # refresh compares all.
    index.end_change(change)
    return list(read)


def _with_copies(index: Index, root: str, values: KnownValues) -> Iterator[str]:
    """Yield the paths of the indexed texts that contain one of the values."""
    for path in index.text_paths():
        data = look_at(os.path.join(root, *path.split("/")))
        if next(values.find(decode_file(path, data).text), None) is not None:
            yield path
