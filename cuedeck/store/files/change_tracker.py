"""Changed paths of an open workspace, with a barrier that waits for all pending file
events.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.file_events import FileEvents
from cuedeck.store.git.head_events import HeadEvents
from cuedeck.store.workspace_paths import WorkspacePaths

_GONE = 3
"""Value of `watchfiles.Change.deleted`."""
_STEP_SECONDS = 1.0


class _Marked(FileEvents):
    """File events, including those of the marker files that `ChangeTracker.settled`
    creates.
    """

    def __init__(self, workspace: WorkspacePaths) -> None:
        super().__init__(workspace)
        self.start_of_marks = os.path.join(workspace.cache, f"mark.{os.getpid()}.")

    def _wanted(self, change: object, place: str) -> bool:
        if place.startswith(self.start_of_marks):
            return change != _GONE
        return super()._wanted(change, place)


class ChangeTracker:
    """Collects changed paths in background threads.

    The system reports changes in order. Once the event of a marker file written now has
    arrived, the events of all earlier writes have arrived too.
    """

    def __init__(
        self, workspace: WorkspacePaths, head: str, wake: Callable[[], None]
    ) -> None:
        """Create a tracker; call `start` to begin.

        `head` is the path added for each event of `HeadEvents`; `wake` is called from a
        thread after a change.
        """
        self._workspace = workspace
        self._wake = wake
        self._events = _Marked(workspace)
        self._heads = HeadEvents(workspace.root, lambda: self._take({head}))
        self._news = threading.Condition()
        self._changed: set[str] = set()
        self._marks = 0
        self._seen = 0
        self._sound = False
        self._stop = threading.Event()

    def start(self) -> bool:
        """Start watching; return False if the system sends no events, so that every
        refresh must be a full scan.
        """
        try:
            self._sound = self._events.start()
        except (StorageError, OSError):
            return False
        self._heads.start(polling=not self._sound)
        threading.Thread(target=self._run, name="following", daemon=True).start()
        return self._sound

    def stop(self) -> None:
        """Stop the threads."""
        self._stop.set()
        self._heads.stop()
        self._events.stop()

    def pending(self) -> set[str]:
        """Return the reported paths that were not returned before."""
        with self._news:
            changed, self._changed = self._changed, set()
        return changed

    def settled(self, patience_seconds: float) -> set[str] | None:
        """Return all paths that changed before this call and were not returned before.

        Returns: None if the event of the marker file does not arrive within
        `patience_seconds`, or if events are unavailable.
        """
        if not self._sound:
            return None
        self._marks += 1
        place = f"{self._events.start_of_marks}{self._marks}"
        try:
            os.close(nofollow.open_file(place, os.O_WRONLY | os.O_CREAT))
            with self._news:
                came = self._news.wait_for(
                    lambda: self._seen >= self._marks, patience_seconds
                )
        except OSError:
            came = False
        finally:
            with contextlib.suppress(OSError):
                nofollow.unlink(place)
        return self.pending() if came else None

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                batch = self._events.next(_STEP_SECONDS)
            except StorageError:
                self._sound = False
                return
            if batch:
                self._take(batch)

    def _take(self, batch: set[str]) -> None:
        start = os.path.relpath(
            self._events.start_of_marks, self._workspace.root
        ).replace(os.sep, "/")
        marks = {path for path in batch if path.startswith(start)}
        with self._news:
            self._changed |= batch - marks
            self._seen = max([self._seen, *(int(path[len(start) :]) for path in marks)])
            self._news.notify_all()
        if batch != marks:
            self._wake()
