"""The scene of a watcher: made while more may follow, written and told once it is quiet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from cuedeck.app.scene.build_scene import write_scene
from cuedeck.app.scene.no_active_card import build_or_idle
from cuedeck.app.watch.watch_events import Tell, fault, fault_of
from cuedeck.model.errors import CueDeckError, NoActiveCard

if TYPE_CHECKING:
    from cuedeck.app.sessions.session_journal import SessionJournal
    from cuedeck.app.watch.watch_lock import WatchLock
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.scene_values import Scene
    from cuedeck.store.fs.tree import Changed

Finish = Callable[[], None]
"""Writes and tells a scene that is made."""
_SHOWN = 100


class SceneBuilder:
    """Makes scenes, and knows what changed since the last one that was written, or told by who only reads."""

    def __init__(
        self, project: Workspace, diary: SessionJournal, lock: WatchLock, tell: Tell, copy: Callable[[str], str] | None
    ) -> None:
        self._project = project
        self._diary = diary
        self._lock = lock
        self._tell = tell
        self._copy = copy
        self._last = ""
        """Text of the last scene."""
        self.changed: dict[str, None] = {}
        """Paths that changed since the last scene that was written."""
        self.is_owed = False
        """True while the last build did not come to its end."""
        self.is_configured = True
        """False from settings that cannot be read to the next scene that is written."""
        self.has_failed = False
        """True from an error to the next scene, which is reported even when it is unchanged."""
        self._was_reader = False
        """True when another process wrote SCENE.md at the last scene."""

    def note(self, changed: Changed) -> None:
        """Remember what changed until a scene that knows of it is written."""
        self.changed |= dict.fromkeys((*changed.written, *changed.gone))

    def make(self, started: float) -> Finish:
        """Make the scene; return what writes and tells it."""
        scanned = time.perf_counter()
        self.is_owed = True
        scene, trouble = build_or_idle(self._project)
        seconds = {"scan": scanned - started, "build": time.perf_counter() - scanned}
        return lambda: self._finish(scene, seconds, trouble)

    def load_tokenizer(self) -> threading.Thread | None:
        """Begin to load what counts tokens, in a thread of its own."""
        try:
            counter = self._project.counter()
        except CueDeckError:
            return None  # the build meets the same error and tells it

        def load() -> None:
            try:
                counter.load()
            except CueDeckError:
                return

        thread = threading.Thread(target=load, name="tokenizer", daemon=True)
        thread.start()
        return thread

    def _finish(self, scene: Scene, seconds: dict[str, float], trouble: NoActiveCard | None) -> None:
        started, writes = time.perf_counter(), self._lock.is_held
        written = writes and write_scene(self._project, scene.text)
        seconds["write"] = time.perf_counter() - started
        seconds["all"] = sum(seconds.values())
        changed = list(self.changed)
        if writes:
            self._diary.note(changed, scene)
        self.changed.clear()
        is_new = written or (not writes and scene.text != self._last)
        is_reported = is_new or self.has_failed or (writes and self._was_reader)
        self.is_owed, self.is_configured, self.has_failed = False, True, False
        self._last, self._was_reader = scene.text, not writes
        if is_reported:
            self._report(scene, changed, seconds, trouble, written=written)
        warning = self._copy(scene.text) if is_new and self._copy is not None else ""
        if warning:
            self._tell(fault(warning))
        self._project.counter().save()

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
            self._tell(fault_of(trouble))
        self._tell(
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
