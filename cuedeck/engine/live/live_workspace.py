"""Workspace with an index that follows file-system events: the cost of a refresh is
proportional to the change; and the queue of the calls on it.
"""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cuedeck.engine.workspace import OpenLedgers, Workspace
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import ACTIVE, CONFIG
from cuedeck.model.ports import Progress
from cuedeck.store.files.disk import LARGEST_TOML, look_at
from cuedeck.store.files.file_events import HEAD, MANY, FileEvents
from cuedeck.store.git.head_events import HeadEvents

if TYPE_CHECKING:
    from cuedeck.model.errors import CueDeckError
    from cuedeck.model.ports import Progress
    from cuedeck.store.files.tree import Changed
    from cuedeck.store.workspace_paths import WorkspacePaths


_PATIENCE_SECONDS = 1.0
"""Time to wait for the event of a marker file; after it the whole tree is scanned."""
_DOUBT_SECONDS = 0.2
"""Time in which files may enter a new folder before the system watches it."""


class News(NamedTuple):
    """Changes since the last call of `take_news`."""

    paths: tuple[str, ...]
    """Changed paths, sorted; includes files that are not in the index."""
    files: tuple[str, ...]
    """New, changed and deleted indexed files, sorted, and HEAD."""
    listing: bool
    """Whether files were added, deleted or renamed."""


class LiveWorkspace(Workspace):
    """Open workspace of an engine. All of it belongs to one thread."""

    def __init__(
        self,
        paths: WorkspacePaths,
        environ: Mapping[str, str],
        open_ledgers: OpenLedgers,
        wake: Callable[[], None],
    ) -> None:
        super().__init__(paths, environ, open_ledgers)
        self.progress: Progress | None = None
        """Callback for the progress of a full scan."""
        self._events = FileEvents(paths, wake)
        self._heads = HeadEvents(paths.root, lambda: self._events.add(HEAD))
        self._is_followed = False
        """Whether the system sends the events of every change."""
        self._is_watched = False
        """Whether changes are reported, by events or by polling."""
        self._looked = False
        """Whether the whole tree was scanned."""
        self._is_called = False
        """Whether a call has begun that has not refreshed the index yet."""
        self._settings_fault: ConfigurationError | None = None
        """Why the present `config.toml` is not used, but the last valid one."""
        self._doubt_until = 0.0
        """Time until which, and once after it, the whole tree is scanned; 0 if no event
        may have been missed.
        """
        self._touched: dict[str, None] = {}
        self._files: dict[str, None] = {}
        self._names: object = None

    def follow(self) -> bool:
        """Start following events; return whether moves of HEAD are reported. Without
        events, every refresh scans the whole tree.

        A folder without `.cuedeck/` is not followed, because it has no place for the
        files that mark a call. Raises: StorageError if the system reports no changes.
        """
        if not self.paths.is_initialised:
            return True
        self._is_followed = self._events.start()
        self._is_watched = True
        return self._heads.start(polling=not self._is_followed)

    @property
    def is_polled(self) -> bool:
        """Whether the system sends no events, so that changes are found by polling."""
        return not self._is_followed

    @property
    def has_lost_events(self) -> bool:
        """Whether changes were reported and no more will be."""
        return self._is_watched and self._events.has_ended

    @property
    def is_configured(self) -> bool:
        """Whether the settings could be read, and the present ones are used."""
        return self._settings_fault is None and "settings" in self.__dict__

    def begin_call(self) -> None:
        """Make the next refresh see everything that was written before now."""
        self._is_called = True
        self.is_refreshed = False

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Update the index. Raises: StorageError, ConfigurationError."""
        changed = self._refresh(progress)
        if self._settings_fault is not None:
            raise self._settings_fault.with_traceback(None)
        return changed

    def refresh_for_recall(self) -> tuple[str, ...]:
        """Update the index, with the last valid settings if `config.toml` has become
        invalid; return a note about it.

        Raises: StorageError, ConfigurationError if no settings were valid yet.
        """
        self._refresh(None)
        fault = self._settings_fault
        if fault is None:
            return ()
        return (f"the last valid settings are used: {fault.message}",)

    def _refresh(self, progress: Progress | None) -> Changed:
        try:
            changed = self._look(progress or self.progress)
        except BaseException:
            self._looked = False  # the events were consumed but not applied
            raise
        files = dict.fromkeys((*changed.written, *changed.gone))
        self._touched.update(files)
        self._files.update(files)
        return changed

    def take_news(self) -> News:
        """Return the changes since the last call."""
        paths = tuple(sorted(self._touched))
        files = tuple(sorted(self._files))
        names = self.index.names
        listing = names is not self._names
        self._touched = {}
        self._files = {}
        self._names = names
        return News(paths, files, listing)

    def close(self) -> None:
        """Stop following events and close the workspace."""
        self._heads.stop()
        self._events.stop()
        super().close()

    def _look(self, progress: Progress | None) -> Changed:
        if not self._is_followed:
            self._note(self._events.pending())
            self._reload_if_config_differs()
            return super().refresh(progress)
        was_called = self._is_called
        self._is_called = False
        must_scan = not self._looked
        paths = (
            self._events.settled(_PATIENCE_SECONDS)
            if was_called
            else self._events.pending()
        )
        if paths is None:
            paths = set()
            must_scan = True
        self._note(paths)
        if CONFIG in paths:
            self._reload_settings()
            must_scan = True
        if self._ends_doubt():
            must_scan = True
        if must_scan:
            changed = super().refresh(progress)
            self._looked = True
            return changed
        self.is_refreshed = True
        return self.tree.refresh_paths(
            path for path in paths if path not in (ACTIVE, HEAD)
        )

    def _reload_if_config_differs(self) -> None:
        """Read the settings again if `config.toml` is not as it was read."""
        known = self.__dict__.get("config")
        if known is None:
            return
        present = look_at(self.paths.config, LARGEST_TOML)
        if present != known or self._settings_fault is not None:
            self._reload_settings()

    def _reload_settings(self) -> None:
        """Read the settings again; keep the last valid ones if they cannot be used.

        Raises: ConfigurationError if there are no valid ones.
        """
        known: dict[str, Any] = {}
        for name in ("config", "settings"):
            if name in self.__dict__:
                known[name] = self.__dict__[name]
        self.forget_settings()
        self._settings_fault = None
        try:
            self.settings  # noqa: B018 - parses the file
        except ConfigurationError as error:
            self.__dict__.pop("config", None)
            if "settings" not in known:
                raise
            self.__dict__.update(known)
            self._settings_fault = error

    def _note(self, paths: Iterable[str]) -> None:
        found = dict.fromkeys(paths)
        self._touched.update(found)
        if HEAD in found:
            self._files[HEAD] = None
        if len(found) >= MANY or any(
            os.path.isdir(self.paths.absolute(path)) for path in found
        ):
            self._doubt_until = time.monotonic() + _DOUBT_SECONDS

    @property
    def is_in_doubt(self) -> bool:
        """Whether an event may have been missed since the last scan of the tree."""
        return bool(self._doubt_until)

    def _ends_doubt(self) -> bool:
        """Return whether the tree must be scanned, because of a doubt that ends with
        the first scan after its time.
        """
        doubt = self._doubt_until
        if doubt and time.monotonic() > doubt:
            self._doubt_until = 0.0
        return bool(doubt)


Answer = TypeVar("Answer")


class Job(NamedTuple):
    """Queued call with the future of its answer."""

    act: Callable[[LiveWorkspace], Any]
    answer: Future[Any]

    def run(self, workspace: LiveWorkspace) -> None:
        """Run the call, unless its future was cancelled."""
        if not self.answer.set_running_or_notify_cancel():
            return
        workspace.begin_call()
        try:
            self.answer.set_result(self.act(workspace))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of the caller
            self.answer.set_exception(error)

    def reject(self, reason: CueDeckError) -> None:
        """Fail the call before it runs."""
        if self.answer.set_running_or_notify_cancel():
            self.answer.set_exception(reason)


class CallQueue:
    """Calls of other threads, and their wishes to wake the engine."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()

    def add(self, act: Callable[[LiveWorkspace], Answer]) -> Future[Answer]:
        """Queue a call."""
        answer: Future[Answer] = Future()
        self._queue.put(Job(act, answer))
        return answer

    def wake(self) -> None:
        """Make `next` return None."""
        self._queue.put(None)

    def next(self, timeout_seconds: float) -> Job | None:
        """Return the next call, or None after `wake`. Raises: queue.Empty."""
        return self._queue.get(timeout=timeout_seconds)

    def reject_all(self, reason: CueDeckError) -> None:
        """Fail the queued calls."""
        while not self._queue.empty():
            with suppress(queue.Empty):
                job = self._queue.get_nowait()
                if job is not None:
                    job.reject(reason)
