"""File system events in batches, with debouncing."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable
from typing import Protocol

from cuedeck.model.errors import StorageError
from cuedeck.model.paths import HOME, is_private_memory
from cuedeck.store.files import nofollow
from cuedeck.store.workspace_paths import WorkspacePaths

HEAD = ".git/HEAD"
"""Path that reports a moved HEAD or a change of git's tracked files, wherever the git
directory is. It is a signal only: no file of this name is read."""
ROOT = "."
"""Path of the root folder: reported when any file may have changed."""
MANY = 100
"""Number of paths in one batch that requires a full scan, because the system may have
dropped events.
"""
STEP_MS = 1
"""Polling interval of the native watcher for further events; its default of 50 ms would
add 100 ms per save.
"""
_PROOF_SECONDS = 5.0
_PROBE_SECONDS = 0.05


class Source(Protocol):
    """A source of changed paths; tests use a scripted one."""

    def next(self, timeout_seconds: float) -> set[str] | None:
        """Return the next changed paths, or None after the timeout.

        Raises: StorageError if the source has ended.
        """
        ...


class FileEvents:
    """Changed workspace-relative paths, collected by watchfiles in a thread.

    `start` returns once the event of a probe file has arrived, so that no later save is
    missed. On file systems that send no events it falls back to polling.
    """

    def __init__(self, workspace: WorkspacePaths) -> None:
        self._root = workspace.root
        self._folders = [workspace.root]
        self._memory = ""
        """`.cuedeck/` with the private memory, if it is in another worktree."""
        self._memory_root = workspace.shared.root
        if workspace.shared is not workspace:
            home = workspace.shared.absolute(HOME)
            self._folders.append(home)
            self._memory = home + os.sep
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
        """Start watching; return True if the system sends events, False if polling is
        used.

        Raises: StorageError if neither works.
        """
        nofollow.make_folder(self._cache)
        for polling in (False, True):
            self._alive.clear()
            self._thread = threading.Thread(
                target=self._run, args=(polling, self._stop), name="events", daemon=True
            )
            self._thread.start()
            if self._proven():
                return not polling
            self._stop.set()
            self._thread.join()
            self._stop = threading.Event()
        raise StorageError(
            "the system reports no file changes",
            hint="run `cuedeck scene` after a save instead",
        )

    def stop(self) -> None:
        """Stop the thread."""
        self._stop.set()

    def add(self, path: str) -> None:
        """Queue a path that another source reported as changed. Thread-safe."""
        self._queue.put({path})

    def next(self, timeout_seconds: float) -> set[str] | None:
        """Return the next changed paths, or None after the timeout.

        If the system ended the watch, for example because a folder vanished while it
        was added, watching starts again and the root folder is the changed path.
        Raises: StorageError if watching has ended and cannot start again.
        """
        try:
            return self._queue.get(timeout=timeout_seconds)
        except queue.Empty:
            if self._thread is None or self._thread.is_alive():
                return None
            self._restart()
            return {ROOT}

    def _restart(self) -> None:
        has_workspace = os.path.isdir(os.path.dirname(self._probe))
        if has_workspace and not self._stop.is_set():
            with contextlib.suppress(StorageError, OSError):
                self.start()
                return
        raise StorageError(
            "the system stopped reporting file changes",
            hint="start the watcher again",
        )

    def _run(self, polling: bool, stop: threading.Event) -> None:
        from watchfiles import watch

        # An error ends the thread; `start` and `next` notice that it is not alive.
        with contextlib.suppress(OSError, RuntimeError):
            for batch in watch(
                *self._folders,
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
                self._queue.put({self._path(place) for _, place in batch})

    def _path(self, place: str) -> str:
        """Return the workspace-relative path of an event, also of private memory in
        another worktree.
        """
        root = self._root
        if self._memory and place.startswith(self._memory):
            root = self._memory_root
        return os.path.relpath(place, root).replace(os.sep, "/")

    def _wanted(self, change: object, place: str) -> bool:
        """Return whether an event is relevant; drop generated files and git's files
        before they cost anything.
        """
        if place.startswith(self._cache):
            if place == self._probe:
                self._alive.set()
            return False
        if place.startswith(self._git):
            return place == self._exclude
        if place == self._scene:
            return False
        if self._memory and place.startswith(self._memory):
            return is_private_memory(self._path(place))
        return f"{os.sep}.git{os.sep}" not in place

    def _proven(self) -> bool:
        """Write a probe file until its event arrives; return whether it did."""
        try:
            for number in range(int(_PROOF_SECONDS / _PROBE_SECONDS)):
                with open(
                    self._probe, "w", encoding="ascii", opener=nofollow.opener
                ) as probe:
                    probe.write(str(number))
                if self._alive.wait(_PROBE_SECONDS):
                    return True
                if self._thread is None or not self._thread.is_alive():
                    return False
        finally:
            with contextlib.suppress(OSError):
                nofollow.unlink(self._probe)
        return False


def gather(
    source: Source,
    quiet_ms: float,
    longest_ms: float,
    clock: Callable[[], float],
    since: float,
) -> set[str]:
    """Return the paths that follow a first batch (debounce).

    Collects until no path arrives for `quiet_ms`, at most `longest_ms` after `since`,
    the time of the first batch in seconds of `clock`.
    """
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
