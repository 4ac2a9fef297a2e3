"""Exchanging a long MEMORY.md for a short one so that those who append hardly wait: what takes long needs no lock."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from cuedeck.model.errors import StorageError
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.append import appending
from cuedeck.store.fs.disk import failed, read_bytes, write_atomic
from cuedeck.store.fs.fingerprint import Print, is_settled
from cuedeck.store.memory.memory_files import PRIMARY, MemoryFiles
from cuedeck.store.memory.size_counter import Counter

_PIECE = 1 << 20
_LOOKS = 6
_LOOK_SECONDS = 0.05
"""From one look at a file that is too young to the next."""
_PAUSE_SECONDS = 0.015
"""Longer than those who wait for the lock let pass before they look again."""


def add_unsynced(files: MemoryFiles, name: str, data: bytes) -> int:
    """Add whole lines to a file, for who holds the lock; `sync` makes them durable. Return its length before.

    Raises: StorageError, with the file as it was.
    """
    with appending(files.place(name), synced=False) as end:
        end.add(data)
        return end.before


def add_in_pieces(files: MemoryFiles, name: str, data: bytes) -> int:
    """Add whole lines to a file piece by piece, so that others get the lock in between; return its length before.

    Raises: Locked, StorageError; pieces that were added stay then.
    """
    start, first = 0, -1
    while start < len(data) or first < 0:
        end = data.find(b"\n", start + _PIECE) + 1 or len(data)
        with files.writing():
            before = add_unsynced(files, name, data[start:end])
        first = before if first < 0 else first
        start = end
        if start < len(data):
            time.sleep(_PAUSE_SECONDS)
    return first


def sync(files: MemoryFiles, name: str) -> None:
    """Wait until a file is on disk. Raises: StorageError."""
    place = files.place(name)
    try:
        handle = nofollow.open_file(place, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise _refused(files, name, error) from error
    nofollow.sync_folder(os.path.dirname(place))


def exchange(files: MemoryFiles, old: bytes, new: bytes, known: Print | None = None) -> bool:
    """Put `new` in the place of `old` at the beginning of MEMORY.md, for who holds the lock.

    What was added behind it stays behind. `known` is what `proven` told of it.
    False, with nothing changed, when it does not begin so any more.
    Raises: StorageError, with nothing changed.
    """
    place = files.place(PRIMARY)
    try:
        with open(place, "rb", buffering=0, opener=nofollow.opener) as file:
            if known is not None and files.print(PRIMARY) == known:
                file.seek(len(old))
                added = file.readall() or b""
            else:
                data = file.readall() or b""
                if not data.startswith(old):
                    return False
                added = data[len(old) :]
            write_atomic(place, new + added, files.workspace.cache)
            late = written_late(file.fileno(), len(old) + len(added), files.is_shared)
        Counter(files).forget()
        if late:
            add_unsynced(files, PRIMARY, late)
            sync(files, PRIMARY)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _refused(files, PRIMARY, error) from error
    return True


def proven(files: MemoryFiles, old: bytes, known: Print | None) -> Print | None:
    """Return what tells that MEMORY.md still begins with `old`, for who does not hold the lock.

    `known` told it before. None when it does not, or changes too often to tell.
    """
    for _ in range(_LOOKS):
        if known is not None and files.print(PRIMARY) == known:
            return known
        known = retry_if_stale(files, PRIMARY)
        if known is None:
            time.sleep(_LOOK_SECONDS)
        elif not begins_with(files, old):
            return None
    return None


def retry_if_stale(files: MemoryFiles, name: str) -> Print | None:
    """Return what tells whether a file changed; None also for one so young that it may change without telling."""
    found = files.print(name)
    return found if found is not None and is_settled(found) else None


@contextmanager
def held_open(files: MemoryFiles, name: str) -> Iterator[None]:
    """Keep the file that a name leads to until the end of the block: giving back a long one takes its time."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(open(files.place(name), "rb", buffering=0))
        yield


def begins_with(files: MemoryFiles, data: bytes) -> bool:
    """Tell whether MEMORY.md begins so. Raises: StorageError."""
    return (read_bytes(files.place(PRIMARY)) or b"").startswith(data)


def write_private(files: MemoryFiles, name: str, data: bytes) -> None:
    """Replace a file, which others may not read where it is new. Raises: StorageError."""
    if not os.path.lexists(files.place(name)):
        add_unsynced(files, name, b"")
    write_atomic(files.place(name), data, files.workspace.cache)


def remove(files: MemoryFiles, name: str) -> None:
    """Remove a file, or an empty folder, if it is there. Raises: StorageError."""
    place = files.place(name)
    try:
        with contextlib.suppress(FileNotFoundError):
            if os.path.isdir(place) and not os.path.islink(place):
                nofollow.remove_folder(place)
            else:
                nofollow.unlink(place)
    except OSError as error:
        raise _refused(files, name, error) from error


def _refused(files: MemoryFiles, name: str, error: OSError) -> StorageError:
    return failed(f"write {files.path(name)}", error, "nothing was changed; free space or fix its permissions")


try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be replaced at all
    fcntl = None  # type: ignore[assignment]

_LATE_PAUSE_SECONDS = 0.015
_PATIENCE_SECONDS = 2.0
"""How long one waits for somebody who does have it open; who appends opens, writes and closes at once."""
_LATE_CHECKS = 20
"""Where the system does not say who has a file open."""


def written_late(handle: int, length: int, is_shared: bool) -> bytes:
    """Return what an old file, opened for reading only, holds behind `length` when nobody writes to it any more.

    `is_shared` says that others are known to write, which is all there is to go by on some systems. Raises: OSError.
    """
    end = time.monotonic() + _PATIENCE_SECONDS
    looks = _LATE_CHECKS if is_shared else 1
    while (is_open := _is_open_for_writing(handle)) is not False:
        if is_open is None:
            looks -= 1
        if looks <= 0 or time.monotonic() > end:
            break
        time.sleep(_LATE_PAUSE_SECONDS)
    return os.pread(handle, os.fstat(handle).st_size - length, length)


def _is_open_for_writing(handle: int) -> bool | None:
    """Tell whether anybody has a file open for writing; None where the system does not say.

    A read lease (fcntl(2)) is given only when nobody has.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        # Who breaks a lease makes its holder get a signal: one that does nothing.
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    with suppress(OSError):
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False
