"""Reaction of a watcher to bursts of events, and its idle work."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from cuedeck.context.blocks.blocks_fingerprint import is_input
from cuedeck.engine.mask_answers import mask_value
from cuedeck.engine.watch.watch_events import Report, fault, fault_of
from cuedeck.engine.watch.watch_lock import WatchLock
from cuedeck.engine.watch.watched_scene import Finish, SceneBuilder
from cuedeck.knowledge.memory.maintenance_thread import BackgroundMaintenance
from cuedeck.model.errors import ConfigurationError, CueDeckError, WorkspaceMissing
from cuedeck.model.paths import ACTIVE, CONFIG
from cuedeck.model.settings_schema import WatchSettings
from cuedeck.store.files.file_events import HEAD, MANY, Source, gather
from cuedeck.store.files.fingerprint import print_of
from cuedeck.work.assumptions import load_assumptions as assumptions
from cuedeck.work.sessions.session_journal import SessionJournal

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_IDLE_SECONDS = 1.0


class Watcher:
    """Keeps SCENE.md up to date unless another process does. Calls `report` with every
    event.
    """

    def __init__(
        self,
        workspace: Workspace,
        report: Report,
        copy: Callable[[str], str] | None = None,
    ) -> None:
        self._workspace = workspace
        self._home = workspace.paths.identity
        self._emit_masked = report
        self._unsure = False
        """Whether events may have been missed."""
        self._failed = False
        """Whether the last attempt to build a scene failed."""
        self._journal = SessionJournal(workspace)
        self._lock = WatchLock(workspace.paths)
        self._builder = SceneBuilder(
            workspace, self._journal, self._lock, self._emit, copy
        )
        self._maintenance = BackgroundMaintenance(workspace)

    @property
    def writes(self) -> bool:
        """Whether this process writes SCENE.md."""
        return self._lock.is_held

    def prepare(self) -> None:
        """Build the first scene and load what later builds need. The tokenizer loads in
        a thread of its own.

        Raises: StorageError if the lock cannot be created.
        """
        self._lock.take()
        loading = self._builder.load_tokenizer()
        self._guarded(self._catch_up)
        if loading is not None:
            loading.join()

    def step(self, source: Source) -> None:
        """Wait for the next burst of events and handle it. First try to take over from
        a writer that has ended.

        Raises: WorkspaceMissing if the workspace was deleted, StorageError if no more
        events will come.
        """
        self._guarded(self._take_over)
        try:
            first = source.next(_IDLE_SECONDS)
        finally:
            self._require_workspace()
        if first:
            self.answer(source, first)
            return
        if self._unsure:
            self._unsure = False
            self._guarded(self._look_again)
        if not self.writes:
            return
        self._guarded(self._save_journal)
        if self._builder.is_configured:
            self._guarded(self._tend_memory)

    def close(self) -> None:
        """Save the session journal and release the lock."""
        try:
            if self.writes and self._is_there():
                self._guarded(self._keep_last)
        finally:
            self._lock.release()

    def _is_there(self) -> bool:
        """Return whether the opened workspace still exists and was not replaced by
        another one.
        """
        return self._workspace.paths.identity == self._home

    def _require_workspace(self) -> None:
        """Raise WorkspaceMissing if the workspace was deleted or moved."""
        if not self._is_there():
            message = f"the workspace {self._workspace.paths.root} was deleted or moved"
            raise WorkspaceMissing(
                message,
                hint="`cuedeck init` creates a new one; start the watcher there",
            )

    def _take_over(self) -> None:
        if self._lock.take():
            self._catch_up()

    def _keep_last(self) -> None:
        self._journal.keep()

    def _save_journal(self) -> None:
        """Save the session journal while idle. Its checkpoint may change the scene."""
        if self._journal.keep():
            self._builder.make(time.perf_counter())()

    def _tend_memory(self) -> None:
        """Run due memory maintenance while idle and report it."""
        result = self._maintenance.step()
        if result is not None:
            self._emit({"event": "memory", **result})

    def answer(self, source: Source, first: set[str]) -> None:
        """Handle one burst of events.

        The scene is built while more events may follow, and written after the debounce
        time. Further changes start another build. So a save waits for the debounce time
        or for the build, not for the sum of both.
        """
        since = time.monotonic()
        watch = WatchSettings()
        if self._builder.is_configured:
            watch = self._workspace.settings.watch
        # Some editors truncate and then write: a file that just became empty will be
        # filled soon.
        emptied = self._just_emptied(first)
        if emptied:
            finish = None
            followed = gather(
                source, watch.empty_ms, watch.empty_ms, time.monotonic, since
            )
        else:
            finish = self._attempt(first)
            followed = gather(
                source, watch.quiet_ms, watch.longest_ms, time.monotonic, since
            )
            if self._just_emptied(followed):
                followed |= gather(
                    source,
                    watch.empty_ms,
                    watch.empty_ms,
                    time.monotonic,
                    time.monotonic(),
                )
        changed = first | followed
        # Repeated paths may be a second event of the same save, or another save.
        if finish is None or self._failed or (followed and self._matters(followed)):
            finish = self._attempt(changed)
        # Files put into a new folder before the system watches it cause no event, and a
        # flood of events may lose some.
        if len(changed) >= MANY or any(map(self._is_folder, changed)):
            self._unsure = True
        self._guarded(finish)

    def _matters(self, paths: set[str]) -> bool:
        """Return whether paths that changed during a build require another one."""
        if not paths.isdisjoint((ACTIVE, CONFIG, HEAD)) or self._are_inputs(paths):
            return True
        try:
            changed = self._workspace.tree.refresh_paths(paths)
        except CueDeckError:
            return True
        self._builder.note(changed)
        return bool(changed)

    def _attempt(self, paths: set[str]) -> Finish:
        """Build the scene. The returned function raises an error of the build, once the
        error is known to matter.
        """
        try:
            self._failed = False
            return self._refresh(sorted(paths))
        except Exception as error:  # `_guarded` handles it
            self._failed = True
            failure = error

            def fail() -> None:
                raise failure

            return fail

    def _are_inputs(self, paths: Iterable[str]) -> bool:
        """Return whether one of these files outside the tree is an input of a scene
        block.
        """
        return any(map(is_input, paths)) or not assumptions.unindexed_paths(
            self._workspace
        ).isdisjoint(paths)

    def _is_folder(self, path: str) -> bool:
        return os.path.isdir(self._workspace.paths.absolute(path))

    def _just_emptied(self, changed: Iterable[str]) -> bool:
        tree, workspace = self._workspace.tree, self._workspace.paths
        for path in changed:
            found = None
            if tree.size(path):
                found = print_of(workspace.absolute(path))
            if found is not None and not found.size:
                return True
        return False

    def _refresh(self, paths: list[str]) -> Finish:
        started = time.perf_counter()
        if CONFIG in paths or not self._builder.is_configured:
            self._workspace.forget_settings()
            return self._refresh_all(started)
        self._builder.note(
            self._workspace.tree.refresh_paths(
                path for path in paths if path not in (ACTIVE, HEAD)
            )
        )
        if HEAD in paths and self._workspace.settings.scene.related:
            self._builder.changed[HEAD] = None
        if (
            self._builder.changed
            or ACTIVE in paths
            or self._builder.is_incomplete
            or self._are_inputs(paths)
        ):
            return self._builder.make(started)
        return _nothing

    def _catch_up(self) -> None:
        self._refresh_all(time.perf_counter())()

    def _refresh_all(self, started: float) -> Finish:
        self._builder.note(self._workspace.refresh())
        return self._builder.make(started)

    def _look_again(self) -> None:
        started = time.perf_counter()
        self._builder.note(self._workspace.refresh())
        if self._builder.changed:
            self._builder.make(started)()

    def _emit(self, event: dict[str, Any]) -> None:
        self._emit_masked(mask_value(event, self._workspace))

    def _guarded(self, act: Callable[[], None]) -> None:
        """Run an action and report its errors, because one broken file must not end the
        watcher.

        Raises: WorkspaceMissing for a deleted workspace; none of its files is
        recreated.
        """
        self._require_workspace()
        try:
            act()
        except CueDeckError as error:
            self._require_workspace()
            self._builder.is_configured = (
                self._builder.is_configured
                and not isinstance(error, ConfigurationError)
            )
            self._builder.has_failed = True
            self._emit(fault_of(error))
        except BrokenPipeError:
            raise  # the reader of the output has gone
        except Exception as error:  # outermost frame: the loop survives internal errors; the next save tries again
            self._require_workspace()
            self._builder.has_failed = True
            message = f"internal error: {type(error).__name__}: {error}"
            self._emit(fault(message, "the next save tries again", 1000))


def _nothing() -> None:
    """Do nothing: the finish of a refresh without changes."""
