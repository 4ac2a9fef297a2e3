"""Events of the file system, one batch at a time."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from typing import Protocol

from cuedeck.store.workspace import Workspace

STEP_MS = 1
"""How often the native watcher looks for further events; its default of 50 would cost 100 ms a save."""
_PROOF_SECONDS = 5.0


class Source(Protocol):
    """Where changed paths come from; tests script it."""

    def next(self, timeout_seconds: float | None) -> set[str] | None:
        """Return the next changed paths, or None after the timeout or when watching ended."""
        ...


class FileEvents:
    """Changed workspace-relative paths, gathered by watchfiles in a thread.

    `start` returns once an event of our own has come through, so that nothing saved after it is missed;
    on file systems that send no events it falls back to polling.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._root = workspace.root
        self._cache = workspace.cache
        self._probe = os.path.join(workspace.cache, f"probe.{os.getpid()}")
        self._queue: queue.SimpleQueue[set[str]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._alive = threading.Event()

    def start(self) -> bool:
        """Begin to watch; tell whether the system sends events, or polling has to do."""
        os.makedirs(self._cache, exist_ok=True)
        for polling in (False, True):
            thread = threading.Thread(target=self._run, args=(polling, self._stop), name="events", daemon=True)
            thread.start()
            if self._proven():
                return not polling
            self._stop.set()
            thread.join()
            self._stop = threading.Event()
        return False

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()

    def next(self, timeout_seconds: float | None) -> set[str] | None:
        """Return the next changed paths, or None after the timeout."""
        try:
            return self._queue.get(timeout=timeout_seconds)
        except queue.Empty:
            return None

    def _run(self, polling: bool, stop: threading.Event) -> None:
        from watchfiles import watch

        batches = watch(
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
        )
        for batch in batches:
            paths = {os.path.relpath(place, self._root).replace(os.sep, "/") for _, place in batch}
            self._queue.put(paths)

    def _wanted(self, change: object, place: str) -> bool:
        """Drop what is ours or never read, before it costs anything."""
        if place.startswith(self._cache):
            if place == self._probe:
                self._alive.set()
            return False
        return not place.endswith((f"{os.sep}.cuedeck{os.sep}SCENE.md",)) and f"{os.sep}.git{os.sep}" not in place

    def _proven(self) -> bool:
        """Touch a file of ours until its event arrives."""
        waits = int(_PROOF_SECONDS / 0.05)
        try:
            for number in range(waits):
                with open(self._probe, "w", encoding="ascii") as probe:
                    probe.write(str(number))
                if self._alive.wait(0.05):
                    return True
        finally:
            os.unlink(self._probe)
        return False


def gather(source: Source, first: set[str], quiet_ms: int, longest_ms: int, clock: Callable[[], float]) -> set[str]:
    """Add what follows `first` until nothing came for `quiet_ms`, at most `longest_ms` after it."""
    changed = set(first)
    end = clock() + longest_ms / 1000
    while (left := end - clock()) > 0:
        more = source.next(min(quiet_ms / 1000, left))
        if more is None:
            break
        changed |= more
    return changed
