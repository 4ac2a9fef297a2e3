"""Lock of the one watcher or server that keeps SCENE.md up to date; other watchers and
servers only read it.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from cuedeck.model.errors import Locked
from cuedeck.store.files.file_lock import locked

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

_NAME = "watch"
_AGAIN_SECONDS = 5.0
"""Time between two attempts to acquire the lock."""


class WatchLock:
    """Lock as one process sees it. The operating system releases it if its holder
    dies.
    """

    def __init__(self, paths: WorkspacePaths) -> None:
        self._workspace = paths
        self._lock = ExitStack()
        self._next_try = 0.0
        self.is_held = False
        """Whether this process writes SCENE.md."""

    def take(self) -> bool:
        """Try to acquire the lock, at most every 5 s; return whether this call acquired
        it. Raises: StorageError.
        """
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
        """Release the lock, if it is held."""
        self._lock.close()
        self.is_held = False
