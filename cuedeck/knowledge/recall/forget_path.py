"""Removal of deleted files from the index of recall, without a search."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.open_recall import open_recall
from cuedeck.model.errors import StorageError
from cuedeck.store.cache.recall_index_writer import write_index
from cuedeck.store.index.schema import DAMAGE, is_broken

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.cache.recall_index import RecallIndex


def forget_path(workspace: Workspace, path: str) -> None:
    """Remove the units of a deleted file or folder from the index on disk, if there is
    one.

    The messages of a day are one file of the index. It is removed if it contained the
    deleted message, and the next search reads the other messages again. A corrupt index
    is emptied. Raises: StorageError.
    """
    if not os.path.exists(workspace.paths.recall_index):
        return
    index = open_recall(workspace).index(workspace)
    try:
        _remove(index, path)
    except DAMAGE as error:
        if is_broken(error):
            index.start_over(in_memory=False)
            return
        raise StorageError(
            f"{path} is deleted, but remains in the index of recall: {error}",
            hint="`cuedeck clean` removes the index",
        ) from error


def _remove(index: RecallIndex, path: str) -> None:
    with write_index(index) as writer:
        for indexed, state in sorted(index.files().items()):
            if _is_within(indexed, path) or _is_within(path, indexed):
                writer.remove(state)


def _is_within(path: str, top: str) -> bool:
    return path == top or path.startswith(f"{top}/")
