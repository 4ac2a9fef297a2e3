"""One advisory lock for each family of files; the system lets go of it when a process dies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from cuedeck.model.errors import Locked, StorageError
from cuedeck.store.workspace import Workspace

_PATIENCE_SECONDS = 10.0


def lock_place(workspace: Workspace, family: str) -> str:
    """Return the file that stands for the lock of a family."""
    return os.path.join(workspace.cache, f"{family}.lock")


@contextmanager
def locked(workspace: Workspace, family: str, patience_seconds: float = _PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the lock of a family of files while the block runs.

    Raises: Locked when another process keeps it for longer than `patience_seconds`, StorageError when there
    can be no lock.
    """
    from filelock import FileLock, Timeout

    place = lock_place(workspace, family)
    lock = FileLock(place)
    try:
        os.makedirs(workspace.cache, exist_ok=True)
        lock.acquire(timeout=patience_seconds, poll_interval=0.01)
    except Timeout:
        raise Locked(
            f"another process holds the lock of {family}", hint="wait for it, or end it; a dead process holds nothing"
        ) from None
    except (OSError, NotImplementedError) as error:
        raise StorageError(f"cannot lock {place}: {error}", hint="make .cuedeck/cache writable") from error
    try:
        yield
    finally:
        lock.release()
