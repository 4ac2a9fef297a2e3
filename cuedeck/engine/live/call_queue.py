"""Queue of the calls on a live workspace, with their progress."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cuedeck.model.ports import Progress

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.model.errors import CueDeckError

_PROGRESS_SECONDS = 0.1
"""Minimal time between two progress reports of a full scan."""

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
        self._waiting: dict[int, Progress] = {}
        self._reported_at = 0.0

    def add(
        self, act: Callable[[LiveWorkspace], Answer], progress: Progress | None
    ) -> Future[Answer]:
        """Queue a call, whose progress is reported to `progress`."""
        answer: Future[Answer] = Future()
        if progress is not None:
            self._waiting[id(answer)] = progress
            answer.add_done_callback(lambda done: self._waiting.pop(id(done), None))
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

    def report_progress(self, done: int, total: int) -> None:
        """Report the progress of a scan to waiting calls."""
        now = time.monotonic()
        is_early = now - self._reported_at < _PROGRESS_SECONDS
        if is_early and done < total:
            return
        self._reported_at = now
        for progress in list(self._waiting.values()):
            progress(done, total)
