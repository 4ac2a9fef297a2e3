"""Replacement of a large MEMORY.md by a compacted one. Slow steps run without the lock, so that appends hardly wait."""

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
"""Pause between two checks of a file that was changed too recently (racy rule)."""
_PAUSE_SECONDS = 0.015
"""Longer than the retry interval of processes that wait for the lock, so that they get it."""


def add_unsynced(files: MemoryFiles, name: str, data: bytes) -> int:
    """Append whole lines to a file; return its previous length. `sync` makes the lines durable.

    The caller must hold the lock. Raises: StorageError, with the file unchanged.
    """
    with appending(files.place(name), synced=False) as end:
        end.add(data)
        return end.before


def add_in_pieces(files: MemoryFiles, name: str, data: bytes) -> int:
    """Append whole lines to a file in pieces, releasing the lock in between; return its previous length.

    Raises: Locked, StorageError; pieces already appended are kept.
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
    """Make a file durable (fsync). Raises: StorageError."""
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
    """Replace `old` by `new` at the beginning of MEMORY.md; keep everything appended after it.

    The caller must hold the lock. `known` is the fingerprint from `proven`; while it is current, the comparison with
    `old` is skipped.
    Returns: False, with nothing changed, if MEMORY.md does not begin with `old`.
    Raises: StorageError, with nothing changed.
    """
    place = files.place(PRIMARY)
    try:
        with open(place, "rb", buffering=0, opener=nofollow.opener) as file:
            if known is not None and files.print(PRIMARY) == known:
                file.seek(len(old))
                added = file.readall() or b""
            else:
                data = nofollow.read_open(file)
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
    """Return a fingerprint that proves that MEMORY.md begins with `old`; needs no lock.

    `known` is an earlier result. Returns: None if it does not begin with `old`, or changes too often.
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
    """Return the fingerprint of a file, or None if it is missing or too recent to be reliable (racy rule)."""
    found = files.print(name)
    return found if found is not None and is_settled(found) else None


@contextmanager
def held_open(files: MemoryFiles, name: str) -> Iterator[None]:
    """Keep a file open until the end of the block.

    The system frees a replaced file when it is closed, which is slow for a large one: enter this block before taking
    the lock, so that the lock is released first.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(open(files.place(name), "rb", buffering=0))
        yield


def begins_with(files: MemoryFiles, data: bytes) -> bool:
    """Return whether MEMORY.md begins with `data`. Raises: StorageError."""
    return (read_bytes(files.place(PRIMARY)) or b"").startswith(data)


def write_private(files: MemoryFiles, name: str, data: bytes) -> None:
    """Replace a file; a new one is readable by its owner only. Raises: StorageError."""
    if not os.path.lexists(files.place(name)):
        add_unsynced(files, name, b"")
    write_atomic(files.place(name), data, files.workspace.cache)


def remove(files: MemoryFiles, name: str) -> None:
    """Remove a file or an empty folder if it exists. Raises: StorageError."""
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
except ImportError:  # Windows, where an open file cannot be replaced
    fcntl = None  # type: ignore[assignment]

_LATE_PAUSE_SECONDS = 0.015
_PATIENCE_SECONDS = 2.0
"""Maximum wait for another writer of the old file; a writer that appends closes the file at once."""
_LATE_CHECKS = 20
"""Number of pauses on systems that cannot report whether a file is open for writing."""


def written_late(handle: int, length: int, is_shared: bool) -> bytes:
    """Return the bytes that another program appended after `length` to a file that has been replaced.

    Waits until no process has the old file open for writing, at most two seconds. `handle` must be read-only.
    `is_shared` says that other writers are known; on systems that cannot report open files the wait needs it.
    Raises: OSError.
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
    """Return whether a process has a file open for writing; None if the system cannot report it.

    Linux grants a read lease (fcntl(2)) only if no process has.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        # The kernel signals the holder when its lease is broken: choose a signal that is ignored by default.
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    with suppress(OSError):
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False
