"""Texts of indexed files, and the positions of secrets in them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence

from cuedeck.model.errors import Stale
from cuedeck.model.secret import KnownValues, Secret
from cuedeck.parse.notebook import decode_file
from cuedeck.store.files.disk import look_at
from cuedeck.store.index import Index
from cuedeck.store.index.file_codec import decode_secrets, encode_secrets
from cuedeck.store.index.read_file import replace_secrets

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
