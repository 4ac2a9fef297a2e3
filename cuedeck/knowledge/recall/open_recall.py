"""The open index of recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.store.cache.recall_index import RecallIndex

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

MOST_IN_HOOK = 3_000_000
"""Bytes that a hook reads into the index at most: about half a second of work."""


class IndexUnfinished(Exception):
    """The index lacks more than a hook may read. A command reads it."""


class OpenRecall:
    """The index of one workspace; the settings stay the same."""

    def __init__(self) -> None:
        self._index: RecallIndex | None = None
        self._forgotten: frozenset[str] = frozenset()

    def index(self, workspace: Workspace) -> RecallIndex:
        """Return the open index; a deleted or replaced one is opened again."""
        forgotten = forgotten_ids(workspace)
        is_old = self._forgotten != forgotten
        if self._index is not None and (is_old or self._index.is_replaced):
            self.close()
        if self._index is None:
            self._forgotten = forgotten
            place = workspace.paths.recall_index
            # `hashlib` would load OpenSSL, which takes longer than opening the index.
            from _blake2 import blake2b

            settings = workspace.settings
            # Copies of the known values of secrets are masked in the texts.
            ids = "\n".join([*sorted(forgotten), workspace.index.values_digest])
            digest = blake2b(ids.encode("utf-8", "surrogatepass"), digest_size=8)
            # The settings themselves, because their hash would load the formats.
            version = f"{settings.secrets!r} forgotten={digest.hexdigest()}"
            self._index = RecallIndex(place, version)
        return self._index

    def close(self) -> None:
        """Close the index, if it is open; it is opened again on next use."""
        if self._index is not None:
            self._index.close()
        self._index = None


def forgotten_ids(workspace: Workspace) -> frozenset[str]:
    """Return the ids of forgotten records."""
    try:
        return memory_of(workspace).forgotten()
    except (ConfigurationError, StorageError):
        return frozenset()


def open_recall(workspace: Workspace) -> OpenRecall:
    """Return the open index of a workspace, the same until the settings change."""
    return workspace.cached(OpenRecall)
