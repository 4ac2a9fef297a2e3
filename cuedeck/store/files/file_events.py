"""File system events of a workspace, with a barrier that waits for all earlier ones."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable

from cuedeck.model.errors import StorageError
from cuedeck.model.paths import CACHE, HOME, is_private_memory
from cuedeck.store.files import nofollow
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import WorkspacePaths

HEAD = ".git/HEAD"
"""Path that reports that HEAD may have moved or git's tracked files may have changed,
wherever the git directory is. It is a signal only: no file of this name is read."""
_OF_HEAD = ("HEAD", "index", "info", "packed-refs", "refs", "reftable", "shallow")
"""Files and folders of a git directory that decide which commits and files are read."""
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
_DELETED = 3
"""Value of `watchfiles.Change.deleted`."""
_PROOF_SECONDS = 5.0
_PROBE_SECONDS = 0.05
_POLL_SECONDS = 1.0


class FileEvents:
    """Changed workspace-relative paths, collected by watchfiles in a thread.

    `start` returns once the event of a probe file has arrived, so that no later save is
    missed. On file systems that send no events it falls back to polling.
    """

    def __init__(self, paths: WorkspacePaths, wake: Callable[[], None]) -> None:
        """Call `wake` from a thread after each change, and when the events end."""
        self._wake = wake
        self._root = paths.root
        self._folders = [paths.root]
        self._memory = ""
        """`.cuedeck/` with the private memory, if it is in another worktree."""
        self._memory_root = paths.shared.root
        if paths.shared is not paths:
            home = paths.shared.absolute(HOME)
            self._folders.append(home)
            self._memory = home + os.sep
        self._scene = paths.scene
        self._cache = paths.cache + os.sep
        repository = find_repository(paths.root)
        self._git = [os.path.join(paths.root, ".git")]
        """The git directories; that of a linked worktree precedes the common one."""
        if repository is not None:
            self._git += repository[:2]
        for folder in self._git[1:]:
            if not is_below(folder, paths.root):
                self._folders.append(folder)
        self._home = paths.absolute(HOME)
        self._mark = f"{CACHE}/mark.{os.getpid()}."
        """Start of the paths of marker files, which end in their number."""
        self._marks = 0
        self._seen = 0
        """Number of the last marker file whose event has arrived."""
        self._news = threading.Condition()
        self._changed: set[str] = set()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> bool:
        """Start watching; return True if the system sends events, False if polling is
        used.

        Raises: StorageError if neither works.
        """
        nofollow.make_folder(self._cache)
        for polling in (False, True):
            self._thread = threading.Thread(
                target=self._run, args=(polling, self._stop), name="events", daemon=True
            )
            self._thread.start()
            if self._is_proven(_POLL_SECONDS if polling else _PROBE_SECONDS):
                return not polling
            self._stop.set()
            self._thread.join()
            self._stop = threading.Event()
        self._thread = None
        raise StorageError(
            "the system reports no file changes",
            hint="run `cuedeck scene` after a save instead",
        )

    def stop(self) -> None:
        """Stop the thread."""
        self._stop.set()

    @property
    def has_ended(self) -> bool:
        """Whether no more events will come."""
        if self._thread is None:
            return False
        return not self._thread.is_alive()

    def pending(self) -> set[str]:
        """Return the reported paths that were not returned before."""
        with self._news:
            changed = self._changed
            self._changed = set()
        return changed

    def settled(self, patience_seconds: float) -> set[str] | None:
        """Return all paths that changed before this call and were not returned before;
        None if the events do not arrive within `patience_seconds`.

        The system reports changes in order. Once the event of a marker file written now
        has arrived, the events of all earlier writes have arrived too.
        """
        return self.pending() if self._is_marked(patience_seconds) else None

    def _is_marked(self, patience_seconds: float) -> bool:
        """Write a marker file; return whether its event arrived in time."""
        self._marks += 1
        name = f"{self._mark}{self._marks}"
        place = os.path.join(self._root, name)
        try:
            mark = nofollow.open_file(place, os.O_WRONLY | os.O_CREAT)
            os.close(mark)
            with self._news:
                return self._news.wait_for(
                    lambda: self._seen >= self._marks, patience_seconds
                )
        except OSError:
            return False
        finally:
            with contextlib.suppress(OSError):
                nofollow.unlink(place)

    def _is_proven(self, patience_seconds: float) -> bool:
        """Write marker files until the event of one arrives; return whether it did."""
        until = time.monotonic() + _PROOF_SECONDS
        while time.monotonic() < until and not self.has_ended:
            if self._is_marked(patience_seconds):
                return True
            if self._seen:
                return True
        return False

    def _run(self, polling: bool, stop: threading.Event) -> None:
        is_first = True
        while self._watch(polling, stop, is_first=is_first):
            is_first = False
        self._wake()

    def _watch(self, polling: bool, stop: threading.Event, *, is_first: bool) -> bool:
        """Take events until the watch is stopped; return True if the system ended it,
        for example because a folder vanished while it was added.
        """
        from watchfiles import watch

        has_begun = False

        def begin() -> None:
            nonlocal has_begun
            has_begun = True
            if not is_first:
                self._take({ROOT})

        try:
            for batch in watch(
                *self._folders,
                watch_filter=self._wanted,
                debounce=STEP_MS,
                step=STEP_MS,
                stop_event=_StopEvent(begin, stop.is_set),
                rust_timeout=1_000,
                raise_interrupt=False,
                force_polling=polling or None,
                poll_delay_ms=300,
                ignore_permission_denied=True,
            ):
                places = [place for _, place in batch]
                self._take(set(map(self._path, places)))
        except (OSError, RuntimeError):
            if not has_begun:
                return False
            return os.path.isdir(self._home)
        return False

    def _take(self, batch: set[str]) -> None:
        marks = set()
        for path in batch:
            if path.startswith(self._mark):
                marks.add(path)
        with self._news:
            self._changed |= batch - marks
            for mark in marks:
                self._seen = max(self._seen, _number_of(mark))
            self._news.notify_all()
        if batch != marks:
            self._wake()

    def _path(self, place: str) -> str:
        """Return the workspace-relative path of an event, also of private memory in
        another worktree.
        """
        root = self._root
        if self._of_git(place) is not None:
            return HEAD
        if self._memory and place.startswith(self._memory):
            root = self._memory_root
        return os.path.relpath(place, root).replace(os.sep, "/")

    def _of_git(self, place: str) -> str | None:
        """Return the path of an event inside a git directory; None elsewhere."""
        for folder in self._git:
            if place == folder or place.startswith(folder + os.sep):
                return place[len(folder) + 1 :]
        return None

    def _wanted(self, change: object, place: str) -> bool:
        """Return whether an event is relevant; drop generated files and git's files
        before they cost anything.
        """
        if place.startswith(self._cache):
            if change == _DELETED:
                return False
            return self._path(place).startswith(self._mark)
        of_git = self._of_git(place)
        if of_git is not None:
            name = of_git.split(os.sep, 1)[0]
            return name in ("", *_OF_HEAD) and not of_git.endswith(".lock")
        if place == self._scene:
            return False
        if self._memory and place.startswith(self._memory):
            return is_private_memory(self._path(place))
        return f"{os.sep}.git{os.sep}" not in place


class _StopEvent:
    """The stop event of watchfiles, which first calls `begin`: watchfiles checks the
    event once watching has begun.
    """

    def __init__(self, begin: Callable[[], None], stopped: Callable[[], bool]) -> None:
        self._begin: Callable[[], None] | None = begin
        self._stopped = stopped

    def is_set(self) -> bool:
        """Return whether watching must end."""
        begin = self._begin
        self._begin = None
        if begin is not None:
            begin()
        return self._stopped()


def _number_of(mark: str) -> int:
    return int(mark.rpartition(".")[2])
