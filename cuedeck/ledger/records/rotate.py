"""Replacement of a large MEMORY.md by a compacted one. Slow steps run without the lock,
so that appends hardly wait.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from cuedeck.ledger.records.late_appends import written_late
from cuedeck.ledger.records.memory_files import PRIMARY, MemoryFiles
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.append import appending
from cuedeck.store.files.disk import failed, write_atomic
from cuedeck.store.files.fingerprint import Print, is_settled

_PIECE = 1 << 20
_LOOKS = 6
_LOOK_SECONDS = 0.05
"""Pause between two checks of a file that was changed too recently (racy rule)."""
_PAUSE_SECONDS = 0.015
"""Longer than the retry interval of processes that wait for the lock, so that they get
it.
"""


def add_unsynced(files: MemoryFiles, name: str, data: bytes) -> int:
    """Append whole lines to a file; return its previous length. `sync` makes the lines
    durable.

    The caller must hold the lock. Raises: StorageError, with the file unchanged.
    """
    with appending(files.place(name), synced=False) as end:
        end.add(data)
        return end.before


def add_in_pieces(files: MemoryFiles, name: str, data: bytes) -> int:
    """Append whole lines to a file in pieces, releasing the lock in between; return its
    previous length.

    Raises: Locked, StorageError; pieces already appended are kept.
    """
    start, first = 0, -1
    while start < len(data) or first < 0:
        end = data.find(b"\n", start + _PIECE) + 1 or len(data)
        with writing(files):
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


def exchange(
    files: MemoryFiles, old: bytes, new: bytes, known: Print | None = None
) -> bool:
    """Replace `old` by `new` at the beginning of MEMORY.md; keep everything appended
    after it.

    The caller must hold the lock. `known` is the fingerprint from `proven`; while it is
    current, the comparison with `old` is skipped. Returns: False, with nothing changed,
    if MEMORY.md does not begin with `old`. Raises: StorageError, with nothing changed.
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
            late = written_late(file.fileno(), len(old) + len(added))
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

    `known` is an earlier result. Returns: None if it does not begin with `old`, or
    changes too often.
    """
    for _ in range(_LOOKS):
        if known is not None and files.print(PRIMARY) == known:
            return known
        known = reliable_fingerprint(files)
        if known is None:
            time.sleep(_LOOK_SECONDS)
        elif not begins_with(files, old):
            return None
    return None


def reliable_fingerprint(files: MemoryFiles) -> Print | None:
    """Return the fingerprint of MEMORY.md, or None if it is missing or too recent to be
    reliable (racy rule).
    """
    found = files.print(PRIMARY)
    if found is not None and is_settled(found):
        return found
    return None


@contextmanager
def held_open(files: MemoryFiles, name: str) -> Iterator[None]:
    """Keep a file open until the end of the block.

    The system frees a replaced file when it is closed, which is slow for a large one:
    enter this block before taking the lock, so that the lock is released first.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            file = open(  # noqa: SIM115 - the stack closes it
                files.place(name), "rb", buffering=0, opener=nofollow.opener
            )
            stack.enter_context(file)
        yield


def begins_with(files: MemoryFiles, data: bytes) -> bool:
    """Return whether MEMORY.md begins with `data`. Raises: StorageError."""
    return (files.data(PRIMARY) or b"").startswith(data)


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
    return failed(
        f"write {files.path(name)}",
        error,
        "nothing was changed; free space or fix its permissions",
    )
