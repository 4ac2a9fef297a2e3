"""Reading and writing files: whole, atomic, durable."""

from __future__ import annotations

import contextlib
import os

from cuedeck.model.errors import StorageError


def read_bytes(place: str) -> bytes | None:
    """Return the content of a file, or None when it is not there.

    Raises: StorageError when it is there and cannot be read.
    """
    try:
        with open(place, "rb", buffering=0) as file:
            return file.readall()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StorageError(f"cannot read {place}: {error.strerror}", hint="check its permissions") from error


def read_text(place: str) -> str | None:
    """Return the UTF-8 text of a small file of ours, or None when it is not there."""
    data = read_bytes(place)
    return None if data is None else data.decode("utf-8", "replace")


def write_if_changed(place: str, data: bytes, scratch: str) -> bool:
    """Replace a file only when its bytes differ, so that a watcher of it cannot chase itself."""
    with contextlib.suppress(StorageError):
        if read_bytes(place) == data:
            return False
    write_atomic(place, data, scratch)
    return True


def write_atomic(place: str, data: bytes, scratch: str = "") -> None:
    """Replace a file: temporary file, fsync, rename. Readers see the old bytes or the new ones.

    `scratch` is a folder of the same file system for the temporary file; default: beside the file.
    Raises: StorageError, with the old file untouched.
    """
    folder = scratch or os.path.dirname(place)
    temporary = os.path.join(folder, f".{os.path.basename(place)}.{os.getpid()}.tmp")
    try:
        os.makedirs(folder, exist_ok=True)
        mode = _mode(place)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        try:
            with open(handle, "wb", closefd=True) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, place)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise StorageError(
            f"cannot write {place}: {error.strerror}",
            hint="the old file is untouched; free space or fix its permissions",
        ) from error


def create(place: str, data: bytes) -> bool:
    """Write a new file durably; tell whether it is new. An existing file stays as it is.

    Raises: StorageError.
    """
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        return False
    except OSError as error:
        raise StorageError(
            f"cannot write {place}: {error.strerror}", hint="free space or fix the permissions"
        ) from error
    return True


def _mode(place: str) -> int:
    """Keep the permissions of the file that is replaced."""
    try:
        return os.stat(place).st_mode & 0o777
    except OSError:
        return 0o644
