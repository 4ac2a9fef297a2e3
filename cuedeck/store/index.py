"""The index: what is known of every file, ready to be asked by path and by name without loading the rest."""

from __future__ import annotations

import contextlib
import posixpath
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.store import documents
from cuedeck.store.rows import checksum, confirm, put, put_meta, put_verdicts, remove
from cuedeck.store.scan import Print
from cuedeck.store.schema import DAMAGE, is_broken, open_index, remove_index

if TYPE_CHECKING:
    from cuedeck.model.node import Diagnostic, File
    from cuedeck.store.read import Reading

_NODE = "path, kind, data, sum"
_PROBLEMS = "SELECT path, line, level, code, message, hint FROM problems ORDER BY 1, 2, 3, 4, 5, 6"
_KEPT_FILES = 2_000
"""Decoded files kept in memory; a scene touches far fewer."""
_KEPT_NAMES = 10_000
_PAGE = 500
"""Files read from the index at once by who wants all of them."""


class State(NamedTuple):
    """What the index holds of the last scan."""

    revision: int
    prints: dict[str, Print]
    """Fingerprint of every file."""
    verdicts: dict[str, int]
    """What the ignore rules said."""
    problems: list[tuple[Any, ...]]
    rules: str
    """What decided about visibility outside the tree."""


class Index:
    """The derived store of parsed files; implements `Lookup`.

    An index that turns out to be damaged while it is asked is replaced by an empty one, filled by `rebuild`,
    and asked again.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._database = open_index(place)
        self._files: OrderedDict[str, File | None] = OrderedDict()
        self._hashes: dict[str, str] = {}
        self._similar: dict[str, Sequence[str]] = {}
        self._named: dict[str, Sequence[str]] = {}
        self.news = documents.News()
        """What changed of the words since `follow_news`."""
        self.rebuild: Callable[[], None] = lambda: None
        """Fills a new index; set by who knows the files."""
        self.ledgers: Callable[[str, str], Sequence[str]] = lambda kind, start: ()
        """Returns the ids of a ledger that begin so; set by who reads them."""

    # --- asking

    @property
    def is_empty(self) -> bool:
        """True before the first file is taken in."""
        return not self.ask("SELECT 1 FROM prints LIMIT 1", ())

    def file(self, path: str) -> File | None:
        """Return the file at exactly this path."""
        if path in self._files:
            self._files.move_to_end(path)
            return self._files[path]
        rows = self.ask(f"SELECT {_NODE} FROM nodes WHERE path = ?", (path,))
        found = self._decode(*rows[0]) if rows else None
        self._files[path] = found
        if len(self._files) > _KEPT_FILES:
            self._files.popitem(last=False)
        return found

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of a known file, or empty when it is unknown."""
        if path not in self._hashes:
            rows = self.ask("SELECT hash FROM prints WHERE path = ?", (path,))
            if len(self._hashes) >= _KEPT_FILES:
                self._hashes.clear()
            self._hashes[path] = str(rows[0][0]) if rows else ""
        return self._hashes[path]

    def named(self, key: str) -> Sequence[str]:
        """Return the sorted paths that go by `key`."""
        if key not in self._named:
            if len(self._named) >= _KEPT_NAMES:
                self._named = {}
            rows = self.ask("SELECT path FROM names WHERE key = ? ORDER BY path", (key,))
            self._named[key] = [row[0] for row in rows]
        return self._named[key]

    @property
    def names(self) -> object:
        """Something else as soon as a file comes or goes, or goes by other names."""
        return self._named

    def folder(self, path: str) -> Sequence[str]:
        """Return the sorted paths of all files below a folder."""
        return self._below("prints", path)

    def similar(self, path: str) -> Sequence[str]:
        """Return up to five known paths that look most like `path`, nearest first."""
        if path not in self._similar:
            self._similar[path] = self._nearest(path)
        return self._similar[path]

    def entries(self, kind: str, start: str = "") -> Sequence[str]:
        """Return the ids a ledger holds that begin so; ledgers are read by whoever opened the index."""
        return self.ledgers(kind, start)

    def files(self, kind: str | None = None) -> Iterator[File]:
        """Yield every file, or every file of one kind, by path."""
        which = "kind = ?2 AND" if kind else "?2 IS NULL AND"
        query = f"SELECT {_NODE} FROM nodes WHERE {which} path > ?1 ORDER BY path LIMIT {_PAGE}"
        last = ""
        while rows := self.ask(query, (last, kind)):
            last = rows[-1][0]
            for row in rows:
                found = self._decode(*row)
                if found is not None:
                    yield found

    def active(self) -> list[str]:
        """Return the sorted paths of the cards whose status is `active`."""
        return [row[0] for row in self.ask("SELECT path FROM nodes WHERE status = 'active' ORDER BY path")]

    def paths(self) -> Sequence[str]:
        """Return every known path, sorted."""
        return self.folder("")

    def troubled(self) -> Iterator[Diagnostic]:
        """Yield every diagnostic of every file, by path and line, then those of the scan."""
        from cuedeck.model.node import Diagnostic

        for row in self.ask(f"SELECT {_NODE} FROM nodes WHERE troubled ORDER BY path"):
            found = self._decode(*row)
            if found is not None:
                yield from found.diagnostics
        yield from (Diagnostic(*row) for row in self.problems())

    def size(self) -> int:
        """Return the number of known files."""
        return int(self.ask("SELECT count(*) FROM prints")[0][0])

    def meta(self, key: str) -> str:
        """Return a remembered value, or empty."""
        rows = self.ask("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else ""

    def problems(self) -> list[tuple[Any, ...]]:
        """Return what the scan found to be mended, as the fields of diagnostics, in order."""
        return self.ask(_PROBLEMS)

    def ask(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; an index that turns out to be damaged is filled anew first."""
        try:
            return self._database.execute(query, values).fetchall()
        except DAMAGE as error:
            if not is_broken(error) or isinstance(error, sqlite3.ProgrammingError):
                raise
            self.rebuild()
            return self._database.execute(query, values).fetchall()

    # --- what the scan compares with; its errors are for who updates the index

    def state(self) -> State:
        """Return what a scan compares with, as of one moment."""
        run = self._database.execute
        run("BEGIN")
        try:
            rules = run("SELECT value FROM meta WHERE key = 'rules'").fetchone()
            return State(
                self.revision(),
                {row[0]: Print(*row[1:]) for row in run("SELECT * FROM prints")},
                dict(run("SELECT path, verdict FROM verdicts")),
                run(_PROBLEMS).fetchall(),
                rules[0] if rules else "",
            )
        finally:
            self._roll_back()

    def verdicts_below(self, path: str) -> Sequence[str]:
        """Return the sorted paths below a folder of which there is a verdict."""
        return self._below("verdicts", path)

    def revision(self) -> int:
        """Return a number that changes when another process writes to the index."""
        return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    @property
    def database(self) -> sqlite3.Connection:
        """The open file."""
        return self._database

    # --- caches of others, which share the file

    def recall(self, query: str, values: Sequence[object]) -> tuple[Any, ...] | None:
        """Return the first row of a cache; None when there is none, or no way to read it."""
        try:
            row: tuple[Any, ...] | None = self._database.execute(query, values).fetchone()
        except DAMAGE:
            return None
        return row

    def keep(self, table: str, rows: Iterable[Sequence[object]], most: int) -> None:
        """Add rows to a cache, dropping the oldest above `most`; a failure only costs the next run time."""
        run = self._database.execute
        try:
            run("BEGIN IMMEDIATE")
            for row in rows:
                run(f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            run(f"DELETE FROM {table} WHERE rowid <= (SELECT max(rowid) FROM {table}) - {most}")
            run("COMMIT")
        except DAMAGE:
            self._roll_back()

    def wipe(self, table: str) -> None:
        """Empty a cache and overwrite what it held; a failure leaves the index to be built anew."""
        try:
            self._database.execute("PRAGMA secure_delete = ON")
            self._database.execute(f"DELETE FROM {table}")
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except DAMAGE:
            self.start_over(in_memory=False)

    # --- taking in

    def apply(
        self,
        readings: Iterable[Reading],
        gone: Iterable[str] = (),
        verdicts: Mapping[str, int | None] | None = None,
        problems: Iterable[Sequence[object]] | None = None,
        meta: Mapping[str, str] | None = None,
    ) -> list[str]:
        """Take in what a scan and its readings found, all or nothing; readings are asked for one by one.

        `verdicts` are those that changed, None for one that is gone; `problems` replace the stored ones. The
        generation counts every change of content, so that what was built from an older one can be told apart.
        Returns: the paths that another process changed meanwhile, so that they must be read in full.
        """
        run = self._database.execute
        run("BEGIN IMMEDIATE")
        try:
            words = documents.Intake(self._database, self.news)
            stale: list[str] = []
            changed = False
            for reading in readings:
                if reading.data:
                    changed = True
                    self._files.pop(reading.path, None)
                    self._hashes.pop(reading.path, None)
                    if put(self._database, reading):
                        self._similar.clear()
                        self._named = {}
                    words.take(reading.path, reading.facts)
                elif not confirm(self._database, reading):
                    stale.append(reading.path)
            for path in gone:
                changed = True
                self._forget(path)
                words.remove(path)
                remove(self._database, path)
            words.finish()
            put_verdicts(self._database, verdicts or {})
            if problems is not None:
                run("DELETE FROM problems")
                self._database.executemany("INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?)", problems)
            put_meta(self._database, meta or {}, changed=changed)
            run("COMMIT")
        except BaseException:
            self._roll_back()
            self.forget()
            raise
        return stale

    def follow_news(self) -> documents.News:
        """Return what changed of the words since the last call; the first time, and after damage, everything."""
        news, self.news = self.news, documents.News()
        self.news.everything = False
        return news

    def forget(self) -> None:
        """Drop what is held in memory; another process may have changed it."""
        self.news.everything = True
        self._files.clear()
        self._hashes.clear()
        self._similar.clear()
        self._named = {}

    def start_over(self, *, in_memory: bool) -> None:
        """Go on with an empty index: in a new file, or in memory."""
        self.forget()
        self._database.close()
        try:
            if self._place and not in_memory:
                remove_index(self._place)
        except OSError:
            in_memory = True
        self._place = "" if in_memory else self._place
        self._database = open_index(self._place)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _decode(self, path: str, kind: Any, data: str, total: int) -> File | None:
        from cuedeck.store.record import decode

        # SQLite does not notice every changed byte.
        if checksum(data) == total:
            return decode(path, kind, data)
        self.rebuild()
        rows = self.ask(f"SELECT {_NODE} FROM nodes WHERE path = ?", (path,))
        return decode(*rows[0][:3]) if rows else None

    def _below(self, table: str, path: str) -> Sequence[str]:
        if path in ("", "."):
            return [row[0] for row in self.ask(f"SELECT path FROM {table} ORDER BY path")]
        bounds = (path + "/", path + "0")  # "0" is the character behind "/"
        query = f"SELECT path FROM {table} WHERE path > ? AND path < ? ORDER BY path"
        return [row[0] for row in self.ask(query, bounds)]

    def _roll_back(self) -> None:
        if self._database.in_transaction:
            with contextlib.suppress(sqlite3.DatabaseError):
                self._database.execute("ROLLBACK")

    def _forget(self, path: str) -> None:
        self._files.pop(path, None)
        self._hashes.pop(path, None)
        self._similar.clear()
        self._named = {}

    def _nearest(self, path: str) -> Sequence[str]:
        import difflib

        from cuedeck.model.address import name_key

        key = name_key(posixpath.splitext(posixpath.basename(path))[0])
        near = difflib.get_close_matches(key, self._keys_like(key), 8, 0.6)
        paths = sorted({found for each in near for found in self.named(each)})
        likeness = {found: difflib.SequenceMatcher(None, path, found).ratio() for found in paths}
        return sorted(paths, key=lambda found: (-likeness[found], found))[:5]

    def _keys_like(self, key: str) -> list[str]:
        """Return the names worth comparing: all of a small workspace, else those that begin alike."""
        count = self.ask("SELECT count(*) FROM (SELECT 1 FROM names LIMIT 3001)")[0][0]
        start = "" if count <= 3_000 else key[:2]
        query = "SELECT DISTINCT key FROM names WHERE key >= ? AND key < ? ORDER BY key LIMIT 3000"
        return [row[0] for row in self.ask(query, (start, start + "\U0010ffff"))]
