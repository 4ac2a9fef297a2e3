"""An engine without a thread: a scripted source of events, real files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandbox import Sandbox

from cuedeck.engine.live.change import Change
from cuedeck.engine.live.engine import Engine
from cuedeck.store.workspace_paths import WorkspacePaths


class ScriptedEvents:
    """Events that a test reports."""

    has_ended = False

    def __init__(self) -> None:
        self.changed: set[str] = set()

    def start(self, *, polling: bool = False) -> bool:
        return True

    def stop(self) -> None:
        """Do nothing."""

    def pending(self) -> set[str]:
        changed, self.changed = self.changed, set()
        return changed

    def settled(self, patience_seconds: float) -> set[str]:
        return self.pending()


class SteppedEngine:
    """An engine that keeps SCENE.md, and its reports."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.reports: list[dict[str, Any]] = []
        self.texts: list[str] = []
        paths = WorkspacePaths(str(sandbox.root))
        self.engine = Engine(paths, sandbox.environ, is_watcher=True)
        self._events = ScriptedEvents()
        workspace: Any = self.engine._workspace
        workspace._events = self._events
        self.engine.subscribe(self._report)
        self.engine._open()
        assert self.reports.pop()["event"] == "ready"

    def _report(self, change: Change) -> None:
        if change.event:
            self.reports.append(dict(change.event))
        if change.text:
            self.texts.append(change.text)

    def burst(self, *paths: str) -> list[dict[str, Any]]:
        """Process one burst of events; return the reports about it."""
        self.reports.clear()
        self.notice(*paths)
        return self.finish()

    def notice(self, *paths: str) -> None:
        """Process events, more of which follow."""
        self._events.changed.update(paths)
        self._act(self.engine._scene.note_changes)

    def finish(self) -> list[dict[str, Any]]:
        """End the wait for more events; return the reports."""
        if self.engine._debounce.is_awaited:
            self._act(self.engine._scene.note_changes)
            self._act(self.engine._scene.report_changes)
        return list(self.reports)

    def idle(self) -> list[dict[str, Any]]:
        """Do the work of a second without events; return the reports."""
        self.reports.clear()
        self.engine._tick()
        return self.finish()

    def close(self) -> None:
        self.engine._workspace.close()

    def _act(self, act: Callable[[], object]) -> None:
        self.engine._guarded(act)
