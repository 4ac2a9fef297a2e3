"""The index: an SQLite store of parsed files, queried by path and by name without
loading the others.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import StorageError
from cuedeck.model.secret import KnownValues, ValueMark
from cuedeck.store.files.private_folder import keyed_hash
from cuedeck.store.index.database import IndexFile, News
from cuedeck.store.index.schema import (
    DAMAGE,
    INSERT_VALUE,
    NO_FILE,
    PROBLEMS,
    VALUES_CHANGED,
    new_change,
)

if TYPE_CHECKING:
    from cuedeck.model.diagnostic import Diagnostic
    from cuedeck.model.entry_node import EntryNode, Retired
    from cuedeck.model.file import File, VirtualFile
    from cuedeck.model.ports import EntryLookup

_NODE = "path, kind, data, sum"
_BELOW = " WHERE path > ? AND path < ?"
"""Condition for the paths below a folder; its bounds are the path with `/`, and with
`0`, the character after it.
"""
_KEPT_FILES = 2_000
"""Decoded files kept in memory; a scene touches far fewer."""
_KEPT_NAMES = 10_000
_MOST_NOTED = 500
"""Values that texts without a file reveal; the oldest are dropped."""
_LONGEST_NAME = 4_096
"""Maximum characters of a searched name; SQLite refuses a pattern of more than 50,000
bytes.
"""
_WILDCARD = r"([%_\\])"
_PAGE = 500
"""Number of files per query when all files are read."""


class Index(IndexFile):
    """The derived store of parsed files; implements `Lookup`.

    If a query finds the index damaged, an empty index replaces it, `rebuild` fills it,
    and the query runs again.
    """

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self._files: dict[str, File | None] = {}
        self._hashes: dict[str, str] = {}
        self._similar: dict[str, Sequence[str]] = {}
        self._named: dict[str, Sequence[str]] = {}
        self._listed: tuple[str, Sequence[str]] = ("", ())
        """The folder listed last and the paths below it, because each ref to a card may
        list the same folder.
        """
        self.news = News()
        """Changes of stored terms since the last `follow_news`."""
        self.virtual: VirtualFile | None = None
        """A file that `file`, `files` and `hash` return in addition to those on disk,
        or in place of one; no new name, folder or search leads to it.
        """
        self.parse: Callable[[str, str], File | None] = lambda path, digest: None
        """Parses a known file again, with the secrets that the index does not store;
        None if its hash changed.
        """
        self.ledgers: Callable[[], EntryLookup | None] = lambda: None
        """Returns the reader of the ledgers; None without a workspace."""
        self._value_rows: list[tuple[Any, ...]] = []
        self._values: KnownValues | None = None
        self._has_new_values = True
        self.secrets: Callable[[str], Sequence[object]] = lambda text: ()
        """Returns the secrets of a text; set by the code that has the secret formats.
        """

    # --- queries

    @contextlib.contextmanager
    def as_stored(self) -> Iterator[None]:
        """Return only files on disk meanwhile."""
        shown, self.virtual = self.virtual, None
        try:
            yield
        finally:
            self.virtual = shown

    @property
    def is_empty(self) -> bool:
        """Whether the index contains no file yet."""
        return not self.ask("SELECT 1 FROM prints LIMIT 1", ())

    def file(self, path: str) -> File | None:
        """Return the file at exactly this path."""
        if self.virtual is not None and path == self.virtual.file.path:
            return self.virtual.file
        if path not in self._files:
            rows = self.ask(f"SELECT {_NODE} FROM nodes WHERE path = ?", (path,))
            if len(self._files) >= _KEPT_FILES:
                del self._files[next(iter(self._files))]
            self._files[path] = self._decode(*rows[0]) if rows else None
        return self._files[path]

    def stored_file(self, path: str) -> File | None:
        """Return the file at this path as stored: parsed without its secrets."""
        from cuedeck.store.index.read_file import checksum, decode

        query = f"SELECT {_NODE} FROM nodes WHERE path = ?"
        rows = self.ask(query, (path,))
        if not rows:
            return None
        *row, total = rows[0]
        if checksum(row[-1]) != total:
            self.rebuild()
            return self.stored_file(path)
        return decode(*row)

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of a file; empty if the file is unknown."""
        if self.virtual is not None and path == self.virtual.file.path:
            return self.virtual.hash
        if path not in self._hashes:
            rows = self.ask("SELECT hash FROM prints WHERE path = ?", (path,))
            if len(self._hashes) >= _KEPT_FILES:
                self._hashes.clear()
            self._hashes[path] = str(rows[0][0]) if rows else ""
        return self._hashes[path]

    def named(self, key: str) -> Sequence[str]:
        """Return the sorted paths of the files with the name `key`."""
        if key not in self._named:
            if len(self._named) >= _KEPT_NAMES:
                self._named = {}
            rows = self.ask(
                "SELECT path FROM names WHERE key = ? ORDER BY path", (key,)
            )
            self._named[key] = [row[0] for row in rows]
        return self._named[key]

    @property
    def names(self) -> object:
        """An object that is replaced when a file is added or removed, or changes its
        names.
        """
        return self._named

    def folder(self, path: str) -> Sequence[str]:
        """Return the sorted paths of all files below a folder."""
        if not path or path != self._listed[0]:
            found = self._below(path)
            if not found:
                return found
            self._listed = (path, found)
        return self._listed[1]

    def has_folder(self, path: str) -> bool:
        """Return whether there is a file below a folder."""
        query = f"SELECT 1 FROM prints {_BELOW} LIMIT 1"
        return bool(self.ask(query, (path + "/", path + "0")))

    def similar(self, path: str) -> Sequence[str]:
        """Return up to five known paths that are most similar to `path`, best first."""
        from cuedeck.store.index.similar_paths import nearest

        if path not in self._similar:
            self._similar[path] = nearest(path, self)
        return self._similar[path]

    def entries(self, kind: str, start: str = "") -> Sequence[str]:
        """Return the ids of a ledger that start with `start`."""
        ledgers = self.ledgers()
        if not ledgers:
            return ()
        return ledgers.entries(kind, start)

    def similar_entries(self, address: str) -> Sequence[str]:
        """Return the addresses in the cortex tree that are most like a missing one."""
        ledgers = self.ledgers()
        return ledgers.similar_entries(address) if ledgers else ()

    def entry(self, address: str) -> EntryNode | None:
        """Return the ledger entry at exactly this address; None if there is none."""
        ledgers = self.ledgers()
        return ledgers.entry(address) if ledgers else None

    def retired(self, address: str) -> Retired | None:
        """Return why links do not lead to a ledger entry; None if they do."""
        ledgers = self.ledgers()
        return ledgers.retired(address) if ledgers else None

    def holds_secret(self, text: str) -> bool:
        """Return whether a text contains a secret."""
        return bool(self.secrets(text))

    def value_rows(self) -> Sequence[tuple[Any, ...]]:
        """Return the marks of the random values that are secrets in any file; the same
        object until they change.
        """
        if self._has_new_values:
            columns = "digest, kind, length, run, run_start, run_length"
            rows = self.ask(f"SELECT DISTINCT {columns} FROM known_values")
            rows.sort()
            if rows != self._value_rows:
                self._value_rows = rows
                self._values = None
            self._has_new_values = False
        return self._value_rows

    def known_values(self) -> KnownValues:
        """Return the random values that are secrets in any file; the same object until
        they change.
        """
        rows = self.value_rows()
        if self._values is None:
            self._values = KnownValues(self._value_key, map(ValueMark._make, rows))
        return self._values

    def note_values(self, marks: Iterable[ValueMark]) -> None:
        """Store values that a text without a file reveals as secrets. The next refresh
        masks their copies. Errors are ignored, as in a cache.
        """
        if self.database.in_transaction:
            return
        with contextlib.suppress(*DAMAGE), self.writing() as database:
            run = database.execute
            for mark in marks:
                query = "SELECT 1 FROM known_values WHERE digest = ?"
                if run(query, (mark.digest,)).fetchone() is None:
                    run(INSERT_VALUE, (NO_FILE, *mark))
                    run(
                        "REPLACE INTO meta VALUES (?, ?)",
                        (VALUES_CHANGED, new_change()),
                    )
            newest = "SELECT rowid FROM known_values WHERE path = ? ORDER BY rowid DESC"
            run(
                f"DELETE FROM known_values WHERE path = ? AND rowid NOT IN ({newest} LIMIT ?)",
                (NO_FILE, NO_FILE, _MOST_NOTED),
            )

    def end_change(self, change: str) -> None:
        """Store that all copies of the values are masked, unless they changed again."""
        query = "UPDATE meta SET value = '' WHERE key = ? AND value = ?"
        with contextlib.suppress(*DAMAGE), self.writing() as database:
            database.execute(query, (VALUES_CHANGED, change))

    @property
    def values_digest(self) -> str:
        """Keyed hash of the known values; empty if there are none."""
        return self.known_values().digest if self.value_rows() else ""

    @cached_property
    def _value_key(self) -> bytes:
        """Key of the hashes of secret values; one for each index."""
        try:
            return keyed_hash(f"values of {self._place}".encode()).encode()
        except StorageError:
            # Without a key of the user the index is in memory.
            return os.urandom(16)

    def files(self, kind: str | None = None) -> Iterator[File]:
        """Yield every file, or every file of one kind, by path."""
        which, of = ("kind = ? AND", (kind,)) if kind else ("", ())
        query = f"SELECT {_NODE} FROM nodes WHERE {which} path > ? ORDER BY path LIMIT {_PAGE}"
        last = ""
        while rows := self.ask(query, (*of, last)):
            last = rows[-1][0]
            for row in rows:
                found = self._decode(*row)
                if self.virtual is not None and self.virtual.file.path == row[0]:
                    found = self.virtual.file
                if found is not None:
                    yield found

    def paths(self) -> Sequence[str]:
        """Return every known path, sorted."""
        return self.folder("")

    def troubled(self) -> Iterator[Diagnostic]:
        """Yield every diagnostic of every file, by path and line, then those of the
        scan.
        """

        for row in self.ask(f"SELECT {_NODE} FROM nodes WHERE troubled ORDER BY path"):
            found = self._decode(*row)
            if found is not None:
                yield from found.diagnostics
        from cuedeck.model.diagnostic import Diagnostic

        yield from (Diagnostic(*row) for row in self.problems())

    def set_meta(self, key: str, value: str) -> None:
        """Store a value of the metadata. Errors are ignored: it can be derived
        again.
        """
        with contextlib.suppress(*DAMAGE), self.writing() as database:
            database.execute("REPLACE INTO meta VALUES (?, ?)", (key, value))

    def size(self) -> int:
        """Return the number of known files."""
        return int(self.ask("SELECT count(*) FROM prints")[0][0])

    def meta(self, key: str) -> str:
        """Return a value of the metadata; empty if it is missing."""
        rows = self.ask("SELECT value FROM meta WHERE key = ?", (key,))
        if not rows:
            return ""
        return str(rows[0][0])

    def problems(self) -> list[tuple[Any, ...]]:
        """Return the diagnostics of the scan as rows of fields, in order."""
        return self.ask(PROBLEMS)

    def active_cards(self) -> Sequence[str]:
        """Return the sorted paths of the cards whose status is `active`."""
        return self._paths_where("status = 'active'")

    def paths_of_kind(self, kind: str) -> Sequence[str]:
        """Return the sorted paths of all files of a kind."""
        return self._paths_where("kind = ?", kind)

    def text_paths(self) -> Sequence[str]:
        """Return the sorted paths of all files that are not binary."""
        return self._paths_where("kind <> 'binary'")

    def _paths_where(self, condition: str, *values: str) -> list[str]:
        query = f"SELECT path FROM nodes WHERE {condition} ORDER BY path"
        return [row[0] for row in self.ask(query, values)]

    def copy_paths(self) -> Sequence[str]:
        """Return the sorted paths of the files with values that only other files reveal
        as secrets.
        """
        return [row[0] for row in self.ask("SELECT path FROM copies ORDER BY path")]

    def hashes_of_kind(self, kind: str) -> dict[str, str]:
        """Return the sha256 (hex) of every file of a kind, by path."""
        query = (
            "SELECT path, hash FROM nodes JOIN prints USING (path)"
            " WHERE kind = ? ORDER BY path"
        )
        return dict(self.ask(query, (kind,)))

    def paths_named_like(self, piece: str, most: int) -> Sequence[str]:
        """Return up to `most` sorted paths with a stem, file name, title or alias that
        contains a folded name.
        """
        if not piece or len(piece) > _LONGEST_NAME:
            return ()
        pattern = "%" + re.sub(_WILDCARD, r"\\\1", piece) + "%"
        query = "SELECT DISTINCT path FROM names WHERE key LIKE ? ESCAPE '\\' ORDER BY path LIMIT ?"
        return [row[0] for row in self.ask(query, (pattern, most))]

    # --- changes

    def follow_news(self) -> News:
        """Return the changes of the stored terms since the last call; everything at the
        first call and after damage.
        """
        news, self.news = self.news, News(everything=False)
        return news

    def forget(self) -> None:
        """Clear all cached values, because another process may have changed the
        index.
        """
        self.news = News()
        self._files.clear()
        self._hashes.clear()
        self.forget_names()
        self.forget_known_values()

    def forget_known_values(self) -> None:
        """Read the known values again at their next use."""
        self._has_new_values = True

    def forget_file(self, path: str) -> None:
        """Clear the cached values of one file."""
        self._files.pop(path, None)
        self._hashes.pop(path, None)

    def forget_names(self) -> None:
        """Clear the cached names, after a file was added or removed, or changed its
        names.
        """
        self._similar.clear()
        self._named = {}
        self._listed = ("", ())

    def start_over(self, *, in_memory: bool) -> None:
        """Continue with an empty index, in a new file or in memory."""
        self.forget()
        super().start_over(in_memory=in_memory)

    def _decode(self, path: str, kind: Any, data: str, total: int) -> File | None:
        from cuedeck.store.index.read_file import checksum, decode, is_partial

        if checksum(data) == total:
            whole = None
            if is_partial(data):
                whole = self.parse(path, self.hash(path))
            return whole or decode(path, kind, data)
        return self.stored_file(path)

    def _below(self, path: str) -> Sequence[str]:
        query = "SELECT path FROM prints"
        bounds: tuple[str, ...] = ()
        if path not in ("", "."):
            query += _BELOW
            bounds = (path + "/", path + "0")
        return [row[0] for row in self.ask(f"{query} ORDER BY path", bounds)]
