"""Watch: after every save, and after every move of HEAD, SCENE.md is what `cuedeck scene` would write.

A SCENE.md that somebody deletes or edits starts no build; the next build restores it.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from cuedeck.app.active import NoActiveCard
from cuedeck.app.assumptions import reading as assumptions
from cuedeck.app.blocks.state import is_input
from cuedeck.app.masking import mask_value
from cuedeck.app.memory.tending import Tending
from cuedeck.app.scene import Request, build, build_idle, write_scene
from cuedeck.app.sessions.diary import Diary
from cuedeck.model.errors import ConfigurationError, CueDeckError, Locked
from cuedeck.model.settings import WatchSettings
from cuedeck.store.events import FileEvents, Source, gather
from cuedeck.store.history.events import HeadEvents
from cuedeck.store.lock import locked

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.scene import Scene
    from cuedeck.store.tree import Changed

Tell = Callable[[dict[str, Any]], None]
Finish = Callable[[], None]
"""Writes and tells a scene that is made."""
ACTIVE = ".cuedeck/active"
CONFIG = ".cuedeck/config.toml"
HEAD = ".git/HEAD"
"""Stands for a HEAD that moved, wherever the repository keeps it; no file of this name is ever read."""
_IDLE_SECONDS = 1.0
_MANY = 100
"""Paths in one burst after which the tree is looked at once more: the system may have dropped events."""
_SHOWN = 100


def keep_true(project: Project, tell: Tell, copy: Callable[[str], str] | None = None) -> bool:
    """Watch until interrupted; False when another watcher does: one a workspace writes SCENE.md.

    Raises: KeyboardInterrupt, StorageError when the system no longer tells of changes.
    """
    try:
        with locked(project.workspace, "watch", patience_seconds=0):
            events = FileEvents(project.workspace)
            heads = HeadEvents(project.workspace.root, lambda: events.add(HEAD))
            sends = events.start()
            try:
                if not heads.start(polling=not sends):
                    message = "the system does not tell of commits and checkouts"
                    tell({"event": "error", "code": 0, "message": message, "hint": "the next save counts them"})
                watcher = Watcher(project, tell, copy)
                watcher.prepare()
                gc.freeze()  # what is loaded by now stays; without it each full collection walks over all of it
                root, files = project.workspace.root, project.index.size()
                tell({"event": "ready", "root": root, "files": files, "polling": not sends})
                try:
                    while True:
                        watcher.step(events)
                finally:
                    watcher.close()
            finally:
                heads.stop()
                events.stop()
    except Locked:
        message = "another watcher keeps SCENE.md of this workspace up to date"
        tell({"event": "error", "code": Locked.code, "message": message, "hint": "this one has nothing to do"})
        return False


class Watcher:
    """Keeps SCENE.md true; `tell` gets one event for everything that happens."""

    def __init__(self, project: Project, tell: Tell, copy: Callable[[str], str] | None = None) -> None:
        self._project = project
        self._tell_masked = tell
        self._copy = copy
        self._configured = True
        self._changed: dict[str, None] = {}
        """Paths that changed since the last scene that was written."""
        self._owing = False
        """True while the last build did not come to its end."""
        self._unsure = False
        """True when events may have been missed."""
        self._failed = False
        """True when the last attempt to make a scene failed."""
        self._diary = Diary(project)
        self._tending = Tending(project)

    def prepare(self) -> None:
        """Build the first scene and load what later builds need, the tokenizer in a thread of its own."""
        loading = self._load_tokenizer()
        self._guarded(self._catch_up)
        if loading is not None:
            loading.join()

    def step(self, source: Source) -> None:
        """Wait for the next burst of events and answer it."""
        first = source.next(_IDLE_SECONDS)
        if first:
            self.answer(source, first)
            return
        if self._unsure:
            self._unsure = False
            self._guarded(self._look_again)
        self._guarded(self._keep_diary)
        if self._configured:
            self._guarded(self._tend_memory)

    def close(self) -> None:
        """Keep what was noted of the session."""
        self._guarded(self._keep_last)

    def _keep_last(self) -> None:
        self._diary.keep()

    def _keep_diary(self) -> None:
        """While nothing happens, note for the open session what was written; a checkpoint may change the scene."""
        if self._diary.keep():
            self._make(time.perf_counter())()

    def _tend_memory(self) -> None:
        """While nothing happens, have done what is due for memory; tell what was."""
        told = self._tending.step()
        if told is not None:
            self._tell({"event": "memory", **told})

    def answer(self, source: Source, first: set[str]) -> None:
        """Answer one burst of events.

        The scene is made while it is still open whether more follows, and written once it is quiet; what
        follows makes it anew. So a save waits for the quiet or for the work, not for both.
        """
        since = time.monotonic()
        watch = self._project.settings.watch if self._configured else WatchSettings()
        emptied = self._just_emptied(first)
        finish = None if emptied else self._attempt(first)
        # Some editors truncate and then write: the text of a file that just became empty is on its way.
        quiet, longest = (watch.empty_ms, watch.empty_ms) if emptied else (watch.quiet_ms, watch.longest_ms)
        followed = gather(source, quiet, longest, time.monotonic, since)
        if not emptied and self._just_emptied(followed):
            followed |= gather(source, watch.empty_ms, watch.empty_ms, time.monotonic, time.monotonic())
        # The same paths again may be the same save told twice, or another one.
        if finish is None or self._failed or (followed and self._matters(followed)):
            finish = self._attempt(first | followed)
        # What is put into a new folder before the system watches it is not told, nor what comes too fast.
        changed = first | followed
        self._unsure = self._unsure or len(changed) >= _MANY or any(map(self._is_folder, changed))
        self._guarded(finish)

    def _matters(self, paths: set[str]) -> bool:
        """Tell whether paths that were told while a scene was made ask for another one."""
        if not paths.isdisjoint((ACTIVE, CONFIG, HEAD)) or self._are_inputs(paths):
            return True
        try:
            changed = self._project.tree.refresh_paths(paths)
        except CueDeckError:
            return True
        self._note(changed)
        return bool(changed)

    def _attempt(self, paths: set[str]) -> Finish:
        """Make the scene; what goes wrong is raised by the finish, when it is known to matter."""
        try:
            self._failed = False
            return self._refresh(sorted(paths))
        except Exception as error:  # see `_guarded`, which gets it
            self._failed = True
            failure = error

            def fail() -> None:
                raise failure

            return fail

    def _are_inputs(self, paths: Iterable[str]) -> bool:
        """Tell whether a block of the scene is made of one of these files, which are none of the tree."""
        return any(map(is_input, paths)) or not assumptions.named(self._project).isdisjoint(paths)

    def _is_folder(self, path: str) -> bool:
        return os.path.isdir(self._project.workspace.absolute(path))

    def _just_emptied(self, changed: Iterable[str]) -> bool:
        tree, workspace = self._project.tree, self._project.workspace
        for path in changed:
            try:
                if tree.size(path) and not os.path.getsize(workspace.absolute(path)):
                    return True
            except OSError:
                continue
        return False

    def _refresh(self, paths: list[str]) -> Finish:
        started = time.perf_counter()
        if CONFIG in paths or not self._configured:
            self._project.forget_settings()
            return self._refresh_all(started)
        self._note(self._project.tree.refresh_paths(path for path in paths if path not in (ACTIVE, HEAD)))
        if HEAD in paths and self._project.settings.scene.related:
            self._changed[HEAD] = None
        if self._changed or ACTIVE in paths or self._owing or self._are_inputs(paths):
            return self._make(started)
        return _nothing

    def _catch_up(self) -> None:
        self._refresh_all(time.perf_counter())()

    def _refresh_all(self, started: float) -> Finish:
        self._note(self._project.refresh())
        return self._make(started)

    def _look_again(self) -> None:
        started = time.perf_counter()
        self._note(self._project.refresh())
        if self._changed:
            self._make(started)()

    def _note(self, changed: Changed) -> None:
        """Remember what changed until a scene that knows of it is written."""
        self._changed |= dict.fromkeys((*changed.written, *changed.gone))

    def _make(self, started: float) -> Finish:
        """Make the scene; return what writes and tells it."""
        scanned = time.perf_counter()
        self._owing = True
        trouble: NoActiveCard | None = None
        try:
            scene = build(self._project, Request())
        except NoActiveCard as error:
            trouble = error
            scene = build_idle(self._project)
        seconds = {"scan": scanned - started, "build": time.perf_counter() - scanned}
        return lambda: self._finish(scene, seconds, trouble)

    def _finish(self, scene: Scene, seconds: dict[str, float], trouble: NoActiveCard | None) -> None:
        started = time.perf_counter()
        written = write_scene(self._project, scene.text)
        seconds["write"] = time.perf_counter() - started
        seconds["all"] = sum(seconds.values())
        changed = list(self._changed)
        # A checkout writes files, too; nobody worked on them.
        self._diary.note(() if HEAD in changed else changed, scene)
        self._changed.clear()
        self._owing, self._configured = False, True
        if trouble is not None:
            self._tell(_error(trouble))
        self._tell(
            {
                "event": "scene",
                "changed": changed[:_SHOWN],
                "more": max(0, len(changed) - _SHOWN),
                "card": scene.card or None,
                "ms": {name: round(each * 1000, 2) for name, each in seconds.items()},
                "tokens": scene.tokens,
                "written": written,
            }
        )
        warning = self._copy(scene.text) if written and self._copy is not None else ""
        if warning:
            self._tell({"event": "error", "code": 0, "message": warning, "hint": ""})
        self._project.counter().save()

    def _tell(self, event: dict[str, Any]) -> None:
        self._tell_masked(mask_value(event, self._project))

    def _load_tokenizer(self) -> threading.Thread | None:
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

    def _guarded(self, act: Callable[[], None]) -> None:
        """Tell errors and go on: a watcher that dies at a broken file is of no use."""
        try:
            act()
        except CueDeckError as error:
            self._configured = self._configured and not isinstance(error, ConfigurationError)
            self._tell(_error(error))
        except BrokenPipeError:
            raise  # nobody listens any more
        except Exception as error:  # the watch loop outlives a fault of ours; the next save tries again
            message = f"internal error: {type(error).__name__}: {error}"
            self._tell({"event": "error", "code": 1000, "message": message, "hint": "the next save tries again"})


def _nothing() -> None:
    """Finish what needs no writing."""


def _error(error: CueDeckError) -> dict[str, Any]:
    return {"event": "error", "code": error.code, "message": error.message, "hint": error.hint}
