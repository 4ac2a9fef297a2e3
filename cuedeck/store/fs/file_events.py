"""Events of the file system, one batch at a time."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable
from typing import Protocol

from cuedeck.model.errors import StorageError
from cuedeck.store.fs import nofollow
from cuedeck.store.workspace_paths import WorkspacePaths

HEAD = ".git/HEAD"
"""Stands for a HEAD that moved, or for git tracking other files in spite of its rules, wherever the repository keeps
that; no file of this name is ever read."""
MANY = 100
"""Paths at once after which the whole tree is to be looked at: the system may have dropped events."""
STEP_MS = 1
"""How often the native watcher looks for further events; its default of 50 would cost 100 ms a save."""
_PROOF_SECONDS = 5.0
_PROBE_SECONDS = 0.05


class Source(Protocol):
    """Where changed paths come from; tests script it."""

    def next(self, timeout_seconds: float) -> set[str] | None:
        """Return the next changed paths, or None after the timeout.

        Raises: StorageError when no more will come.
        """
        ...


class FileEvents:
    """Changed workspace-relative paths, gathered by watchfiles in a thread.

    `start` returns once an event of our own has come through, so that nothing saved after it is missed;
    on file systems that send no events it falls back to polling.
    """

    def __init__(self, workspace: WorkspacePaths) -> None:
        self._root = workspace.root
        self._scene = workspace.scene
        self._cache = workspace.cache + os.sep
        self._git = os.path.join(workspace.root, ".git") + os.sep
        self._exclude = os.path.join(self._git, "info", "exclude")
        self._probe = f"{self._cache}probe.{os.getpid()}"
        self._queue: queue.SimpleQueue[set[str]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._alive = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> bool:
        """Begin to watch; tell whether the system sends events, or polling has to do."""
        nofollow.make_folder(self._cache)
        for polling in (False, True):
            self._thread = threading.Thread(target=self._run, args=(polling, self._stop), name="events", daemon=True)
            self._thread.start()
            if self._proven():
                return not polling
            self._stop.set()
            self._thread.join()
            self._stop = threading.Event()
        raise StorageError("the system reports no file changes", hint="run `cuedeck scene` after a save instead")

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()

    def add(self, path: str) -> None:
        """Let `next` return a path that somebody else saw change; from any thread."""
        self._queue.put({path})

    def next(self, timeout_seconds: float) -> set[str] | None:
        """Return the next changed paths, or None after the timeout. Raises: StorageError when no more will come."""
        try:
            return self._queue.get(timeout=timeout_seconds)
        except queue.Empty:
            if self._thread is not None and not self._thread.is_alive():
                raise StorageError(
                    "the system stopped reporting file changes", hint="start the watcher again"
                ) from None
            return None

    def _run(self, polling: bool, stop: threading.Event) -> None:
        from watchfiles import watch

        # What ends the thread is told by `start` and `next`: they see that it is gone.
        with contextlib.suppress(OSError, RuntimeError):
            for batch in watch(
                self._root,
                watch_filter=self._wanted,
                debounce=STEP_MS,
                step=STEP_MS,
                stop_event=stop,
                rust_timeout=1_000,
                raise_interrupt=False,
                force_polling=polling or None,
                poll_delay_ms=300,
                ignore_permission_denied=True,
            ):
                self._queue.put({os.path.relpath(place, self._root).replace(os.sep, "/") for _, place in batch})

    def _wanted(self, change: object, place: str) -> bool:
        """Drop what is ours or never read, before it costs anything."""
        if place.startswith(self._cache):
            if place == self._probe:
                self._alive.set()
            return False
        if place.startswith(self._git):
            return place == self._exclude
        return place != self._scene and f"{os.sep}.git{os.sep}" not in place

    def _proven(self) -> bool:
        """Touch a file of ours until its event arrives."""
        try:
            for number in range(int(_PROOF_SECONDS / _PROBE_SECONDS)):
                with open(self._probe, "w", encoding="ascii", opener=nofollow.opener) as probe:
                    probe.write(str(number))
                if self._alive.wait(_PROBE_SECONDS):
                    return True
                if self._thread is None or not self._thread.is_alive():
                    return False
        finally:
            with contextlib.suppress(OSError):
                nofollow.unlink(self._probe)
        return False


def gather(source: Source, quiet_ms: float, longest_ms: float, clock: Callable[[], float], since: float) -> set[str]:
    """Return what follows a burst that came at `since`, until nothing came for `quiet_ms`, at most `longest_ms`."""
    followed: set[str] = set()
    last, end = since, since + longest_ms / 1000
    while True:
        more = source.next(max(0.0, min(last + quiet_ms / 1000, end) - clock()))
        if more is None:
            return followed
        followed |= more
        last = clock()
        if last >= end:
            return followed
