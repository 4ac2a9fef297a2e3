"""Worker thread of a workspace that answers calls one after another from a loaded
index.
"""

from __future__ import annotations

import gc
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cuedeck.engine.mask_answers import mask_value
from cuedeck.engine.server.live_workspace import LiveWorkspace
from cuedeck.engine.server.scene_writer import SceneWriter
from cuedeck.engine.workspace_at import open_ledgers
from cuedeck.model.errors import CueDeckError, StorageError
from cuedeck.model.ports import Progress
from cuedeck.store.files.log_file import log
from cuedeck.store.plain_folder import plain_folder
from cuedeck.store.workspace_paths import find_workspace, missing

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

_TICK_SECONDS = 1.0
_WARM_SECONDS = 0.2
"""Delay after the start, so that the first call precedes the first scene."""
_PROGRESS_SECONDS = 0.1
"""Minimal time between two progress reports of a full scan."""
_LAST_SECONDS = 1.0
"""Time limit of a full scan before the last scene."""

Answer = TypeVar("Answer")


class Worker:
    """Answers calls on one workspace. Its thread calls `notify` after a change."""

    def __init__(
        self,
        paths: WorkspacePaths,
        environ: Mapping[str, str],
        notify: Callable[[Changes], None],
        *,
        writes: bool,
    ) -> None:
        self.workspace = paths
        self._identity = paths.identity
        self._is_watched = False
        """Whether a client wants to know when the scene changes."""
        self._notify = notify
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._waiting: dict[int, Progress] = {}
        self._workspace = LiveWorkspace(
            paths, environ, open_ledgers, lambda: self._queue.put(None)
        )
        self._workspace.counts_recalls = writes
        self._scene_writer = SceneWriter(
            self._workspace, writes=writes and paths.is_initialised
        )
        self._closing = threading.Event()
        self._reported_at = 0.0
        self._debounce = Debounce()
        self._idle_at = time.monotonic() + _WARM_SECONDS
        """Time of the next idle work; the first one builds the first scene."""
        self._is_cold = True
        """True until the first scene is built, which loads many modules."""
        self._is_called = False
        """True once a call was answered: the events of its writes may not have arrived
        yet.
        """
        self._is_behind = False
        """True if something changed while another process wrote SCENE.md."""
        self._last_until = 0.0
        """Time until which a full scan is allowed during shutdown."""
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    def ask(
        self, act: Callable[[LiveWorkspace], Answer], progress: Progress | None = None
    ) -> Future[Answer]:
        """Queue `act`. When it runs, it sees everything that was written before then.

        A future that is cancelled earlier is dropped. `progress` is called from another
        thread.
        """
        answer: Future[Answer] = Future()
        if progress is not None:
            self._waiting[id(answer)] = progress
            answer.add_done_callback(lambda done: self._waiting.pop(id(done), None))
        self._queue.put(Job(act, answer))
        return answer

    def watch_scene(self, is_watched: bool) -> None:
        """Start or stop reporting changes of the scene."""
        if is_watched and not self._is_watched:
            self.ask(lambda workspace: self._scene_writer.make(()))
        self._is_watched = is_watched

    def log(self, event: Mapping[str, Any]) -> None:
        """Append an event to the log of the workspace. Its secrets must be masked
        already. Callable from any thread.
        """
        log(self.workspace, event)

    def workspace_exists(self) -> bool:
        """Return whether the opened workspace still exists and was not replaced by
        another one.

        A folder without `.cuedeck/` has become a workspace once that exists.
        """
        if self._identity is None:
            return False
        return self.workspace.identity == self._identity

    def close(self, patience_seconds: float) -> bool:
        """Stop after the current call and fail the queued ones; return whether the
        thread has ended.
        """
        self._closing.set()
        self._queue.put(None)
        self._thread.join(patience_seconds)
        if self._thread.is_alive():
            return False
        self._reject_queued()
        return True

    # --- methods of the worker thread

    def _run(self) -> None:
        self._guarded(self._open)
        while not self._closing.is_set():
            if self._debounce.is_due:
                self._guarded(self._write_scene)
            if time.monotonic() >= self._idle_at:
                self._idle_at = time.monotonic() + _TICK_SECONDS
                self._guarded(self._run_idle_work)
            try:
                job = self._queue.get(timeout=self._pause())
            except queue.Empty:
                continue
            if job is not None:
                self._do(job)
            if job is None or self._workspace.has_news:
                self._debounce.postpone()
        self._end()

    def _do(self, job: Job) -> None:
        if not self.workspace_exists():
            # A call would recreate parts of the deleted workspace.
            return job.reject(missing(self.workspace.root))
        self._is_called = True
        return job.run(self._workspace)

    def _open(self) -> None:
        self._workspace.progress = self._report
        self._workspace.follow()
        self._workspace.refresh()
        self._workspace.take_news()

    def _end(self) -> None:
        self._reject_queued()
        self._guarded(self._write_last_scene)
        self._guarded(self._scene_writer.close)
        with suppress(CueDeckError):
            self._workspace.close()

    def _reject_queued(self) -> None:
        """Fail the queued calls."""
        while not self._queue.empty():
            job = self._queue.get()
            if job is not None:
                job.reject(closed_error())

    def _pause(self) -> float:
        left = max(0.0, self._idle_at - time.monotonic())
        return (
            min(left, self._debounce.seconds_left)
            if self._debounce.is_awaited
            else left
        )

    def _write_scene(self) -> None:
        self._debounce.reset()
        self._workspace.refresh()
        news = self._workspace.take_news()
        wanted = self._scene_writer.holds or self._is_watched
        self._is_behind |= bool(news.paths) and not self._scene_writer.holds
        scene = False
        try:
            scene = bool(news.paths) and wanted and self._scene_writer.make(news.files)
        finally:
            if news.paths:
                self._notify(Changes(news.paths, news.listing, scene))

    def _run_idle_work(self) -> None:
        was_cold, self._is_cold = self._is_cold, False
        if (
            self._scene_writer.take_over()
            or was_cold
            or self._scene_writer.run_idle_work()
        ):
            self._scene_writer.make(())
            self._is_behind = not self._scene_writer.holds
        if was_cold:
            # exclude the loaded objects from full collections, which would otherwise
            # walk all of them
            gc.freeze()

    def _write_last_scene(self) -> None:
        """Build the scene of files that were written just before the end."""
        if not (self._is_called or self._debounce.is_awaited):
            return
        self._last_until = time.monotonic() + _LAST_SECONDS
        self._workspace.begin_call()
        self._workspace.refresh()
        news = self._workspace.take_news()
        if (news.paths or self._is_behind) and (
            self._scene_writer.holds or self._scene_writer.take_over()
        ):
            self._scene_writer.make(news.files)

    def _report(self, done: int, total: int) -> None:
        """Report the progress of a scan to waiting calls. Raises: StorageError during
        shutdown, which ends the scan.
        """
        now = time.monotonic()
        if self._closing.is_set() and now >= self._last_until:
            raise closed_error()
        if now - self._reported_at < _PROGRESS_SECONDS and done < total:
            return
        self._reported_at = now
        for progress in list(self._waiting.values()):
            progress(done, total)

    def _guarded(self, act: Callable[[], object]) -> None:
        """Run an action and report its errors, because one broken file must not end the
        server.

        Does nothing if the workspace was deleted.
        """
        try:
            if self.workspace_exists():
                act()
        except CueDeckError as error:
            self._report_error(error.code, error.message, error.hint)
        except Exception as error:  # noqa: BLE001 - outermost frame: the server survives internal errors
            self._report_error(
                1000,
                f"internal error: {type(error).__name__}: {error}",
                "the next change tries again",
            )

    def _report_error(self, code: int, message: str, hint: str) -> None:
        if self._closing.is_set():
            return
        message, hint = mask_value((message, hint), self._workspace)
        log(
            self.workspace,
            {"event": "error", "code": code, "message": message, "hint": hint},
        )
        self._notify(Changes(error=message))


def open_worker(
    start: str,
    environ: Mapping[str, str],
    notify: Callable[[Changes], None],
    *,
    writes: bool,
    is_plain: bool = False,
) -> Worker:
    """Open the workspace at or above `start`, or with `is_plain` the project folder
    without one.

    Raises: WorkspaceMissing, StorageError if it cannot be entered.
    """
    try:
        paths = plain_folder(start) if is_plain else find_workspace(start)
        return Worker(paths, environ, notify, writes=writes)
    except OSError as error:
        raise StorageError(
            f"cannot open {start}: {error.strerror}", hint="check its permissions"
        ) from error


class Changes(NamedTuple):
    """Notification of changes or of an error outside any call."""

    paths: tuple[str, ...] = ()
    """Changed files, sorted; may include files that are not in the index."""
    listing: bool = False
    """Whether files were added, deleted or renamed."""
    scene: bool = False
    """Whether the scene changed."""
    error: str = ""
    """Error message with masked secrets."""


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


def closed_error() -> StorageError:
    """Return the error for calls on a workspace that is being closed."""
    return StorageError("the workspace was closed in the meantime", hint="call again")


_QUIET_SECONDS = 0.03
"""Time without events. Editors that truncate and then write need this long."""
_LONGEST_SECONDS = 0.2


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
        """Seconds until the end of the wait."""
        return max(0.0, self._due - time.monotonic())

    def postpone(self) -> None:
        """Record a change."""
        now = time.monotonic()
        self._first = self._first or now
        self._due = min(now + _QUIET_SECONDS, self._first + _LONGEST_SECONDS)

    def reset(self) -> None:
        """Mark the changes as handled."""
        self._due = self._first = 0.0
