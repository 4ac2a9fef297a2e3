"""Texts of the workspace as the index knows them, and where they hold secrets."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Sequence

from cuedeck.model.node import Secret
from cuedeck.parse.decode import decode
from cuedeck.store.disk import read_bytes
from cuedeck.store.index import Index

_KEPT_CHARACTERS = 8_000_000


class Stale(Exception):
    """A file changed on disk after the index read it; refresh and build again."""


class WorkspaceTexts:
    """Reads texts when they are asked for; implements `Texts`.

    `find` finds secrets, `rules` names everything its answer depends on; answers are kept by content hash.
    """

    def __init__(self, root: str, index: Index, find: Callable[[str], Sequence[Secret]], rules: str) -> None:
        self._root = root
        self._index = index
        self._database: sqlite3.Connection = index.database
        self._find = find
        self._rules = rules
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._held = 0
        self._secrets: dict[str, tuple[Secret, ...]] = {}

    def text(self, path: str) -> str:
        """Return the text of a known file.

        Raises: Stale when the file is no longer the one that was indexed.
        """
        wanted = self._index.hash(path)
        if wanted in self._texts:
            self._texts.move_to_end(wanted)
            return self._texts[wanted]
        data = read_bytes(os.path.join(self._root, *path.split("/")))
        if data is None or hashlib.sha256(data).hexdigest() != wanted:
            raise Stale(path)
        text = decode(data).text
        self._texts[wanted] = text
        self._held += len(text)
        while self._held > _KEPT_CHARACTERS and len(self._texts) > 1:
            _, old = self._texts.popitem(last=False)
            self._held -= len(old)
        return text

    def secrets(self, path: str) -> Sequence[Secret]:
        """Return where the text of a known file holds secrets."""
        key = self._index.hash(path)
        if key not in self._secrets:
            query = "SELECT spans FROM secrets WHERE hash = ? AND rules = ?"
            row = self._database.execute(query, (key, self._rules)).fetchone()
            if row is None:
                found = tuple(self._find(self.text(path)))
                self._database.execute("REPLACE INTO secrets VALUES (?, ?, ?)", (key, self._rules, json.dumps(found)))
            else:
                found = tuple(Secret(*each) for each in json.loads(row[0]))
            self._secrets[key] = found
        return self._secrets[key]
