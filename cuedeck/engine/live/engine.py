"""Engine of a live workspace: one thread follows its file events, keeps SCENE.md up to
date and answers calls one after another from a loaded index.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from cuedeck.engine.background_exchange import exchange_later
from cuedeck.engine.live.change import (
    Change,
    OnChange,
    Reports,
    error_event,
    event_of,
)
from cuedeck.engine.live.live_workspace import LiveWorkspace
from cuedeck.engine.live.scene_keeper import SceneKeeper
from cuedeck.model.errors import CueDeckError, StorageError, WorkspaceMissing
from cuedeck.model.ports import Json, JsonView
from cuedeck.store.files.log_file import log
from cuedeck.store.files.user_cache import plain_folder
from cuedeck.store.workspace_paths import find_workspace, missing

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths


_TICK_SECONDS = 1.0
_WARM_SECONDS = 0.2
"""Delay of the first tick, so that the first call precedes the first scene."""
_MOST_PATIENCE = 10
"""Limit of the time in which calls delay other work, in times of the patience."""
_LAST_SECONDS = 1.0
"""Time limit of a full scan before the last scene."""

Answer = TypeVar("Answer")
_Call = tuple[Callable[[LiveWorkspace], Any], "Future[Any]"]


class Engine:
    """Answers calls on one workspace and reports its changes, from its own thread."""

    def __init__(
        self,
        paths: WorkspacePaths,
        environ: Mapping[str, str],
        *,
        writes: bool = True,
        is_watcher: bool = False,
        patience_seconds: float = 0.0,
    ) -> None:
        """Create an engine; `start` begins its work.

        Without `writes`, neither SCENE.md nor counts of recalls are written. A watcher
        begins with the scene, and ends if the system reports no changes; otherwise the
        first calls come first. With patience, the work after a change begins when no
        call came for that time, so that it delays no answers.
        """
        self.paths = paths
        self.ended: CueDeckError | None = None
        """Why the engine ended by itself."""
        self._identity = paths.identity
        self._is_watcher = is_watcher
        self._patience = patience_seconds
        self._called_at = 0.0
        """Time of the last answer."""
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        """Calls of other threads, and None to wake the engine."""
        self._workspace = LiveWorkspace(paths, environ, self._wake)
        self._workspace.counts_recalls = writes
        self._closing = threading.Event()
        self._finished = threading.Event()
        self._reports = Reports(self._workspace)
        may_write = writes and paths.is_initialised
        self._scene = SceneKeeper(self._workspace, self._reports, writes=may_write)
        self._scene.is_early = not patience_seconds
        if patience_seconds:
            self._scene.is_called = lambda: not self._calls.empty()
        self._debounce = self._scene.debounce
        self._tick_at = 0.0
        self._is_called = False
        """True once a call was answered: the events of its writes may not have arrived
        yet.
        """
        self._last_until = 0.0
        """Time until which a full scan is allowed during shutdown."""
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def call(self, act: Callable[[LiveWorkspace], Answer]) -> Future[Answer]:
        """Queue `act`. When it runs, it sees everything that was written before then.

        A future that is cancelled earlier is dropped.
        """
        answer: Future[Answer] = Future()
        self._calls.put((act, answer))
        if self._finished.is_set():
            self._reject_queued()
        return answer

    def subscribe(
        self, on_change: OnChange, wants_scene: Callable[[], bool] = lambda: True
    ) -> None:
        """Call `on_change` from the thread of the engine after every change.

        While `wants_scene` returns True, changes of the scene are reported even if
        another process writes SCENE.md.
        """
        self._reports.on_change = on_change
        self._reports.wants_scene = wants_scene

    def log(self, event: JsonView) -> None:
        """Append an event to the log of the workspace. Its secrets must be masked
        already. Callable from any thread.
        """
        log(self.paths, event)

    def is_usable(self) -> bool:
        """Return whether the engine runs and the opened workspace still exists and was
        not replaced by another one.

        A folder without `.cuedeck/` has become a workspace once that exists.
        """
        if self._identity is None or self._finished.is_set():
            return False
        return self.paths.identity == self._identity

    def close(self, patience_seconds: float) -> bool:
        """Stop after the current call and fail the queued ones; return whether the
        thread has ended.
        """
        self._closing.set()
        self.subscribe(lambda change: None, lambda: False)
        self._wake()
        self._thread.join(patience_seconds)
        return not self._thread.is_alive()

    def _wake(self) -> None:
        self._calls.put(None)

    # --- methods of the thread

    def _run(self) -> None:
        try:
            self._open()
            while not self._closing.is_set():
                self._step()
        except WorkspaceMissing as error:
            self._reports.emit(event_of(error))
            self.ended = error
        except StorageError as error:
            self.ended = error
        self._reject_queued()
        with suppress(CueDeckError):
            self._guarded(self._write_last_scene)
            self._guarded(lambda: self._scene.keep_journal(is_last=True))
        with suppress(CueDeckError):
            self._scene.release()
            self._workspace.close()
        self._finished.set()
        self._reject_queued()

    def _open(self) -> None:
        """Follow the events and update the index.

        Raises: StorageError if the system reports no changes to a watcher,
        WorkspaceMissing.
        """
        self._workspace.progress = self._end_scan
        try:
            self._workspace.follow()
        except StorageError:
            if self._is_watcher:
                raise
        if self._is_watcher:
            self._guarded(self._scene.take_over)
            self._guarded(self._report_ready)
        else:
            self._guarded(self._workspace.refresh)
            self._workspace.take_news()
        self._tick_at = time.monotonic() + _WARM_SECONDS

    def _report_ready(self) -> None:
        self._reports.emit(
            {
                "event": "ready",
                "root": self.paths.root,
                "files": self._workspace.index.size(),
                "polling": self._workspace.is_polled,
                "writes": self._scene.holds,
            }
        )

    def _step(self) -> None:
        """Wait for the next call, event or time of work, and handle it. Raises:
        WorkspaceMissing, StorageError if no more events will come.
        """
        if not self._seconds_left() and not self._workspace.is_polled:
            # Events may have arrived during the build.
            self._guarded(self._scene.note_changes)
        if not self._seconds_left():
            self._guarded(self._scene.report_changes)
        if not self._seconds_to_tick():
            self._tick()
        try:
            left = min(self._seconds_to_tick(), self._seconds_left())
            call = self._calls.get(timeout=left)
        except queue.Empty:
            return
        if call is None:
            self._guarded(self._scene.note_changes)
        else:
            self._answer(*call)
            self._guarded(self._scene.note_news)
        if self._workspace.has_lost_events and not self._closing.is_set():
            raise StorageError(
                "the system stopped reporting file changes",
                hint="start the watcher again",
            )

    def _seconds_left(self) -> float:
        """Return the seconds until changes are handled; infinite without any."""
        return self._patient(self._debounce.seconds_left, self._debounce.began)

    def _seconds_to_tick(self) -> float:
        left = max(0.0, self._tick_at - time.monotonic())
        return self._patient(left, self._tick_at)

    def _patient(self, left: float, since: float) -> float:
        """Return the seconds until work may begin that is known since a time."""
        quiet = max(self._called_at, since) + self._patience
        latest = since + self._patience * _MOST_PATIENCE
        return max(left, min(quiet, latest) - time.monotonic())

    def _answer(self, act: Callable[[LiveWorkspace], Any], answer: Future[Any]) -> None:
        """Run a call, unless its future was cancelled."""
        if not answer.set_running_or_notify_cancel():
            return
        if not self.is_usable():
            # A call would recreate parts of the deleted workspace.
            answer.set_exception(missing(self.paths.root))
            return
        self._is_called = True
        self._workspace.begin_answer()
        self._workspace.begin_call()
        try:
            answer.set_result(act(self._workspace))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of the caller
            answer.set_exception(error)
        self._called_at = time.monotonic()

    def _tick(self) -> None:
        self._tick_at = time.monotonic() + _TICK_SECONDS
        exchange_later(self.paths.root)
        self._guarded(self._scene.take_over)
        if self._workspace.is_in_doubt:
            self._guarded(self._scene.note_changes)
        if self._debounce.is_awaited:
            return
        self._guarded(self._scene.keep_journal)
        self._guarded(self._scene.tend_memory)

    def _write_last_scene(self) -> None:
        """Build the scene of files that were written just before the end."""
        if self._is_called or self._debounce.is_awaited:
            self._last_until = time.monotonic() + _LAST_SECONDS
            self._scene.write_last_scene()

    def _end_scan(self, done: int, total: int) -> None:
        """Raise StorageError during shutdown, which ends the scan."""
        if self._closing.is_set() and time.monotonic() >= self._last_until:
            raise _closed_error()

    def _guarded(self, act: Callable[[], object]) -> None:
        """Run an action and report its errors, because one broken file must not end the
        engine.

        Raises: WorkspaceMissing for a deleted workspace; none of its files is
        recreated.
        """
        self._require_workspace()
        try:
            act()
            return
        except CueDeckError as error:
            event = event_of(error)
        except Exception as error:  # noqa: BLE001 - outermost frame: the engine survives internal errors
            message = f"internal error: {type(error).__name__}: {error}"
            event = error_event(message, "the next save tries again", 1000)
        self._require_workspace()
        self._scene.must_report = True
        self._reports.emit(event)

    def _require_workspace(self) -> None:
        """Raise WorkspaceMissing if the workspace was deleted, moved or replaced."""
        if self.is_usable():
            return
        raise WorkspaceMissing(
            f"the workspace {self.paths.root} was deleted or moved",
            hint="`cuedeck init` creates a new one; start the watcher there",
        )

    def _reject_queued(self) -> None:
        while not self._calls.empty():
            with suppress(queue.Empty):
                call = self._calls.get_nowait()
                if call is not None and call[1].set_running_or_notify_cancel():
                    call[1].set_exception(self.ended or _closed_error())


def open_engine(
    start: str,
    environ: Mapping[str, str],
    *,
    writes: bool,
    is_plain: bool = False,
    patience_seconds: float = 0.0,
) -> Engine:
    """Return the engine of the workspace at or above `start`, or with `is_plain` of the
    project folder without one.

    Raises: WorkspaceMissing, StorageError if it cannot be entered.
    """
    try:
        paths = plain_folder(start) if is_plain else find_workspace(start)
        return Engine(
            paths,
            environ,
            writes=writes,
            patience_seconds=patience_seconds,
        )
    except OSError as error:
        raise StorageError(
            f"cannot open {start}: {error.strerror}", hint="check its permissions"
        ) from error


def _closed_error() -> StorageError:
    """Return the error for calls on a workspace that is being closed."""
    return StorageError("the workspace was closed in the meantime", hint="call again")


_CLOSE_SECONDS = 3.0
_CHECK_SECONDS = 1.0


def watch_forever(
    workspace: Workspace,
    report: Callable[[Json], None],
    copy: Callable[[str], str] | None = None,
) -> int:
    """Watch until interrupted or until the workspace is deleted; return the exit code
    of the latter. `copy` gets each new scene and returns a warning.

    SCENE.md is written while no other process writes it, else only read. Raises:
    KeyboardInterrupt, StorageError if the system reports no changes.
    """
    changes: queue.SimpleQueue[Change] = queue.SimpleQueue()
    engine = Engine(workspace.paths, workspace.environ, is_watcher=True)
    engine.subscribe(changes.put)
    engine.start()
    try:
        while engine.ended is None or not changes.empty():
            try:
                change = changes.get(timeout=_CHECK_SECONDS)
            except queue.Empty:
                continue
            if change.event:
                report(dict(change.event))
            if change.text and copy is not None and (warning := copy(change.text)):
                report(error_event(warning))
    finally:
        engine.close(_CLOSE_SECONDS)
    if isinstance(engine.ended, WorkspaceMissing):
        return engine.ended.exit_code
    assert engine.ended is not None
    raise engine.ended
