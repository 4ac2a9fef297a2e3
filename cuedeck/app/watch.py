"""Watch: after every save, SCENE.md is what `cuedeck scene` would write."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from cuedeck.app.deliver import write_idle
from cuedeck.app.scene import Made, Request, build, to_made, write_scene
from cuedeck.model.errors import Ambiguous, ConfigurationError, CueDeckError, Locked
from cuedeck.store.events import FileEvents, Source, gather
from cuedeck.store.lock import locked

if TYPE_CHECKING:
    from cuedeck.app.project import Project

Tell = Callable[[dict[str, Any]], None]
ACTIVE = ".cuedeck/active"
CONFIG = ".cuedeck/config.toml"


def keep_true(
    project: Project, tell: Tell, stopped: Callable[[], bool], copy: Callable[[str], str] | None = None
) -> bool:
    """Watch until `stopped`; tell whether it was ours to do: one watcher a workspace writes SCENE.md."""
    try:
        with locked(project.workspace, "watch", patience_seconds=0):
            events = FileEvents(project.workspace)
            sends = events.start()
            watcher = Watcher(project, tell, copy)
            watcher.prepare()
            tell(
                {"event": "ready", "root": project.workspace.root, "files": project.index.size(), "polling": not sends}
            )
            watcher.run(events, stopped)
            events.stop()
            return True
    except Locked:
        message = "another watcher keeps SCENE.md of this workspace up to date"
        tell({"event": "error", "code": Locked.code, "message": message, "hint": "this one has nothing to do"})
        return False


class Watcher:
    """Keeps SCENE.md true; `tell` gets one event for everything that happens."""

    def __init__(self, project: Project, tell: Tell, copy: Callable[[str], str] | None = None) -> None:
        self._project = project
        self._tell = tell
        self._copy = copy
        self._configured = True

    def prepare(self) -> None:
        """Build the first scene and load what later builds need, the tokenizer in a thread of its own."""
        loading = threading.Thread(target=self._load_tokenizer, name="tokenizer", daemon=True)
        loading.start()
        started = time.perf_counter()
        self._guarded(lambda: self._refresh_all(started))
        loading.join()

    def run(self, source: Source, stopped: Callable[[], bool]) -> None:
        """Answer events until `stopped`."""
        while not stopped():
            first = source.next(1.0)
            if first is not None:
                self.answer(source, first)

    def answer(self, source: Source, first: set[str]) -> None:
        """Answer one burst of events."""
        watch = self._project.settings.watch if self._configured else None
        quiet, longest = (watch.quiet_ms, watch.longest_ms) if watch else (5, 50)
        changed = gather(source, first, quiet, longest, time.monotonic)
        if watch and self._just_emptied(changed):
            # Some editors truncate and then write: the text of a file that just became empty is on its way.
            changed = gather(source, changed, watch.empty_ms, watch.empty_ms, time.monotonic)
        self._guarded(lambda: self._refresh(sorted(changed)))

    def _just_emptied(self, changed: Iterable[str]) -> bool:
        tree, workspace = self._project.tree, self._project.workspace
        for path in changed:
            try:
                if tree.size(path) and not os.path.getsize(workspace.absolute(path)):
                    return True
            except OSError:
                continue
        return False

    def _refresh(self, paths: list[str]) -> None:
        started = time.perf_counter()
        if CONFIG in paths or not self._configured:
            self._project.forget_settings()
            self._configured = True
            self._refresh_all(started)
            return
        changed = self._project.tree.refresh_paths(path for path in paths if path != ACTIVE)
        if changed or ACTIVE in paths:
            self._build([*changed.written, *changed.gone], started)

    def _refresh_all(self, started: float) -> None:
        changed = self._project.refresh()
        self._build([*changed.written, *changed.gone], started)

    def _build(self, changed: list[str], started: float) -> None:
        scanned = time.perf_counter()
        try:
            made: Made = to_made(build(self._project, Request()))
            built = time.perf_counter()
            written = write_scene(self._project, made.text)
        except Ambiguous as error:
            made = write_idle(self._project)
            built, written = time.perf_counter(), bool(made.report["written"])
            self._tell({"event": "error", "code": error.code, "message": error.message, "hint": error.hint})
        ended = time.perf_counter()
        stages = {"scan": scanned - started, "build": built - scanned, "write": ended - built, "all": ended - started}
        milliseconds = {name: round(seconds * 1000, 2) for name, seconds in stages.items()}
        card = made.report["card"]
        self._tell(
            {
                "event": "scene",
                "changed": changed[:100],
                "more": max(0, len(changed) - 100),
                "card": card,
                "ms": milliseconds,
                "tokens": made.report["tokens"],
                "written": written,
            }
        )
        if written and self._copy is not None:
            warning = self._copy(made.text)
            if warning:
                self._tell({"event": "error", "code": 0, "message": warning, "hint": ""})

    def _load_tokenizer(self) -> None:
        try:
            self._project.counter().load()
        except CueDeckError:
            return  # the build meets the same error and tells it

    def _guarded(self, act: Callable[[], None]) -> None:
        """Tell errors and go on: a watcher that dies at a broken file is of no use."""
        try:
            act()
        except CueDeckError as error:
            self._configured = not isinstance(error, ConfigurationError)
            self._tell({"event": "error", "code": error.code, "message": error.message, "hint": error.hint})
        except Exception as error:  # the watch loop outlives a fault of ours; the next save tries again
            self._tell(
                {
                    "event": "error",
                    "code": 1000,
                    "message": f"internal error: {type(error).__name__}: {error}",
                    "hint": "the next save tries again",
                }
            )
