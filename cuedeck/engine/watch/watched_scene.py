"""Scene builder of a watcher: builds while more events may follow, writes and reports
after the debounce time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from cuedeck.context.scene.build_scene import write_scene
from cuedeck.context.scene.no_active_card import build_or_idle
from cuedeck.engine.watch.watch_events import Report, fault, fault_of
from cuedeck.model.errors import CueDeckError, NoActiveCard

if TYPE_CHECKING:
    from cuedeck.engine.watch.watch_lock import WatchLock
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.scene_values import Scene
    from cuedeck.store.files.tree import Changed
    from cuedeck.work.sessions.session_journal import SessionJournal

Finish = Callable[[], None]
"""Writes and reports a built scene."""
_SHOWN = 100


class SceneBuilder:
    """Builds scenes and collects the paths that changed since the last one written or,
    without the lock, reported.
    """

    def __init__(
        self,
        workspace: Workspace,
        journal: SessionJournal,
        lock: WatchLock,
        report: Report,
        copy: Callable[[str], str] | None,
    ) -> None:
        self._workspace = workspace
        self._journal = journal
        self._lock = lock
        self._emit = report
        self._copy = copy
        self._last = ""
        """Text of the last scene."""
        self.changed: dict[str, None] = {}
        """Paths that changed since the last finished scene."""
        self.is_incomplete = False
        """Whether the last build was not completed."""
        self.is_configured = True
        """False from invalid settings until the next finished scene."""
        self.has_failed = False
        """True from an error until the next scene, which is then reported even if it is
        unchanged.
        """
        self._was_reader = False
        """Whether another process wrote SCENE.md at the last scene."""

    def note(self, changed: Changed) -> None:
        """Remember changed paths until a scene that includes them is finished."""
        self.changed |= dict.fromkeys((*changed.written, *changed.gone))

    def make(self, started: float) -> Finish:
        """Build the scene; return the function that writes and reports it."""
        scanned = time.perf_counter()
        self.is_incomplete = True
        scene, trouble = build_or_idle(self._workspace)
        seconds = {"scan": scanned - started, "build": time.perf_counter() - scanned}
        return lambda: self._finish(scene, seconds, trouble)

    def load_tokenizer(self) -> threading.Thread | None:
        """Start loading the tokenizer in a separate thread; return the thread."""
        try:
            counter = self._workspace.counter()
        except CueDeckError:
            return None  # the build meets and reports the same error

        def load() -> None:
            try:
                counter.load()
            except CueDeckError:
                return

        thread = threading.Thread(target=load, name="tokenizer", daemon=True)
        thread.start()
        return thread

    def _finish(
        self, scene: Scene, seconds: dict[str, float], trouble: NoActiveCard | None
    ) -> None:
        started = time.perf_counter()
        writes = self._lock.is_held
        written = writes and write_scene(self._workspace, scene.text)
        seconds["write"] = time.perf_counter() - started
        seconds["all"] = sum(seconds.values())
        changed = list(self.changed)
        if writes:
            self._journal.note(changed, scene)
        self.changed.clear()
        is_new = written or (not writes and scene.text != self._last)
        is_reported = is_new or self.has_failed or (writes and self._was_reader)
        self.is_incomplete = False
        self.is_configured = True
        self.has_failed = False
        self._last = scene.text
        self._was_reader = not writes
        if is_reported:
            self._report(scene, changed, seconds, trouble, written=written)
        if is_new and self._copy is not None:
            warning = self._copy(scene.text)
            if warning:
                self._emit(fault(warning))
        self._workspace.counter().save()

    def _report(
        self,
        scene: Scene,
        changed: list[str],
        seconds: dict[str, float],
        trouble: NoActiveCard | None,
        *,
        written: bool,
    ) -> None:
        if trouble is not None:
            self._emit(fault_of(trouble))
        self._emit(
            {
                "event": "scene",
                "changed": changed[:_SHOWN],
                "more": max(0, len(changed) - _SHOWN),
                "card": scene.card or None,
                "ms": {name: round(each * 1000, 2) for name, each in seconds.items()},
                "tokens": scene.tokens,
                "written": written,
                "writes": self._lock.is_held,
            }
        )
