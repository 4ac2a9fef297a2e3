"""Access to workspace files named by a user, including files that are not in the
index.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import stat
from collections.abc import Sequence

from cuedeck.model.errors import Invalid, StorageError
from cuedeck.model.ports import Texts
from cuedeck.parse.config_values import is_env, names_only
from cuedeck.parse.manifests import MANIFEST_KEYS, is_manifest
from cuedeck.parse.notebook import decode_file
from cuedeck.store.files.disk import read_bytes
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.index import Index
from cuedeck.store.index.read_file import LARGEST_TEXT

_MANIFESTS = f"""
SELECT path FROM names WHERE key IN ({", ".join("?" * len(MANIFEST_KEYS))})
UNION SELECT path FROM names WHERE key >= 'requirements' AND key < 'requirementt'
"""


class NamedFiles:
    """Reads each file once: from the index if it is known there, else from disk.

    For `.env` files only the names of the variables are returned.
    """

    def __init__(self, root: str, index: Index, texts: Texts) -> None:
        self._root = os.path.realpath(root)
        self._index = index
        self._texts = texts
        self._read: dict[str, str | None] = {}

    def exists(self, path: str) -> bool:
        """Return whether a file or folder exists. Raises: Invalid if the path leaves
        the workspace.
        """
        return os.path.exists(self._place(path))

    def text(self, path: str) -> str | None:
        """Return the text of a file, or None if it is missing.

        Raises: Invalid if the path leaves the workspace or is not a text file; Stale if
        an indexed file has changed since it was indexed.
        """
        place = self._place(path)
        plain = posixpath.normpath(path)
        if plain not in self._read:
            text = (
                self._known(plain)
                if self._index.file(plain)
                else _unknown(plain, place)
            )
            if text and (is_env(plain) or is_env(os.path.basename(place))):
                text = names_only(text)
            self._read[plain] = text
        return self._read[plain]

    def state(self, path: str) -> tuple[str, str]:
        """Return (path, fingerprint); the fingerprint changes when the visible content
        or the error changes.
        """
        try:
            if os.path.isdir(self._place(path)):
                return path, "folder"
            text = self.text(path)
        except Invalid as error:
            return path, error.message
        if text is None:
            return path, ""
        return path, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    def manifests(self) -> Sequence[str]:
        """Return the sorted paths of the package manifests (files that declare
        dependencies).
        """
        found = {row[0] for row in self._index.ask(_MANIFESTS, MANIFEST_KEYS)}
        found.update(self._index.folder("requirements"))
        return sorted(filter(is_manifest, found))

    def _known(self, path: str) -> str:
        file = self._index.file(path)
        if file is None or file.kind == "binary":
            raise Invalid(f"`{path}` is not a text file")
        return self._texts.text(path)

    def _place(self, path: str) -> str:
        """Return the real path of a workspace-relative path. Raises: Invalid if it is
        outside the workspace.
        """
        place = os.path.realpath(os.path.join(self._root, *path.split("/")))
        inside = place == self._root or is_below(place, self._root)
        if path.startswith("/") or not inside:
            raise Invalid(
                f"`{path}` is outside the workspace",
                hint="give a path inside the workspace",
            )
        return place


def _unknown(path: str, place: str) -> str | None:
    """Return the text of a file that is not in the index; None if it is missing.
    Raises: Invalid.
    """
    try:
        found = os.stat(place)
        if stat.S_ISDIR(found.st_mode):
            raise Invalid(f"`{path}` is a folder", hint="give the path of a file")
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_TEXT:
            raise Invalid(f"`{path}` is not a text file")
        data = read_bytes(place)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, StorageError):
        raise Invalid(
            f"`{path}` cannot be read", hint="check its permissions"
        ) from None
    decoded = decode_file(path, data or b"")
    if decoded.binary:
        raise Invalid(f"`{path}` is not a text file")
    return None if data is None else decoded.text
