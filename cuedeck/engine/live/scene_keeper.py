"""Keeper of SCENE.md: follows the changes of its inputs, builds the scene, and writes
it while this process holds the watch lock.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from cuedeck.context.blocks.blocks_fingerprint import is_input
from cuedeck.context.scene.build_scene import build_or_idle, write_scene
from cuedeck.engine.live.change import Change, event_of
from cuedeck.knowledge.memory.due_jobs import is_on
from cuedeck.model.errors import ConfigurationError, Locked
from cuedeck.model.paths import ACTIVE, CONFIG
from cuedeck.model.settings_schema import WatchSettings
from cuedeck.store.files.background_process import start
from cuedeck.store.files.file_events import HEAD
from cuedeck.store.files.file_lock import locked
from cuedeck.work.assumptions.check_assumptions import unindexed_paths
from cuedeck.work.sessions.checkpoint import SessionJournal

if TYPE_CHECKING:
    from cuedeck.engine.live.change import Reports
    from cuedeck.engine.live.live_workspace import LiveWorkspace, News
    from cuedeck.model.errors import NoActiveCard
    from cuedeck.model.scene_values import Scene


_SHOWN = 100
_MOST_INTERRUPTED = 5
_LOCK = "watch"
_TICK = "tick"
"""Lock of a maintenance run."""
_AGAIN_SECONDS = 5.0
"""Time between two attempts to acquire the lock."""
_MAINTENANCE_SECONDS = 30.0
"""Time between two starts of the maintenance of the memory."""


class CallWaits(Exception):
    """Ends a build of the scene that begins again after a call."""


class SceneKeeper:
    """Follows the changes of a workspace in the thread of its engine, and keeps its
    scene.

    One watcher or server holds the watch lock and keeps SCENE.md up to date; others
    only read it. The operating system releases the lock if its holder dies.
    """

    def __init__(
        self, workspace: LiveWorkspace, reports: Reports, *, writes: bool
    ) -> None:
        """Create the keeper. Without `writes` nothing is ever written."""
        self._workspace = workspace
        self._writes = writes
        self._lock = ExitStack()
        self._next_try = 0.0
        self.holds = False
        """Whether this process writes SCENE.md."""
        self._journal = SessionJournal(workspace)
        self._reports = reports
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
        self.must_report = False
        """True from an error, and from the end of another process that wrote SCENE.md,
        until the next scene, which is then reported even if it is unchanged.
        """
        self._paths: dict[str, None] = {}
        """Changed paths that are not reported yet."""
        self._listing = False
        self.is_called: Callable[[], bool] = lambda: False
        """Returns whether a call waits for the end of a build."""
        self._interrupted = 0
        """Builds of the next scene that were ended for a call."""
        self.is_early = True
        """Whether a build begins at the first change, before the debounce."""
        self._is_cold = True
        """True until the first scene is built, which loads many modules."""
        self.debounce = Debounce()

    def _take_lock(self) -> bool:
        """Try to acquire the watch lock, at most every 5 s; return whether this call
        acquired it. Raises: StorageError.
        """
        if not self._writes or self.holds or time.monotonic() < self._next_try:
            return False
        is_first = not self._next_try
        self._next_try = time.monotonic() + _AGAIN_SECONDS
        try:
            lock = locked(self._workspace.paths, _LOCK, patience_seconds=0)
            self._lock.enter_context(lock)
        except Locked:
            return False
        self.holds = True
        self.must_report |= not is_first
        return True

    def _note(self, news: News) -> None:
        """Remember changes until a scene that includes them is finished."""
        if not self._is_concerned(news):
            return
        self._changed.update(dict.fromkeys(news.files))
        self._built = None
        self.is_due = True

    def _build(self, scan_seconds: float = 0.0) -> None:
        """Build the scene, to be written by `_finish`. Raises: CueDeckError."""
        started = time.perf_counter()
        self.is_due = True
        scene, trouble = build_or_idle(self._workspace)
        seconds = {"scan": scan_seconds, "build": time.perf_counter() - started}
        self._built = (scene, trouble, seconds)

    def _finish(self) -> None:
        """Write the scene and report it unless nothing is new.

        Raises: CueDeckError, with SCENE.md unchanged.
        """
        if self._built is None:
            self._build()
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
        is_new = written if self.holds else scene.text != self._last
        is_reported = is_new or self.must_report
        self._changed.clear()
        self.is_due = self.must_report = False
        self._last = scene.text
        self._workspace.counter().save()
        if not is_reported:
            return
        if trouble is not None:
            self._reports.emit(event_of(trouble))
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
        self._reports.emit(event, scene.text if is_new else "")

    def keep_journal(self, *, is_last: bool = False) -> None:
        """Write the session journal, whose checkpoint may change the scene; the last
        one does not rebuild it. Raises: CueDeckError.
        """
        if self.holds and self._journal.keep() and not is_last:
            self._finish()

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
        self._lock.close()
        self.holds = False

    def _is_concerned(self, news: News) -> bool:
        if any(path != HEAD for path in news.files):
            return True
        if HEAD in news.files and self._workspace.settings.scene.related:
            return True
        if any(path in (ACTIVE, CONFIG) or is_input(path) for path in news.paths):
            return True
        return not unindexed_paths(
            self._workspace.paths, self._workspace.index
        ).isdisjoint(news.paths)

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
        self._note(news)
        # Some editors truncate and then write: a file that just became empty will be
        # filled soon.
        tree = self._workspace.tree
        is_emptied = False
        for path in news.files:
            if tree.hash(path) and not tree.size(path):
                is_emptied = True
        self.debounce.postpone(self._watch_settings(), is_emptied=is_emptied)
        is_early = self.is_early and is_first and not is_emptied
        if is_early and self._is_scene_due():
            with suppress(Exception):  # tried again and reported after the debounce
                self._build(scan_seconds)

    def _watch_settings(self) -> WatchSettings:
        try:
            return self._workspace.settings.watch
        except ConfigurationError:
            return WatchSettings()

    def _is_scene_due(self) -> bool:
        return self.is_due and (self.holds or self._reports.wants_scene())

    def report_changes(self) -> None:
        """Write the scene and report the changes since the last report."""
        self.debounce.reset()
        paths = tuple(sorted(self._paths))
        listing = self._listing
        self._paths = {}
        self._listing = False
        try:
            if self._is_scene_due():
                self._workspace.pause = self._pause
                self._finish()
                self._interrupted = 0
        except CallWaits:
            self.debounce.postpone(self._watch_settings(), is_emptied=False)
        finally:
            self._workspace.pause = lambda: None
            self._reports.on_change(Change(paths=paths, listing=listing))

    def _pause(self) -> None:
        """Raise CallWaits if a call waits, a few times for each scene."""
        if self._interrupted < _MOST_INTERRUPTED and self.is_called():
            self._interrupted += 1
            raise CallWaits

    def take_over(self) -> None:
        was_cold = self._is_cold
        self._is_cold = False
        if not self._take_lock() and not was_cold:
            return
        self._workspace.refresh()
        self._note(self._workspace.take_news())
        self._finish()
        if was_cold:
            self._workspace.counter().load()
            # Exclude the loaded objects from full collections, which would otherwise
            # walk all of them.
            gc.freeze()

    def write_last_scene(self) -> None:
        """Build the scene of files that were written just before the end."""
        self._workspace.begin_call()
        self._workspace.refresh()
        self._note(self._workspace.take_news())
        if self.is_due and (self.holds or self._take_lock()):
            self._finish()


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
    def began(self) -> float:
        """Time of the first change that is awaited; 0 without one."""
        return self._first

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
