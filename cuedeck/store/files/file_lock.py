"""Advisory locks, one per family of files; the system releases a lock when its process
dies.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from cuedeck.model.errors import Locked, StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed
from cuedeck.store.workspace_paths import WorkspacePaths

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PATIENCE_SECONDS = 10.0
_PAUSE_SECONDS = 0.01


FILES = "files"
"""Family of the committed files: cards, logs, assumptions, and files of hosts."""
_OF_MEMORY = ("statements", "sessions", "memory-", "cortex")
"""First characters of the families of private memory."""


def lock_place(paths: WorkspacePaths, family: str) -> str:
    """Return the path of the lock file of a family; the worktrees of a repository share
    those of private memory.
    """
    if family.startswith(_OF_MEMORY):
        paths = paths.shared
    return os.path.join(paths.cache, f"{family}.lock")


@contextmanager
def locked(
    paths: WorkspacePaths, family: str, patience_seconds: float = _PATIENCE_SECONDS
) -> Iterator[None]:
    """Hold the lock of a family of files while the block runs.

    Raises: Locked if another process holds it for longer than `patience_seconds`;
    StorageError if the lock file cannot be created or locked.
    """
    place = lock_place(paths, family)
    lock = held(place, patience_seconds)
    try:
        # Creates the folder of the lock files, but not a deleted workspace.
        nofollow.make_folder(os.path.dirname(place), parents=False)
        lock.__enter__()
    except TimeoutError:
        raise Locked(
            f"another process holds the lock of {family}", hint="wait for it, or end it"
        ) from None
    except (OSError, NotImplementedError) as error:
        raise _no_lock(place, error) from error
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


def held(
    place: str, patience_seconds: float = _PATIENCE_SECONDS
) -> AbstractContextManager[object]:
    """Hold the lock of a file while a block runs; the folder of the file must exist.

    Raises: TimeoutError if another process holds it for longer than `patience_seconds`;
    OSError; NotImplementedError.
    """
    return (
        _by_system(place, patience_seconds)
        if fcntl
        else _by_library(place, patience_seconds)
    )


def is_held(paths: WorkspacePaths, family: str) -> bool:
    """Return whether a process holds the lock of a family. Raises: StorageError if
    locking is impossible.
    """
    # Try the lock only if the file is marked as held: this check must not make a caller
    # with zero patience fail.
    if fcntl and not _is_marked(lock_place(paths, family)):
        return False
    try:
        with locked(paths, family, 0):
            return False
    except Locked:
        return True


def _no_lock(place: str, error: OSError | NotImplementedError) -> StorageError:
    hint = "make .cuedeck/cache writable"
    if isinstance(error, OSError):
        return failed(f"lock {place}", error, hint)
    return StorageError(f"cannot lock {place}: {error}", hint=hint)


@contextmanager
def _by_system(place: str, patience_seconds: float) -> Iterator[None]:
    """Hold the lock with `flock`; importing `filelock` costs more than the time limit
    of an unchanged resume.

    Raises: TimeoutError, OSError.
    """
    handle = nofollow.open_file(place, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        end = time.monotonic() + patience_seconds
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= end:
                    raise TimeoutError from None
                time.sleep(_PAUSE_SECONDS)
        _mark(handle, 1)
        try:
            yield
        finally:
            _mark(handle, 0)
    finally:
        os.close(handle)


def _mark(handle: int, size: int) -> None:
    """Record in the size of the lock file whether it is held, for `is_held`.

    A holder that dies leaves the mark; the next holder clears it.
    """
    with suppress(OSError):
        os.ftruncate(handle, size)


def _is_marked(place: str) -> bool:
    try:
        return nofollow.status(place).st_size > 0
    except OSError:
        return False


def _by_library(place: str, patience_seconds: float) -> AbstractContextManager[object]:
    from filelock import FileLock, Timeout

    @contextmanager
    def by_library() -> Iterator[None]:
        nofollow.check(place)
        lock = FileLock(place)
        try:
            lock.acquire(timeout=patience_seconds, poll_interval=_PAUSE_SECONDS)
        except Timeout:
            raise TimeoutError from None
        try:
            yield
        finally:
            lock.release()

    return by_library()
