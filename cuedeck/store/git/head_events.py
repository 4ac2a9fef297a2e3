"""Moves of HEAD, told by the system when one of the few files changes that say which commit it is.

Beside them lies the index of git, which says what is tracked: it may show a file or hide one without touching it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from cuedeck.store.fs.visibility import TrackedFiles
from cuedeck.store.git.head import HistoryKey, find_repository, head_folders, standing_of

_STEP_MS = 10
"""How often events are asked for; a commit is no keystroke."""
_BEGIN_SECONDS = 5.0


class HeadEvents:
    """Tells, from a thread of its own, that the history of a workspace is another one, or what its rules hide.

    The folders of HEAD and of its ref are watched: of the repository, of a linked worktree, above the workspace.
    Where there is no repository, one in the workspace is waited for.
    """

    def __init__(self, root: str, tell: Callable[[], None]) -> None:
        self._root = os.path.realpath(root)
        self._tell = tell
        self._stop = threading.Event()
        self._begun = threading.Event()
        self._tracked = TrackedFiles(self._root)
        self._known: tuple[HistoryKey, str] | None = None
        self._folders: tuple[str, ...] = ()
        self._anew = False
        """True when a watched folder itself went or came: its watch may have gone with it, or is still to be made."""

    def start(self, *, polling: bool = False) -> bool:
        """Begin to watch; False when the system refuses. What moves after it is told."""
        threading.Thread(target=self._run, args=(polling,), name="head", daemon=True).start()
        return self._begun.wait(_BEGIN_SECONDS) and not self._stop.is_set()

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()

    def _run(self, polling: bool) -> None:
        while not self._stop.is_set():
            self._folders, self._anew = self._watched(), False
            try:
                self._watch(polling)
            except (OSError, RuntimeError):
                # A folder that went before it was watched is no refusal.
                if self._folders == self._watched():
                    self._stop.set()
        self._begun.set()

    def _watch(self, polling: bool) -> None:
        """Look after each batch of events, until other folders have to be watched."""
        from watchfiles import watch

        for _ in watch(
            *self._folders,
            watch_filter=self._wanted,
            debounce=_STEP_MS,
            step=_STEP_MS,
            stop_event=_Asked(self._begin, lambda: self._anew or self._stop.is_set()),
            rust_timeout=1_000,
            raise_interrupt=False,
            force_polling=polling or None,
            poll_delay_ms=300,
            recursive=False,
            ignore_permission_denied=True,
        ):
            self._look()
            if self._anew or self._folders != self._watched():
                return

    def _begin(self) -> None:
        """Look once more: HEAD may have moved before it was watched, and so may the folders to watch."""
        self._look()
        self._anew = self._folders != self._watched()
        self._begun.set()

    def _look(self) -> None:
        repository = find_repository(self._root)
        self._tracked.look(repository)
        before, self._known = self._known, (standing_of(repository), self._tracked.names)
        if before not in (None, self._known):
            self._tell()

    def _watched(self) -> tuple[str, ...]:
        repository = find_repository(self._root)
        # What is about to become a repository is a folder first.
        own = os.path.join(self._root, ".git")
        places = [self._root, *([own] if os.path.isdir(own) else []), *(head_folders(repository) if repository else ())]
        return tuple(dict.fromkeys(places))

    def _wanted(self, change: object, place: str) -> bool:
        folder, name = os.path.split(place)
        if folder == self._root and name != ".git":
            return False  # every save of a file at the top comes along
        self._anew = self._anew or place in self._folders
        return True


class _Asked:
    """An event as watchfiles asks it whether to stop, which it does first when it watches."""

    def __init__(self, begin: Callable[[], None], stopped: Callable[[], bool]) -> None:
        self._begin: Callable[[], None] | None = begin
        self._stopped = stopped

    def is_set(self) -> bool:
        if self._begin is not None:
            begin, self._begin = self._begin, None
            begin()
        return self._stopped()
