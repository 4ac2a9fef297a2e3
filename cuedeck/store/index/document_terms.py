"""The words of files in the index: written inside its transactions, so that they never fall behind it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from zlib import crc32

from cuedeck.store.index import term_postings

if TYPE_CHECKING:
    from cuedeck.parse.index_terms import IndexTerms

_KNOWN = "SELECT doc, words, fields, sum FROM documents WHERE path = ?"
_INSERT = "INSERT OR IGNORE INTO documents VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"
_UPDATE = "UPDATE documents SET length = ?, names = ?, words = ?, fields = ?, sums = ?, sum = ? WHERE doc = ?"


class News:
    """What changed of the words since somebody last looked."""

    def __init__(self) -> None:
        self.everything = True
        """True when anything may have changed; then the rest is not told."""
        self.paths: dict[str, None] = {}
        """Files that may be looked for and were read again, or are gone."""
        self.others: dict[str, None] = {}
        """The same for files that are never looked for."""
        self.terms: set[str] = set()
        """Terms that stand in other files, or more or less often, than before."""

    def __bool__(self) -> bool:
        return self.everything or bool(self.paths) or bool(self.others)


def seal(words: str, fields: str) -> int:
    """Return a sum that tells whether what is stored of a file is still what was stored."""
    return crc32(f"{words}\n{fields}".encode("utf-8", "surrogatepass"))


class Intake:
    """What one update says of the words of files; `finish` it before the transaction ends."""

    def __init__(self, database: sqlite3.Connection, news: News) -> None:
        self._database = database
        self._news = news
        self._changes: term_postings.Changes = {}

    def take(self, path: str, facts: IndexTerms | None) -> None:
        """Put what was read of a file in the place of what was known of it. Raises: DatabaseError."""
        if facts is None:
            self.remove(path)
            return
        row = (facts.length, facts.names, facts.words, facts.fields, facts.sums, seal(facts.words, facts.fields))
        made = self._database.execute(_INSERT, (path, *row))
        if made.rowcount == 1:
            self._add(int(made.lastrowid or 0), facts.postings)
        else:
            doc, *stored = self._database.execute(_KNOWN, (path,)).fetchone()
            before, after = _terms(*stored), facts.postings
            self._database.execute(_UPDATE, (*row, doc))
            self._edit(doc, {term: 0 for term in before if term not in after})
            self._edit(doc, {term: times for term, times in after.items() if before.get(term) != times})
        if not self._news.everything:
            self._news.paths[path] = None

    def remove(self, path: str) -> None:
        """Forget a file. Raises: DatabaseError."""
        old: Sequence[Any] | None = self._database.execute(_KNOWN, (path,)).fetchone()
        if not self._news.everything:
            (self._news.others if old is None else self._news.paths)[path] = None
        if old is not None:
            doc, *stored = old
            self._edit(doc, dict.fromkeys(_terms(*stored), 0))
            self._database.execute("DELETE FROM documents WHERE doc = ?", (doc,))

    def finish(self) -> None:
        """Write what is still held in memory. Raises: DatabaseError."""
        changes, self._changes = self._changes, {}
        term_postings.write(self._database, changes)

    def _add(self, doc: int, terms: dict[str, int]) -> None:
        if term_postings.part_of(doc) not in self._changes:
            self.finish()  # the part before is full
        term_postings.note_terms(self._changes, doc, terms, is_new=True)
        self._tell(terms)

    def _edit(self, doc: int, terms: dict[str, int]) -> None:
        if terms:
            term_postings.note_terms(self._changes, doc, terms)
            self._tell(terms)

    def _tell(self, terms: Iterable[str]) -> None:
        if not self._news.everything:
            self._news.terms.update(terms)


def _terms(words: str, fields: str, total: int) -> dict[str, int]:
    """Return every term by which a file is found, with its count. Raises: DatabaseError for a damaged row."""
    from cuedeck.parse.index_terms import decode_terms

    if seal(str(words), str(fields)) != total:
        raise sqlite3.DatabaseError("malformed words")
    return decode_terms(words, fields)
