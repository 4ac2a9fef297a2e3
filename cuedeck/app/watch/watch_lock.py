"""The lock of who writes SCENE.md of a workspace unasked: one process, a watcher or a server; the others read."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from cuedeck.model.errors import Locked
from cuedeck.store.fs.file_lock import locked

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

_NAME = "watch"
_AGAIN_SECONDS = 5.0
"""From one attempt to get it to the next."""


class WatchLock:
    """The lock as one process sees it. The system lets go of it when its holder dies."""

    def __init__(self, workspace: WorkspacePaths) -> None:
        self._workspace = workspace
        self._lock = ExitStack()
        self._next_try = 0.0
        self.is_held = False
        """True while SCENE.md is ours to write."""

    def take(self) -> bool:
        """Try to get it, now and then; tell whether it was got just now. Raises: StorageError."""
        if self.is_held or time.monotonic() < self._next_try:
            return False
        self._next_try = time.monotonic() + _AGAIN_SECONDS
        try:
            self._lock.enter_context(locked(self._workspace, _NAME, patience_seconds=0))
        except Locked:
            return False
        self.is_held = True
        return True

    def release(self) -> None:
        """Let go of it, if it is held."""
        self._lock.close()
        self.is_held = False
