"""SCENE.md, kept true by a server while no other watcher does it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cuedeck.app.memory.background_maintenance import BackgroundMaintenance
from cuedeck.app.scene.build_scene import write_scene
from cuedeck.app.scene.no_active_card import build_or_idle
from cuedeck.app.sessions.session_journal import SessionJournal
from cuedeck.app.watch.watch_lock import WatchLock

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.scene_values import Scene


class SceneWriter:
    """Makes the scene when something changed; writes it while it holds the lock of the watchers."""

    def __init__(self, project: Workspace, *, writes: bool) -> None:
        """Without `writes` nothing is ever written."""
        self._project = project
        self._writes = writes
        self._lock = WatchLock(project.workspace)
        self._diary = SessionJournal(project)
        self._tending = BackgroundMaintenance(project)
        self._made = ""
        """Hash of the last scene."""

    @property
    def holds(self) -> bool:
        """True while SCENE.md is ours to write."""
        return self._lock.is_held

    def take_over(self) -> bool:
        """Try to get the lock, now and then; tell whether it was got just now. Raises: StorageError."""
        return self._writes and self._lock.take()

    def make(self, paths: tuple[str, ...]) -> bool:
        """Make the scene after a change of `paths`; tell whether it is another one.

        Raises: CueDeckError, with SCENE.md as it was.
        """
        scene, _ = build_or_idle(self._project)
        if self.holds:
            write_scene(self._project, scene.text)
            self._diary.note(paths, scene)
        self._project.counter().save()
        return self._is_other(scene)

    def rest(self) -> bool:
        """Do what is due while nothing happens; tell whether the scene may have changed by it. Raises: CueDeckError."""
        if not self.holds:
            return False
        self._tending.step()
        return self._diary.keep()

    def close(self) -> None:
        """Keep what was noted, and let go of the lock. Raises: CueDeckError."""
        try:
            if self.holds:
                self._diary.keep()
        finally:
            self._lock.release()

    def _is_other(self, scene: Scene) -> bool:
        before, self._made = self._made, hashlib.sha256(scene.text.encode("utf-8", "replace")).hexdigest()
        return before not in ("", self._made)
