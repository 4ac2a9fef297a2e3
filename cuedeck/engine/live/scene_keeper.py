"""Keeper of SCENE.md: builds the scene when its inputs change and writes it while this
process holds the watch lock.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.context.blocks.blocks_fingerprint import is_input
from cuedeck.context.scene.build_scene import write_scene
from cuedeck.context.scene.no_active_card import build_or_idle
from cuedeck.engine.live.watch_lock import WatchLock
from cuedeck.knowledge.memory.maintenance_thread import BackgroundMaintenance
from cuedeck.model.errors import NoActiveCard
from cuedeck.model.paths import ACTIVE, CONFIG
from cuedeck.store.files.file_events import HEAD
from cuedeck.work.assumptions import load_assumptions as assumptions
from cuedeck.work.sessions.session_journal import SessionJournal

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace, News
    from cuedeck.model.scene_values import Scene

_SHOWN = 100


class Built(NamedTuple):
    """A scene that is not written yet."""

    scene: Scene
    trouble: NoActiveCard | None
    seconds: dict[str, float]


class Kept(NamedTuple):
    """A finished scene that differs from the one before, or follows an error."""

    event: dict[str, Any]
    """The event that reports it, as JSON."""
    trouble: NoActiveCard | None
    text: str
    """Text of the scene; empty if it does not differ."""


class SceneKeeper:
    """Builds scenes and collects the paths that changed since the last one."""

    def __init__(self, workspace: LiveWorkspace, *, writes: bool) -> None:
        """Create the keeper. Without `writes` nothing is ever written."""
        self._workspace = workspace
        self._writes = writes
        self._lock = WatchLock(workspace.paths)
        self._journal = SessionJournal(workspace)
        self._maintenance = BackgroundMaintenance(workspace)
        self._built: Built | None = None
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
        self._built = Built(scene, trouble, seconds)

    def finish(self) -> Kept | None:
        """Write the scene; return its report unless nothing is new.

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
            return None
        milliseconds = {}
        for name, each in seconds.items():
            milliseconds[name] = round(each * 1000, 2)
        event = {
            "event": "scene",
            "changed": changed[:_SHOWN],
            "more": max(0, len(changed) - _SHOWN),
            "card": scene.card or None,
            "ms": milliseconds,
            "tokens": scene.tokens,
            "written": written,
            "writes": self.holds,
        }
        return Kept(event, trouble, scene.text if is_new else "")

    def keep_journal(self) -> bool:
        """Write the session journal; return whether a checkpoint may have changed the
        scene. Raises: CueDeckError.
        """
        return self.holds and self._journal.keep()

    def tend_memory(self) -> dict[str, Any] | None:
        """Run due memory maintenance; return its report. Raises: CueDeckError."""
        if not self.holds or not self._workspace.is_configured:
            return None
        return self._maintenance.step()

    def release(self) -> None:
        """Let another process write SCENE.md."""
        self._lock.release()

    def _is_concerned(self, news: News) -> bool:
        """Return whether changes require another scene."""
        if not {ACTIVE, CONFIG}.isdisjoint(news.paths):
            return True
        if any(path != HEAD for path in news.files):
            return True
        if HEAD in news.files:
            settings = self._workspace.settings.scene
            if settings.related:
                return True
        return self._are_inputs(news.paths)

    def _are_inputs(self, paths: Iterable[str]) -> bool:
        """Return whether one of these files outside the tree is an input of a scene
        block.
        """
        if any(map(is_input, paths)):
            return True
        checked = assumptions.unindexed_paths(self._workspace)
        return not checked.isdisjoint(paths)
