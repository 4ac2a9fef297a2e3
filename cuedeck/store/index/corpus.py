"""The corpus: the terms of all files, queried by term, and the commit history."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.errors import Stale
from cuedeck.model.secret import KnownValues, Secret, replace_secrets
from cuedeck.parse.index_terms import PROJECT, is_unranked_text, read_words
from cuedeck.parse.notebook import decode_file
from cuedeck.parse.text_decoding import line_sums
from cuedeck.store.files.disk import look_at
from cuedeck.store.index import Index
from cuedeck.store.index.read_file import (
    decode_secrets,
    encode_secrets,
)

if TYPE_CHECKING:
    from cuedeck.model.commit import Commit
    from cuedeck.model.file import Root, Words


_KEPT_WORDS = 400
"""Number of files whose terms are cached."""
_LONGEST_TEXT = 300_000
"""Bytes above which a file without stored terms is treated as data."""
_KEPT_TERMS = 5_000
_HELD_POSTINGS = 300_000
"""Minimum limit of the entries in all cached postings together."""
_POSTINGS_PER_FILE = 20
"""Limit per file of a large workspace. A ranking reads about 15, and keeps them in
memory while it is valid anyway.
"""
_POSTINGS = "SELECT doc, count(*) FROM places WHERE term = ? GROUP BY doc ORDER BY doc"


class WorkspaceCorpus:
    """The stored terms of the workspace and its commit history; implements `Corpus`.

    Results of queries are cached until the index reports a change. The words of a file
    with their places are read from its text: a scene asks for those of a few files.
    """

    def __init__(
        self,
        index: Index,
        text: Callable[[str], str],
        commits: Callable[[], Sequence[Commit]],
    ) -> None:
        self._index = index
        self._text = text
        """Returns the text of a file with a placeholder for each secret."""
        self.commits = commits
        """Returns HEAD and its ancestors, newest first; none outside a repository."""
        self._words: dict[str, Words] = {}
        self._postings: dict[str, Mapping[str, int]] = {}
        self._held = 0
        """Number of terms and entries in `_postings`."""
        self._spreads: dict[str, int] = {}
        self._lengths: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._paths: dict[int, str] = {}
        self._others: set[str] = set()
        """Paths of the files without stored terms."""
        self._unranked: Sequence[str] = ()
        """Those of them that may be texts, sorted."""
        self._changed: dict[str, None] | None = None
        self.population = 0
        """Changes when a file is added or removed, even one without terms, because an
        import may resolve to it.
        """

    def follow(self) -> Sequence[str] | None:
        """Return the paths that changed since the last call; None if all may have
        changed.
        """
        self._catch_up()
        changed, self._changed = self._changed, {}
        if changed is None:
            return None
        return list(changed)

    def postings(self, term: str) -> Mapping[str, int]:
        """Return the number of occurrences of a term in each file, by path."""
        self._catch_up()
        if term not in self._postings:
            paths = self._paths
            # A file that another process has added is unknown here until the next
            # refresh.
            rows = self._index.ask(_POSTINGS, (term,))
            found = {paths[doc]: times for doc, times in rows if doc in paths}
            most = max(_HELD_POSTINGS, _POSTINGS_PER_FILE * len(self._lengths))
            if self._held > most:
                self._postings.clear()
                self._held = 0
            self._postings[term] = found
            self._held += len(found) + 1
        return self._postings[term]

    def spread(self, term: str) -> int:
        """Return the number of files that contain a term."""
        self._catch_up()
        if term not in self._spreads:
            if len(self._spreads) > _KEPT_TERMS:
                self._spreads.clear()
            rows = self._index.ask("SELECT doc FROM spread WHERE term = ?", (term,))
            self._spreads[term] = rows[0][0] if rows else 0
        return self._spreads[term]

    def lengths(self) -> Mapping[str, int]:
        """Return the number of words of every file, by path."""
        self._catch_up()
        return self._lengths

    def names(self) -> Mapping[str, int]:
        """Return the number of words in the names of definitions of every file, by
        path.
        """
        self._catch_up()
        return self._names

    def words(self, path: str) -> Words | None:
        """Return the terms of a file; None for a file without stored terms. Raises:
        Stale.
        """
        self._catch_up()
        if path in self._lengths and path not in self._words:
            file = self._index.stored_file(path)
            if file is None:
                return None
            if len(self._words) >= _KEPT_WORDS:
                del self._words[next(iter(self._words))]
            self._words[path] = read_words(file, self._text(path))
        return self._words.get(path)

    def unranked(self) -> Sequence[str]:
        """Return the sorted paths of texts without stored terms: change logs and hidden
        configuration files.
        """
        self._catch_up()
        return [path for path in self._unranked if self._is_text(path)]

    def _is_text(self, path: str) -> bool:
        file = self._index.file(path)
        if file is None or file.kind not in ("doc", "source"):
            return False
        return file.size <= _LONGEST_TEXT and not file.fault

    def sums(self, path: str) -> Sequence[int]:
        """Return the `line_sum` of each line of a file. Raises: Stale."""
        words = self.words(path)
        if words is None or not words.chunks:
            return ()
        return line_sums(self._text(path))

    def roots(self) -> Sequence[tuple[str, Root]]:
        """Return the import roots that project files define, each with the path of its
        file, in order.
        """
        found: list[tuple[str, Root]] = []
        for path in sorted(self.postings(PROJECT)):
            file = self._index.file(path)
            if file is not None:
                found += [(file.path, root) for root in file.roots]
        return found

    def _catch_up(self) -> None:
        """Drop outdated cache entries; costs nothing while the index is unchanged."""
        if not self._index.news.is_pending:
            return
        news = self._index.follow_news()
        if news.everything:
            for cache in (self._words, self._postings, self._spreads):
                cache.clear()
            self._held = 0
            self._changed = None
        for term in news.terms:
            self._held -= len(self._postings.pop(term, ()))
            self._spreads.pop(term, None)
        before = self._lengths
        for path in news.paths:
            self._words.pop(path, None)
        if news.everything or not all(map(self._read_row, news.paths)):
            self._read_table()
        if self._changed is not None:
            for path in news.paths:
                if path in before or path in self._lengths:
                    self._changed[path] = None

    def _read_table(self) -> None:
        query = "SELECT doc, path, length, names FROM documents ORDER BY path"
        rows = self._index.ask(query)
        self._paths = {row[0]: row[1] for row in rows}
        self._lengths = {row[1]: row[2] for row in rows}
        self._names = {row[1]: row[3] for row in rows}
        self._others = set(self._index.paths()) - self._lengths.keys()
        self._unranked = sorted(filter(is_unranked_text, self._others))
        self.population += 1

    def _read_row(self, path: str) -> bool:
        """Read the row of one file; return False if it was added or removed."""
        query = "SELECT doc, length, names FROM documents WHERE path = ?"
        rows = self._index.ask(query, (path,))
        if bool(rows) is not (path in self._lengths):
            return False
        if not rows:
            return bool(self._index.hash(path)) is (path in self._others)
        # A file that was removed and added again has another number.
        doc, self._lengths[path], self._names[path] = rows[0]
        self._paths[doc] = path
        return True


_HELD_CHARACTERS = 8_000_000
_KEPT = 200_000
"""Maximum number of cached results in the index."""


class WorkspaceTexts:
    """Reads texts on demand; implements `Texts`.

    `find` finds secrets. The index has its results for files by content hash and
    `rules`, which identifies the settings; an update replaces those in which the known
    values changed.
    """

    def __init__(
        self,
        root: str,
        index: Index,
        find: Callable[[str], Sequence[Secret]],
        rules: str,
    ) -> None:
        self._root = root
        self._index = index
        self._find = find
        self._rules = rules
        self._texts: dict[str, str] = {}
        self._held = 0
        self._secrets: dict[str, tuple[Secret, ...]] = {}
        self._values: KnownValues | None = None

    def text(self, path: str) -> str:
        """Return the text of a known file.

        Raises: Stale if the file has changed since it was indexed, or cannot be read.
        """
        virtual = self._index.virtual
        if virtual is not None and path == virtual.file.path:
            return virtual.text
        wanted = self._index.hash(path)
        if wanted in self._texts:
            return self._texts[wanted]
        data = look_at(os.path.join(self._root, *path.split("/")))
        if hashlib.sha256(data).hexdigest() != wanted:
            raise Stale(path)
        text = decode_file(path, data).text
        self._texts[wanted] = text
        self._held += len(text)
        while self._held > _HELD_CHARACTERS and len(self._texts) > 1:
            oldest = next(iter(self._texts))
            self._held -= len(self._texts.pop(oldest))
        return text

    def masked(self, path: str) -> str:
        """Return the text of a known file with a placeholder for each secret. Raises:
        Stale.
        """
        text = self.text(path)
        secrets = self.secrets(path)
        return replace_secrets(text, secrets)

    def secrets(self, path: str) -> Sequence[Secret]:
        """Return the secrets in the text of a known file with their positions; none for
        a binary or unreadable file.
        """
        file = self._index.file(path)
        if file is not None and file.kind == "binary":
            return ()
        values = self._index.known_values()
        if values is not self._values:
            self._values = values
            self._secrets.clear()
        key = self._index.hash(path)
        virtual = self._index.virtual
        if virtual is not None and path == virtual.file.path:
            return self._find(virtual.text)
        if key not in self._secrets:
            kept_key = f"{key} {self._rules}"
            found = decode_secrets(self._index.cached("secrets", kept_key))
            if found is None:
                found = tuple(self._find(self.text(path)))
                self._index.keep("secrets", {kept_key: encode_secrets(found)}, _KEPT)
            self._secrets[key] = found
        return self._secrets[key]
