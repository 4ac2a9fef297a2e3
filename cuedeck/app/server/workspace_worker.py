"""A workspace in a thread of its own, where calls are answered one after another from a warm index."""

from __future__ import annotations

import gc
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cuedeck.app.mask_answers import mask_value
from cuedeck.app.server.live_workspace import LiveWorkspace
from cuedeck.app.server.scene_writer import SceneWriter
from cuedeck.model.errors import CueDeckError, StorageError
from cuedeck.model.ports import Progress
from cuedeck.store.fs.log_file import log
from cuedeck.store.workspace_paths import find_workspace, missing

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

_TICK_SECONDS = 1.0
_WARM_SECONDS = 0.2
"""After the start, so that the first call goes before the first scene."""
_TELLING_SECONDS = 0.1
"""Between two words on how far a look at the whole tree has come."""
_LAST_SECONDS = 1.0
"""For a look at the whole tree before the last scene."""

Answer = TypeVar("Answer")


class Worker:
    """Answers calls on one workspace. `tell` is called from its thread when something changed."""

    def __init__(
        self, workspace: WorkspacePaths, environ: Mapping[str, str], tell: Callable[[Changes], None], *, writes: bool
    ) -> None:
        self.workspace = workspace
        self._home = workspace.identity
        self._is_watched = False
        """Whether somebody wants to know when the scene changes."""
        self._tell = tell
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._waiting: dict[int, Progress] = {}
        self._project = LiveWorkspace(workspace, environ, lambda: self._queue.put(None))
        self._keeper = SceneWriter(self._project, writes=writes)
        self._closing = threading.Event()
        self._told = 0.0
        self._quiet = Debounce()
        self._rest_at = time.monotonic() + _WARM_SECONDS
        """When it is looked for what is due while nothing happens; the first time for the first scene."""
        self._is_cold = True
        """True until the first scene, for which much is loaded."""
        self._is_called = False
        """True once a call was answered: what it wrote may not have been told yet."""
        self._is_behind = False
        """True when something changed while SCENE.md was not ours."""
        self._last_until = 0.0
        """Until then the whole tree may be looked at though the end has begun."""
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    def ask(self, act: Callable[[LiveWorkspace], Answer], progress: Progress | None = None) -> Future[Answer]:
        """Have `act` done when its turn comes; it sees everything that was written before then.

        A future that is cancelled before is dropped. `progress` is called from another thread.
        """
        answer: Future[Answer] = Future()
        if progress is not None:
            self._waiting[id(answer)] = progress
            answer.add_done_callback(lambda done: self._waiting.pop(id(done), None))
        self._queue.put(Job(act, answer))
        return answer

    def watch_scene(self, is_watched: bool) -> None:
        """Tell of changes of the scene from now on, or no longer."""
        if is_watched and not self._is_watched:
            self.ask(lambda project: self._keeper.make(()))
        self._is_watched = is_watched

    def log(self, event: Mapping[str, Any]) -> None:
        """Add an event, whose secrets are masked already, to the log of the workspace; from any thread."""
        log(self.workspace, event)

    def workspace_exists(self) -> bool:
        """Tell whether the workspace is still there, and is the one that was opened."""
        return self._home is not None and self.workspace.identity == self._home

    def close(self, patience_seconds: float) -> bool:
        """End after the call that is being answered; those that wait fail. Tell whether it has ended."""
        self._closing.set()
        self._queue.put(None)
        self._thread.join(patience_seconds)
        if self._thread.is_alive():
            return False
        self._turn_away()
        return True

    # --- in the thread

    def _run(self) -> None:
        self._guarded(self._open)
        while not self._closing.is_set():
            if self._quiet.is_over:
                self._guarded(self._make)
            if time.monotonic() >= self._rest_at:
                self._rest_at = time.monotonic() + _TICK_SECONDS
                self._guarded(self._rest)
            try:
                job = self._queue.get(timeout=self._pause())
            except queue.Empty:
                continue
            if job is not None:
                self._do(job)
            if job is None or self._project.has_news:
                self._quiet.put_off()
        self._end()

    def _do(self, job: Job) -> None:
        if not self.workspace_exists():  # to do it would make anew what somebody has deleted
            return job.turn_away(missing(self.workspace.root))
        self._is_called = True
        return job.run(self._project)

    def _open(self) -> None:
        self._project.progress = self._report
        self._project.follow()
        self._project.refresh()
        self._project.take_news()

    def _end(self) -> None:
        self._turn_away()
        self._guarded(self._make_last)
        self._guarded(self._keeper.close)
        with suppress(CueDeckError):
            self._project.close()

    def _turn_away(self) -> None:
        """Fail the calls that wait."""
        while not self._queue.empty():
            job = self._queue.get()
            if job is not None:
                job.turn_away(closed())

    def _pause(self) -> float:
        left = max(0.0, self._rest_at - time.monotonic())
        return min(left, self._quiet.seconds_left) if self._quiet.is_awaited else left

    def _make(self) -> None:
        self._quiet.begin_anew()
        self._project.refresh()
        news = self._project.take_news()
        wanted = self._keeper.holds or self._is_watched
        self._is_behind |= bool(news.paths) and not self._keeper.holds
        scene = False
        try:
            scene = bool(news.paths) and wanted and self._keeper.make(news.files)
        finally:
            if news.paths:
                self._tell(Changes(news.paths, news.listing, scene))

    def _rest(self) -> None:
        was_cold, self._is_cold = self._is_cold, False
        if self._keeper.take_over() or was_cold or self._keeper.rest():
            self._keeper.make(())
            self._is_behind = not self._keeper.holds
        if was_cold:
            gc.freeze()  # what is loaded by now stays; without it each full collection walks over all of it

    def _make_last(self) -> None:
        """Make the scene of what was written just before the end."""
        if not (self._is_called or self._quiet.is_awaited):
            return
        self._last_until = time.monotonic() + _LAST_SECONDS
        self._project.begin_call()
        self._project.refresh()
        news = self._project.take_news()
        if (news.paths or self._is_behind) and (self._keeper.holds or self._keeper.take_over()):
            self._keeper.make(news.files)

    def _report(self, done: int, total: int) -> None:
        """Tell who waits how far a look has come, and end it when nobody does any more. Raises: StorageError."""
        now = time.monotonic()
        if self._closing.is_set() and now >= self._last_until:
            raise closed()
        if now - self._told < _TELLING_SECONDS and done < total:
            return
        self._told = now
        for progress in list(self._waiting.values()):
            progress(done, total)

    def _guarded(self, act: Callable[[], object]) -> None:
        """Tell errors and go on: a server that dies at a broken file is of no use. For what is gone do nothing."""
        try:
            if self.workspace_exists():
                act()
        except CueDeckError as error:
            self._note(error.code, error.message, error.hint)
        except Exception as error:  # noqa: BLE001 - the server outlives a fault of ours
            self._note(1000, f"internal error: {type(error).__name__}: {error}", "the next change tries again")

    def _note(self, code: int, message: str, hint: str) -> None:
        if self._closing.is_set():
            return
        said, then = mask_value((message, hint), self._project)
        log(self.workspace, {"event": "error", "code": code, "message": said, "hint": then})
        self._tell(Changes(error=said))


def open_worker(start: str, environ: Mapping[str, str], tell: Callable[[Changes], None], *, writes: bool) -> Worker:
    """Open the workspace at or above `start`. Raises: WorkspaceMissing, StorageError when it cannot be entered."""
    try:
        return Worker(find_workspace(start), environ, tell, writes=writes)
    except OSError as error:
        raise StorageError(f"cannot open {start}: {error.strerror}", hint="check its permissions") from error


class Changes(NamedTuple):
    """Something that happened while nobody asked."""

    paths: tuple[str, ...] = ()
    """Files that changed, sorted; also some that are not in the index."""
    listing: bool = False
    """True when files came or went, or go by other names."""
    scene: bool = False
    """True when the scene is another one."""
    error: str = ""
    """What went wrong, secrets masked."""


class Job(NamedTuple):
    """What is to be done, and where the answer goes."""

    act: Callable[[LiveWorkspace], Any]
    answer: Future[Any]

    def run(self, project: LiveWorkspace) -> None:
        """Do it, unless nobody waits for the answer any more."""
        if not self.answer.set_running_or_notify_cancel():
            return
        project.begin_call()
        try:
            self.answer.set_result(self.act(project))
        except BaseException as error:  # noqa: BLE001 - raised again where it was asked
            self.answer.set_exception(error)

    def turn_away(self, reason: CueDeckError) -> None:
        """Have it fail before it begins."""
        if self.answer.set_running_or_notify_cancel():
            self.answer.set_exception(reason)


def closed() -> StorageError:
    """Return what is told of a workspace that is being closed."""
    return StorageError("the workspace was closed in the meantime", hint="call again")


_QUIET_SECONDS = 0.03
"""Time without events: editors that truncate and then write take so long."""
_LONGEST_SECONDS = 0.2


class Debounce:
    """A moment that is put off as long as changes come, but not for long."""

    def __init__(self) -> None:
        self._due = 0.0
        self._first = 0.0

    @property
    def is_awaited(self) -> bool:
        """True from a change until it is dealt with."""
        return bool(self._due)

    @property
    def is_over(self) -> bool:
        """True when the moment has come."""
        return self.is_awaited and time.monotonic() >= self._due

    @property
    def seconds_left(self) -> float:
        """Seconds until the moment comes."""
        return max(0.0, self._due - time.monotonic())

    def put_off(self) -> None:
        """Note a change."""
        now = time.monotonic()
        self._first = self._first or now
        self._due = min(now + _QUIET_SECONDS, self._first + _LONGEST_SECONDS)

    def begin_anew(self) -> None:
        """Note that what changed is dealt with."""
        self._due = self._first = 0.0
