"""Keeper of SCENE.md: builds the scene when its inputs change and writes it while this
process holds the watch lock.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from cuedeck.context.blocks.blocks_fingerprint import is_input
from cuedeck.context.scene.build_scene import write_scene
from cuedeck.context.scene.no_active_card import build_or_idle
from cuedeck.engine.live.change import event_of
from cuedeck.knowledge.memory.due_jobs import is_on
from cuedeck.model.errors import Locked
from cuedeck.model.paths import ACTIVE, CONFIG
from cuedeck.store.files.background_process import start
from cuedeck.store.files.file_events import HEAD
from cuedeck.store.files.file_lock import locked
from cuedeck.work.assumptions.check_assumptions import unindexed_paths
from cuedeck.work.sessions.session_journal import SessionJournal

if TYPE_CHECKING:
    from cuedeck.engine.live.change import Listeners
    from cuedeck.engine.live.live_workspace import LiveWorkspace, News
    from cuedeck.model.errors import NoActiveCard
    from cuedeck.model.scene_values import Scene
    from cuedeck.store.workspace_paths import WorkspacePaths

_SHOWN = 100
_LOCK = "watch"
_TICK = "tick"
"""Lock of a maintenance run."""
_AGAIN_SECONDS = 5.0
"""Time between two attempts to acquire the lock."""
_MAINTENANCE_SECONDS = 30.0
"""Time between two starts of the maintenance of the memory."""


class WatchLock:
    """Lock of the one watcher or server that keeps SCENE.md up to date; other watchers
    and servers only read it. The operating system releases it if its holder dies.
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
            self._lock.enter_context(locked(self._workspace, _LOCK, patience_seconds=0))
        except Locked:
            return False
        self.is_held = True
        return True

    def release(self) -> None:
        """Release the lock, if it is held."""
        self._lock.close()
        self.is_held = False


class SceneKeeper:
    """Builds scenes and collects the paths that changed since the last one."""

    def __init__(
        self, workspace: LiveWorkspace, listeners: Listeners, *, writes: bool
    ) -> None:
        """Create the keeper. Without `writes` nothing is ever written."""
        self._workspace = workspace
        self._writes = writes
        self._lock = WatchLock(workspace.paths)
        self._journal = SessionJournal(workspace)
        self._listeners = listeners
        self._maintained_at = 0.0
        self._built: tuple[Scene, NoActiveCard | None, dict[str, float]] | None = None
        """A scene that is not written yet, why there is no card, and seconds by
        stage.
        """
        self._last = ""
        """Text of the last scene."""
        self._changed: dict[str, None] = {}
        """Paths that changed since the last finished scene."""
        self.is_due = False
        """Whether an input changed since the last finished scene."""
        self.is_behind = False
        """Whether an input changed while another process wrote SCENE.md."""
        self.has_failed = False
        """True from an error until the next scene, which is then reported even if it is
        unchanged.
        """
        self._was_reader = False
        """Whether another process wrote SCENE.md at the last scene."""

    @property
    def holds(self) -> bool:
        """Whether this process writes SCENE.md."""
        return self._lock.is_held

    def take_over(self) -> bool:
        """Try to get the watch lock; return whether this call acquired it. Raises:
        StorageError.
        """
        return self._writes and self._lock.take()

    def note(self, news: News) -> None:
        """Remember changes until a scene that includes them is finished."""
        if not self._is_concerned(news):
            return
        self._changed.update(dict.fromkeys(news.files))
        self._built = None
        self.is_due = True
        self.is_behind |= not self.holds

    def build(self, scan_seconds: float = 0.0) -> None:
        """Build the scene, to be written by `finish`. Raises: CueDeckError."""
        started = time.perf_counter()
        self.is_due = True
        scene, trouble = build_or_idle(self._workspace)
        seconds = {"scan": scan_seconds, "build": time.perf_counter() - started}
        self._built = (scene, trouble, seconds)

    def finish(self) -> None:
        """Write the scene and report it unless nothing is new.

        Raises: CueDeckError, with SCENE.md unchanged.
        """
        if self._built is None:
            self.build()
        assert self._built is not None
        scene, trouble, seconds = self._built
        self._built = None
        started = time.perf_counter()
        written = self.holds and write_scene(self._workspace, scene.text)
        seconds["write"] = time.perf_counter() - started
        seconds["all"] = sum(seconds.values())
        changed = list(self._changed)
        if self.holds:
            self._journal.note(changed, scene)
        is_new = written
        if not self.holds:
            is_new = scene.text != self._last
        is_reported = is_new or self.has_failed
        if self.holds and self._was_reader:
            is_reported = True
        self._changed.clear()
        self.is_due = self.has_failed = False
        self.is_behind &= not self.holds
        self._last = scene.text
        self._was_reader = not self.holds
        self._workspace.counter().save()
        if not is_reported:
            return
        if trouble is not None:
            self._listeners.emit(event_of(trouble))
        event = {
            "event": "scene",
            "changed": changed[:_SHOWN],
            "more": max(0, len(changed) - _SHOWN),
            "card": scene.card or None,
            "ms": {name: round(each * 1000, 2) for name, each in seconds.items()},
            "tokens": scene.tokens,
            "written": written,
            "writes": self.holds,
        }
        self._listeners.emit(event, scene.text if is_new else "")

    def keep_journal(self) -> bool:
        """Write the session journal; return whether a checkpoint may have changed the
        scene. Raises: CueDeckError.
        """
        return self.holds and self._journal.keep()

    def tend_memory(self) -> None:
        """Start a process for due maintenance of the memory, every 30 s. Raises:
        ConfigurationError.
        """
        now = time.monotonic()
        if not self.holds or now < self._maintained_at + _MAINTENANCE_SECONDS:
            return
        if self._workspace.is_configured and is_on(self._workspace):
            self._maintained_at = now
            start(self._workspace.paths, _TICK, ("memory", "tick"))

    def release(self) -> None:
        """Let another process write SCENE.md."""
        self._lock.release()

    def _is_concerned(self, news: News) -> bool:
        if not {ACTIVE, CONFIG}.isdisjoint(news.paths):
            return True
        if any(path != HEAD for path in news.files):
            return True
        if HEAD in news.files and self._workspace.settings.scene.related:
            return True
        if any(map(is_input, news.paths)):
            return True
        return not unindexed_paths(self._workspace).isdisjoint(news.paths)
