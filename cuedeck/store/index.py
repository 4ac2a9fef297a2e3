"""The index: what is known of every file, ready to be asked by path and by name without loading the rest."""

from __future__ import annotations

import posixpath
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cuedeck.model.address import name_key
from cuedeck.model.node import Diagnostic, File
from cuedeck.store.read import Reading
from cuedeck.store.record import decode
from cuedeck.store.scan import Print

_KEPT_FILES = 2_000
"""Decoded files kept in memory; a scene touches far fewer."""


class Index:
    """The derived store of parsed files; implements `Lookup`."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._files: OrderedDict[str, File | None] = OrderedDict()
        self._similar: dict[str, Sequence[str]] = {}

    # --- asking

    def file(self, path: str) -> File | None:
        """Return the file at exactly this path."""
        if path in self._files:
            self._files.move_to_end(path)
            return self._files[path]
        row = self._database.execute("SELECT kind, data FROM nodes WHERE path = ?", (path,)).fetchone()
        found = None if row is None else decode(path, *row)
        self._files[path] = found
        if len(self._files) > _KEPT_FILES:
            self._files.popitem(last=False)
        return found

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of a known file, or empty when it is unknown."""
        row = self._database.execute("SELECT hash FROM prints WHERE path = ?", (path,)).fetchone()
        return row[0] if row else ""

    def named(self, key: str) -> Sequence[str]:
        """Return the sorted paths that go by `key`."""
        return [row[0] for row in self._database.execute("SELECT path FROM names WHERE key = ? ORDER BY path", (key,))]

    def folder(self, path: str) -> Sequence[str]:
        """Return the sorted paths of all files below a folder."""
        if path in ("", "."):
            return [row[0] for row in self._database.execute("SELECT path FROM prints ORDER BY path")]
        bounds = (path + "/", path + "0")  # "0" is the character behind "/"
        return [
            row[0]
            for row in self._database.execute(
                "SELECT path FROM prints WHERE path > ? AND path < ? ORDER BY path", bounds
            )
        ]

    def similar(self, path: str) -> Sequence[str]:
        """Return up to five known paths that look most like `path`, nearest first."""
        if path not in self._similar:
            self._similar[path] = self._nearest(path)
        return self._similar[path]

    def files(self, kind: str | None = None) -> Iterator[File]:
        """Yield every file, or every file of one kind, by path."""
        query = "SELECT path, kind, data FROM nodes WHERE ?1 IS NULL OR kind = ?1 ORDER BY path"
        for row in self._database.execute(query, (kind,)):
            yield decode(*row)

    def paths(self) -> Sequence[str]:
        """Return every known path, sorted."""
        return self.folder("")

    def troubled(self) -> Iterator[Diagnostic]:
        """Yield every diagnostic of every file, by path and line."""
        for row in self._database.execute("SELECT path, kind, data FROM nodes WHERE troubled ORDER BY path"):
            yield from decode(*row).diagnostics
        query = "SELECT path, line, level, code, message, hint FROM problems ORDER BY path, line"
        yield from (Diagnostic(*row) for row in self._database.execute(query))

    def prints(self) -> dict[str, Print]:
        """Return the fingerprint of every file."""
        return {row[0]: Print(*row[1:]) for row in self._database.execute("SELECT * FROM prints")}

    def verdicts(self) -> dict[str, bool]:
        """Return what the ignore rules said last."""
        return {path: bool(hidden) for path, hidden in self._database.execute("SELECT path, hidden FROM verdicts")}

    def meta(self, key: str) -> str:
        """Return a remembered value, or empty."""
        row = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else ""

    @property
    def database(self) -> sqlite3.Connection:
        """The open file, for the caches that share it."""
        return self._database

    def size(self) -> int:
        """Return the number of known files."""
        return int(self._database.execute("SELECT count(*) FROM prints").fetchone()[0])

    # --- taking in

    def apply(
        self,
        readings: Iterable[Reading],
        gone: Iterable[str] = (),
        verdicts: Mapping[str, bool] | None = None,
        problems: Iterable[Diagnostic] | None = None,
        meta: Mapping[str, str] | None = None,
    ) -> None:
        """Take in what a scan and its readings found, all or nothing.

        `verdicts` and `problems` replace the stored ones when given. The generation counts every change of
        content, so that what was built from an older one can be told apart.
        """
        run = self._database.execute
        run("BEGIN IMMEDIATE")
        try:
            changed = False
            for reading in readings:
                run("REPLACE INTO prints VALUES (?, ?, ?, ?, ?, ?, ?)", (reading.path, *reading.print))
                if reading.data:
                    changed = True
                    self._forget(reading.path)
                    row = (reading.path, reading.kind, reading.troubled, reading.data)
                    run("REPLACE INTO nodes VALUES (?, ?, ?, ?)", row)
                    run("DELETE FROM names WHERE path = ?", (reading.path,))
                    self._database.executemany(
                        "INSERT INTO names VALUES (?, ?)", [(name, reading.path) for name in reading.names]
                    )
            for path in gone:
                changed = True
                self._forget(path)
                for table in ("prints", "nodes", "names"):
                    run(f"DELETE FROM {table} WHERE path = ?", (path,))
            if verdicts is not None:
                run("DELETE FROM verdicts")
                self._database.executemany("INSERT INTO verdicts VALUES (?, ?)", sorted(verdicts.items()))
            if problems is not None:
                run("DELETE FROM problems")
                self._database.executemany("INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?)", list(problems))
            values = dict(meta or {})
            if changed:
                values["generation"] = str(int(self.meta("generation") or 0) + 1)
            self._database.executemany("REPLACE INTO meta VALUES (?, ?)", sorted(values.items()))
            run("COMMIT")
        except BaseException:
            run("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _forget(self, path: str) -> None:
        self._files.pop(path, None)
        self._similar.clear()

    def _nearest(self, path: str) -> Sequence[str]:
        import difflib

        key = name_key(posixpath.splitext(posixpath.basename(path))[0])
        near = difflib.get_close_matches(key, self._keys_like(key), 8, 0.6)
        paths = sorted({found for each in near for found in self.named(each)})
        likeness = {found: difflib.SequenceMatcher(None, path, found).ratio() for found in paths}
        return sorted(paths, key=lambda found: (-likeness[found], found))[:5]

    def _keys_like(self, key: str) -> list[str]:
        """Return the names worth comparing: all of a small workspace, else those that begin alike."""
        count = self._database.execute("SELECT count(*) FROM (SELECT 1 FROM names LIMIT 3001)").fetchone()[0]
        start = "" if count <= 3_000 else key[:2]
        query = "SELECT DISTINCT key FROM names WHERE key >= ? AND key < ? ORDER BY key LIMIT 3000"
        return [row[0] for row in self._database.execute(query, (start, start + "\U0010ffff"))]
