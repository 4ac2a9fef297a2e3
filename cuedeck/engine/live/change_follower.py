"""Reaction of an engine to changes of files: updates the index, keeps the scene and
reports both.
"""

from __future__ import annotations

import gc
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from cuedeck.engine.live.change import Change
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.settings_schema import WatchSettings

if TYPE_CHECKING:
    from cuedeck.engine.live.change import Listeners
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.engine.live.scene_keeper import SceneKeeper


class ChangeFollower:
    """Follows the changes of a workspace in the thread of its engine."""

    def __init__(
        self, workspace: LiveWorkspace, scene: SceneKeeper, listeners: Listeners
    ) -> None:
        self._workspace = workspace
        self._scene = scene
        self._listeners = listeners
        self._paths: dict[str, None] = {}
        self._listing = False
        self._is_cold = True
        """True until the first scene is built, which loads many modules."""
        self.debounce = Debounce()

    def note_changes(self) -> None:
        """Update the index after events."""
        started = time.perf_counter()
        self._workspace.refresh()
        self.note_news(time.perf_counter() - started)

    def note_news(self, scan_seconds: float = 0.0) -> None:
        """Note the changes that the index contains. Build the scene at the first one,
        while more events may follow.
        """
        news = self._workspace.take_news()
        if not news.paths:
            return
        is_first = not self.debounce.is_awaited
        self._paths.update(dict.fromkeys(news.paths))
        self._listing |= news.listing
        self._scene.note(news)
        # Some editors truncate and then write: a file that just became empty will be
        # filled soon.
        tree = self._workspace.tree
        is_emptied = False
        for path in news.files:
            if tree.hash(path) and not tree.size(path):
                is_emptied = True
        self.debounce.postpone(self._watch_settings(), is_emptied=is_emptied)
        if is_first and not is_emptied and self._is_scene_due():
            with suppress(Exception):  # tried again and reported after the debounce
                self._scene.build(scan_seconds)

    def _watch_settings(self) -> WatchSettings:
        try:
            return self._workspace.settings.watch
        except ConfigurationError:
            return WatchSettings()

    def _is_scene_due(self) -> bool:
        return self._scene.is_due and (
            self._scene.holds or self._listeners.wants_scene()
        )

    def report_changes(self) -> None:
        """Write the scene and report the changes since the last report."""
        self.debounce.reset()
        paths = tuple(sorted(self._paths))
        listing = self._listing
        self._paths = {}
        self._listing = False
        try:
            if self._is_scene_due():
                self._scene.finish()
        finally:
            self._listeners.report(Change(paths=paths, listing=listing))

    def take_over(self) -> None:
        was_cold = self._is_cold
        self._is_cold = False
        if not self._scene.take_over() and not was_cold:
            return
        self._workspace.refresh()
        self._scene.note(self._workspace.take_news())
        self._scene.finish()
        if was_cold:
            self._workspace.counter().load()
            # Exclude the loaded objects from full collections, which would otherwise
            # walk all of them.
            gc.freeze()

    def keep_journal(self) -> None:
        """Save the session journal. Its checkpoint may change the scene."""
        if self._scene.keep_journal():
            self._scene.finish()

    def write_last_scene(self) -> None:
        """Build the scene of files that were written just before the end."""
        self._workspace.begin_call()
        self._workspace.refresh()
        self._scene.note(self._workspace.take_news())
        is_owed = self._scene.is_due or self._scene.is_behind
        if is_owed and (self._scene.holds or self._scene.take_over()):
            self._scene.finish()


class Debounce:
    """Debounce timer: every change postpones its end, up to a limit."""

    def __init__(self) -> None:
        self._due = 0.0
        self._first = 0.0

    @property
    def is_awaited(self) -> bool:
        """Whether a change has not been handled yet."""
        return bool(self._due)

    @property
    def is_due(self) -> bool:
        """Whether the wait is over."""
        return self.is_awaited and time.monotonic() >= self._due

    @property
    def seconds_left(self) -> float:
        """Seconds until the end of the wait; infinite without one."""
        if not self.is_awaited:
            return float("inf")
        return max(0.0, self._due - time.monotonic())

    def postpone(self, settings: WatchSettings, *, is_emptied: bool) -> None:
        """Record a change."""
        now = time.monotonic()
        self._first = self._first or now
        if is_emptied:
            self._due = now + settings.empty_ms / 1000
            return
        last = self._first + settings.longest_ms / 1000
        quiet = now + settings.quiet_ms / 1000
        self._due = max(self._due, min(quiet, last))

    def reset(self) -> None:
        """Mark the changes as handled."""
        self._due = self._first = 0.0
