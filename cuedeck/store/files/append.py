"""Durable appends of whole lines: all bytes reach the disk, or the file is truncated to
its old length.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed
from cuedeck.store.files.nofollow import PRIVATE

COMMITTED = 0o666
"""Permissions of a new committed file, before the umask."""
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT
_CHUNK = 1 << 20
"""Largest file, in bytes, that is checked for containing only whitespace."""


class End:
    """The append position of an open file; `before` is the size of the file when it was
    opened.
    """

    def __init__(self, handle: int, *, synced: bool) -> None:
        self._handle = handle
        self._synced = synced
        self.before = os.fstat(handle).st_size
        self._after = self.before

    def add(self, data: bytes, header: bytes = b"") -> bytes:
        """Append `data` on a new line; in an empty or blank file, write `header` first
        and drop the whitespace.

        Returns: all bytes written. Raises: OSError, after truncating the file to its
        old content (a blank file to 0).
        """
        last = b""
        if self.before:
            last = os.pread(self._handle, 1, self.before - 1)
        if (
            header
            and self.before <= _CHUNK
            and not os.pread(self._handle, _CHUNK, 0).strip()
        ):
            os.ftruncate(self._handle, 0)
            self.before, data = 0, header + data
        elif last not in (b"", b"\n"):
            data = b"\n" + data
        try:
            written = 0
            while written < len(data):
                written += os.write(self._handle, data[written:])
            if self._synced:
                os.fsync(self._handle)
        except OSError:
            os.ftruncate(self._handle, self.before)  # do not leave a partial line
            raise
        self._after = self.before + len(data)
        return data

    def take_back(self) -> None:
        """Remove the appended bytes, unless another process has appended after them."""
        with contextlib.suppress(OSError):
            if os.fstat(self._handle).st_size == self._after:
                os.ftruncate(self._handle, self.before)
                os.fsync(self._handle)


@contextlib.contextmanager
def appending(place: str, mode: int = PRIVATE, *, synced: bool = True) -> Iterator[End]:
    """Open a file for appending; create it and its folder if missing.

    With `synced=False` appended bytes may not be durable on return. Raises:
    StorageError, also for a pipe or a device, which would not keep the bytes.
    """
    try:
        is_new = not os.path.exists(place)
        if is_new:
            nofollow.make_folder(os.path.dirname(place))
        handle = nofollow.open_file(place, _FLAGS, mode)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise StorageError(
                    f"cannot write {place}: it is not a regular file",
                    hint="rename or remove it; nothing was added",
                )
            yield End(handle, synced=synced)
        finally:
            os.close(handle)
        if is_new and synced:
            nofollow.sync_folder(os.path.dirname(place))
    except OSError as error:
        raise failed(
            f"write {place}",
            error,
            "nothing was added; free space or fix its permissions",
        ) from error
