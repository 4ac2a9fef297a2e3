"""Watcher of HEAD, by file events of the few files that determine its commit.

The index of git is in the same folder. It is watched too, because a change of the
tracked files can show or hide a file without touching it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from cuedeck.store.files.file_events import StopEvent
from cuedeck.store.files.ignore_state import TrackedFiles
from cuedeck.store.git.head import (
    HistoryKey,
    find_repository,
    head_folders,
    history_key_of,
)

_STEP_MS = 10
"""Interval at which events are collected."""
_BEGIN_SECONDS = 5.0


class HeadEvents:
    """Calls `notify` from its own thread when the history of a workspace or the set of
    tracked files changes.

    The folders of HEAD and of its ref are watched, in the repository or a linked
    worktree, also above the workspace. Without a repository, the watcher waits for one
    in the workspace.
    """

    def __init__(self, root: str, notify: Callable[[], None]) -> None:
        self._root = os.path.realpath(root)
        self._notify = notify
        self._stop = threading.Event()
        self._begun = threading.Event()
        self._tracked = TrackedFiles(self._root)
        self._known: tuple[HistoryKey, str] | None = None
        self._folders: tuple[str, ...] = ()
        self._must_restart = False
        """Whether a watched folder was created or deleted, so that its watch may be
        lost or missing.
        """

    def start(self, *, polling: bool = False) -> bool:
        """Begin to watch; return False if the system refuses. Every later move of HEAD
        is reported.
        """
        threading.Thread(
            target=self._run, args=(polling,), name="head", daemon=True
        ).start()
        if not self._begun.wait(_BEGIN_SECONDS):
            return False
        return not self._stop.is_set()

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()

    def _run(self, polling: bool) -> None:
        while not self._stop.is_set():
            self._folders = self._watched()
            self._must_restart = False
            try:
                self._watch(polling)
            except (OSError, RuntimeError):
                # A folder that was deleted before it was watched is not a refusal of
                # the system.
                if self._folders == self._watched():
                    self._stop.set()
        self._begun.set()

    def _watch(self, polling: bool) -> None:
        """Compare the state after each batch of events, until other folders must be
        watched.
        """
        from watchfiles import watch

        for _ in watch(
            *self._folders,
            watch_filter=self._wanted,
            debounce=_STEP_MS,
            step=_STEP_MS,
            stop_event=StopEvent(
                self._begin, lambda: self._must_restart or self._stop.is_set()
            ),
            rust_timeout=1_000,
            raise_interrupt=False,
            force_polling=polling or None,
            poll_delay_ms=300,
            recursive=False,
            ignore_permission_denied=True,
        ):
            self._look()
            if self._must_restart or self._folders != self._watched():
                return

    def _begin(self) -> None:
        """Compare the state once more, because HEAD or the folders may have changed
        before they were watched.
        """
        self._look()
        self._must_restart = self._folders != self._watched()
        self._begun.set()

    def _look(self) -> None:
        repository = find_repository(self._root)
        self._tracked.look(repository)
        before = self._known
        key = history_key_of(repository)
        self._known = (key, self._tracked.names)
        if before not in (None, self._known):
            self._notify()

    def _watched(self) -> tuple[str, ...]:
        folders = [self._root]
        # A new repository begins as an empty folder.
        own = os.path.join(self._root, ".git")
        if os.path.isdir(own):
            folders.append(own)
        repository = find_repository(self._root)
        if repository:
            folders += head_folders(repository)
        return tuple(dict.fromkeys(folders))

    def _wanted(self, change: object, place: str) -> bool:
        folder, name = os.path.split(place)
        if folder == self._root and name != ".git":
            return False  # files at the top of the workspace
        self._must_restart = self._must_restart or place in self._folders
        return True
