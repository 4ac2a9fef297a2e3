"""Writer of SCENE.md in a server, active while no other process holds the watch
lock.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cuedeck.context.scene.build_scene import write_scene
from cuedeck.context.scene.no_active_card import build_or_idle
from cuedeck.engine.watch.watch_lock import WatchLock
from cuedeck.knowledge.memory.maintenance_thread import BackgroundMaintenance
from cuedeck.work.sessions.session_journal import SessionJournal

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.scene_values import Scene


class SceneWriter:
    """Builds the scene after a change and writes it while this process holds the watch
    lock.
    """

    def __init__(self, workspace: Workspace, *, writes: bool) -> None:
        """Create the writer. Without `writes` nothing is ever written."""
        self._workspace = workspace
        self._writes = writes
        self._lock = WatchLock(workspace.paths)
        self._journal = SessionJournal(workspace)
        self._maintenance = BackgroundMaintenance(workspace)
        self._last_hash = ""
        """Hash of the last scene."""

    @property
    def holds(self) -> bool:
        """Whether this process writes SCENE.md."""
        return self._lock.is_held

    def take_over(self) -> bool:
        """Try to get the watch lock; return whether this call acquired it. Raises:
        StorageError.
        """
        return self._writes and self._lock.take()

    def make(self, paths: tuple[str, ...]) -> bool:
        """Build the scene after a change of `paths`; return whether it differs from the
        last one.

        Raises: CueDeckError, with SCENE.md unchanged.
        """
        scene, _ = build_or_idle(self._workspace)
        if self.holds:
            write_scene(self._workspace, scene.text)
            self._journal.note(paths, scene)
        self._workspace.counter().save()
        return self._is_changed(scene)

    def run_idle_work(self) -> bool:
        """Run idle work (memory, session journal); return whether the scene may have
        changed. Raises: CueDeckError.
        """
        if not self.holds:
            return False
        self._maintenance.step()
        return self._journal.keep()

    def close(self) -> None:
        """Save the session journal and release the lock. Raises: CueDeckError."""
        try:
            if self.holds:
                self._journal.keep()
        finally:
            self._lock.release()

    def _is_changed(self, scene: Scene) -> bool:
        before, self._last_hash = (
            self._last_hash,
            hashlib.sha256(scene.text.encode("utf-8", "replace")).hexdigest(),
        )
        return before not in ("", self._last_hash)
