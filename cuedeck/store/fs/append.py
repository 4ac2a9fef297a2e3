"""Adding to the end of a file: whole lines on disk, or nothing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import failed
from cuedeck.store.fs.nofollow import PRIVATE

COMMITTED = 0o666
"""Permissions of a new file that is committed, but for what the system takes away."""
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT
_CHUNK = 1 << 20
"""Bytes of a file that may be nothing but blanks."""


class End:
    """The end of an open file, at `before` bytes when it was opened."""

    def __init__(self, handle: int, *, synced: bool) -> None:
        self._handle = handle
        self._synced = synced
        self.before = os.fstat(handle).st_size
        self._after = self.before

    def add(self, data: bytes, header: bytes = b"") -> bytes:
        """Write behind what is there, on a line of its own; a blank file begins with `header`.

        Returns: all that was written. Raises: OSError, with the file as it was, but for the blanks of a blank one.
        """
        last = os.pread(self._handle, 1, self.before - 1) if self.before else b""
        if header and self.before <= _CHUNK and not os.pread(self._handle, _CHUNK, 0).strip():
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
            os.ftruncate(self._handle, self.before)  # half a line must not stay
            raise
        self._after = self.before + len(data)
        return data

    def take_back(self) -> None:
        """Cut off what was written, unless somebody wrote behind it."""
        with contextlib.suppress(OSError):
            if os.fstat(self._handle).st_size == self._after:
                os.ftruncate(self._handle, self.before)
                os.fsync(self._handle)


@contextlib.contextmanager
def appending(place: str, mode: int = PRIVATE, *, synced: bool = True) -> Iterator[End]:
    """Open a file at its end; it is made, with its folder, when it is missing.

    Without `synced` what is added may not be on disk when this returns. Raises: StorageError.
    """
    try:
        is_new = not os.path.exists(place)
        if is_new:
            nofollow.make_folder(os.path.dirname(place))
        handle = nofollow.open_file(place, _FLAGS, mode)
        try:
            yield End(handle, synced=synced)
        finally:
            os.close(handle)
        if is_new and synced:
            nofollow.sync_folder(os.path.dirname(place))
    except OSError as error:
        raise failed(f"write {place}", error, "nothing was added; free space or fix its permissions") from error
