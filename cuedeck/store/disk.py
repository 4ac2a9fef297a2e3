"""Reading and writing files: whole, atomic, durable."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable

from cuedeck.model.errors import StorageError

_UNBLOCKED = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
"""A named pipe in the place of a file reads as empty; opened plainly, it would be waited for without end."""


def read_bytes(place: str) -> bytes | None:
    """Return the content of a file, or None when it is not there.

    Raises: StorageError when it is there and cannot be read.
    """
    try:
        with open(place, "rb", buffering=0, opener=unblocked) as file:
            return file.readall() or b""
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StorageError(f"cannot read {place}: {error.strerror}", hint="check its permissions") from error


def look_at(place: str) -> bytes:
    """Return the content of a file that is not ours to mend; empty when it is not there or cannot be read."""
    try:
        return read_bytes(place) or b""
    except StorageError:
        return b""


def unblocked(place: str, flags: int) -> int:
    """Open a file without waiting for whoever is at its other end; an `opener` of `open`."""
    return os.open(place, flags | _UNBLOCKED)


def read_text(place: str) -> str | None:
    """Return the UTF-8 text of a small file of ours, or None when it is not there."""
    data = read_bytes(place)
    return None if data is None else data.decode("utf-8", "replace")


def write_if_changed(place: str, data: bytes, scratch: str) -> bool:
    """Replace a generated file only when its bytes differ, so that a watcher of it cannot chase itself.

    A symbolic link in its place is replaced by a file: what is generated is never written through a link.
    Raises: StorageError.
    """
    with contextlib.suppress(StorageError):  # what cannot be read may still be replaced
        if not os.path.islink(place) and read_bytes(place) == data:
            return False
    _replace(place, data, scratch)
    return True


def write_atomic(place: str, data: bytes, scratch: str = "") -> None:
    """Replace a file: temporary file, fsync, rename. Readers see the old bytes or the new ones.

    `scratch` is a folder for the temporary file, so that nobody meets it beside the file; where nothing can
    be written in it, or nothing moved out of it, the file's own folder serves. The permissions stay, and a
    symbolic link: the file it leads to is the one that is replaced.
    Raises: StorageError, with the old file untouched; also for a device or a pipe, which must never be replaced.
    """
    if os.path.exists(place) and not os.path.isfile(place):
        raise StorageError(f"cannot write {place}: it is no plain file", hint="nothing was changed")
    _replace(os.path.realpath(place), data, scratch)


def create(place: str, data: bytes, scratch: str = "", mode: int | None = None) -> bool:
    """Write a new file durably and as a whole; tell whether it is new. An existing file stays as it is.

    `mode` are its permissions; None leaves them to the system.
    Raises: StorageError.
    """
    try:
        if os.path.lexists(place):
            return False
        os.makedirs(os.path.dirname(place), exist_ok=True)
        _place(place, data, scratch, _claim, mode)
    except FileExistsError:
        return False
    except OSError as error:
        raise StorageError(
            f"cannot write {place}: {error.strerror}", hint="free space or fix the permissions"
        ) from error
    return True


def sync_folder(folder: str) -> None:
    """Make the names in a folder durable, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_through(place: str, data: bytes) -> None:
    """Write to what a person names: a device or a pipe is written to, everything else is replaced as a whole.

    Raises: StorageError.
    """
    if os.path.isfile(place) or not os.path.exists(place):
        write_atomic(place, data)
        return
    try:
        with open(place, "wb") as file:
            file.write(data)
    except OSError as error:
        raise StorageError(f"cannot write {place}: {error.strerror}", hint="give the name of a file") from error


def _replace(place: str, data: bytes, scratch: str) -> None:
    try:
        _place(place, data, scratch, os.replace, _mode(place))
    except OSError as error:
        raise StorageError(
            f"cannot write {place}: {error.strerror}",
            hint="the old file is untouched; free space or fix its permissions",
        ) from error


def _place(place: str, data: bytes, scratch: str, move: Callable[[str, str], None], mode: int | None) -> None:
    """Write a temporary file and move it to its place; no temporary file stays behind."""
    beside = os.path.dirname(place)
    if scratch and scratch != beside and _is_usable(scratch):
        try:
            _place_from(scratch, place, data, move, mode)
        except FileExistsError:
            raise
        except OSError:  # read-only, full, or of another file system
            _place_from(beside, place, data, move, mode)
    else:
        os.makedirs(beside, exist_ok=True)
        _place_from(beside, place, data, move, mode)


def _place_from(folder: str, place: str, data: bytes, move: Callable[[str, str], None], mode: int | None) -> None:
    temporary = os.path.join(folder, f".{os.path.basename(place)}.{os.getpid()}.tmp")
    try:
        # Whoever opens a file while it may be read reads on when it may not any more.
        with open(temporary, "wb", opener=None if mode is None else _private) as file:
            if mode is not None:
                os.chmod(temporary, mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        move(temporary, place)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _private(place: str, flags: int) -> int:
    return os.open(place, flags, 0o600)


def _is_usable(scratch: str) -> bool:
    try:
        os.makedirs(scratch, exist_ok=True)
    except OSError:
        return False
    return True


def _claim(temporary: str, place: str) -> None:
    """Give a finished file its name unless somebody else has it. Raises: FileExistsError."""
    try:
        os.link(temporary, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links: the name is taken first and filled then
        with open(place, "xb"):
            pass
        try:
            os.replace(temporary, place)
        except OSError:
            os.unlink(place)
            raise


def _mode(place: str) -> int | None:
    """Return the permissions of the file that is replaced; None leaves them to the system."""
    try:
        found = os.lstat(place)
    except OSError:
        return None
    return stat.S_IMODE(found.st_mode) & 0o777 if stat.S_ISREG(found.st_mode) else None
