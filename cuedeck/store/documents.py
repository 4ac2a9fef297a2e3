"""The words of files in the index: written inside its transactions, so that they never fall behind it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from cuedeck.parse.facts import Facts

_KNOWN = "SELECT doc, words, fields, sum FROM documents WHERE path = ?"


class News:
    """What changed of the words since somebody last looked."""

    def __init__(self) -> None:
        self.everything = True
        """True when anything may have changed."""
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


def take_in(database: sqlite3.Connection, readings: Iterable[tuple[str, Facts | None]], news: News) -> None:
    """Put what was read of files in the place of what was known of them."""
    rows: list[tuple[str, int, int]] = []
    for path, facts in readings:
        old = database.execute(_KNOWN, (path,)).fetchone()
        if facts is None:
            _remove(database, path, old, news)
            continue
        news.paths[path] = None
        total = seal(facts.words, facts.fields)
        new = facts.postings
        row = (facts.length, facts.names, facts.words, facts.fields, facts.sums, total)
        if old is None:
            doc = database.execute("INSERT INTO documents VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", (path, *row)).lastrowid
            rows += [(term, int(doc or 0), times) for term, times in new.items()]
            continue
        doc, before = old[0], _terms(*old[1:])
        set_ = "SET length = ?, names = ?, words = ?, fields = ?, sums = ?, sum = ? WHERE doc = ?"
        database.execute(f"UPDATE documents {set_}", (*row, doc))
        gone = [(term, doc) for term in before if term not in new]
        database.executemany("DELETE FROM postings WHERE term = ? AND doc = ?", gone)
        news.terms.update(term for term, _ in gone)
        rows += [(term, doc, times) for term, times in new.items() if before.get(term) != times]
    # In the order of the table: pages are filled one after another.
    database.executemany("REPLACE INTO postings VALUES (?, ?, ?)", sorted(rows))
    news.terms.update(row[0] for row in rows)


def remove(database: sqlite3.Connection, path: str, news: News) -> None:
    """Forget a file."""
    _remove(database, path, database.execute(_KNOWN, (path,)).fetchone(), news)


def _remove(database: sqlite3.Connection, path: str, old: Sequence[Any] | None, news: News) -> None:
    if old is None:
        news.others[path] = None
        return
    news.paths[path] = None
    doc, *stored = old
    gone = [(term, doc) for term in _terms(*stored)]
    database.executemany("DELETE FROM postings WHERE term = ? AND doc = ?", gone)
    news.terms.update(term for term, _ in gone)
    database.execute("DELETE FROM documents WHERE doc = ?", (doc,))


def _terms(words: str, fields: str, total: int) -> dict[str, int]:
    """Return every term by which a file is found, with its count. Raises: DatabaseError for a damaged row."""
    if seal(str(words), str(fields)) != total:
        raise sqlite3.DatabaseError("malformed words")
    found: dict[str, int] = {term: sum(pairs[1::2]) for term, pairs in json.loads(words)[1].items()}
    found.update(json.loads(fields))
    return found
