"""Reading of the part of a file that is new: memory files mostly grow at their end."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import failed, look_at
from cuedeck.store.files.fingerprint import Print, is_settled, print_of
from cuedeck.store.files.nofollow import LARGEST_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

TAIL = 4_096
"""Bytes before the end of the known part that are compared before a file counts as
grown.
"""


class Known(NamedTuple):
    """The state of a file when it was read."""

    print: Print
    checked_ns: int
    """Time of the read."""
    offset: int
    """Bytes of the known part, which is not read again while the file grows."""
    sum: int
    """CRC-32 of the known part."""
    tail: int
    """CRC-32 of its last `TAIL` bytes."""
    rest: int
    """CRC-32 of the bytes after it."""


class Growth(NamedTuple):
    """Content of a file after a change."""

    print: Print
    checked_ns: int
    known: Known | None
    """State whose part is unchanged; None if the whole file has to be read."""
    data: bytes
    """Bytes after the known part."""
    before: bytes
    """At most `TAIL` bytes before `data`."""

    @property
    def is_unchanged(self) -> bool:
        """Whether the content is that of the known state."""
        if self.known is None or self.print.size != self.known.print.size:
            return False
        return _crc(self.data) == self.known.rest

    def advanced(self, length: int) -> Known:
        """Return the state after `length` bytes of `data` belong to the known part."""
        start = total = 0
        if self.known:
            start = self.known.offset
            total = self.known.sum
        part = self.data[:length]
        tail = (self.before + part)[-TAIL:]
        return Known(
            self.print,
            self.checked_ns,
            start + length,
            _crc(part, total),
            _crc(tail),
            _crc(self.data[length:]),
        )


def print_if_changed(place: str, known: Known | None) -> Print | None:
    """Return the fingerprint of a regular file; None if it is certainly unchanged.

    Raises: FileNotFoundError, OSError.
    """
    now = _print(os.stat(place))
    if known is None or known.print != now:
        return now
    return None if is_settled(now, known.checked_ns) else now


def read_growth(
    place: str, known: Known | None, opener: Callable[[str, int], int]
) -> Growth:
    """Read the new part of a file.

    `opener` is that of `open`: `nofollow.opener` refuses symbolic links, and
    `unblocked` follows them.

    A longer file counts as grown if the end of the known part is the same; a file of
    equal or smaller size is compared as a whole. Raises: StorageError.
    """
    try:
        with open(place, "rb", buffering=0, opener=opener) as file:
            checked_ns = time.time_ns()
            now = _print(os.fstat(file.fileno()))
            if now.size > LARGEST_FILE:
                raise StorageError(
                    f"{place} has {now.size:,} bytes, the limit is {LARGEST_FILE:,}",
                    hint="divide it into smaller files",
                )
            start = 0
            if known is not None and now.size > known.print.size:
                start = max(0, known.offset - TAIL)
            file.seek(start)
            data = _read(file.fileno(), now.size - start)
    except FileNotFoundError:
        raise
    except OSError as error:
        hint = "check its permissions"
        raise failed(f"read {place}", error, hint) from error
    if known is None:
        return Growth(now, checked_ns, None, data, b"")
    length = known.offset - start
    head = data[:length]
    if start or now.size > known.print.size:
        is_same = _crc(head[-TAIL:]) == known.tail
    else:
        is_same = len(head) == length and _crc(head) == known.sum
    if is_same:
        return Growth(now, checked_ns, known, data[length:], head[-TAIL:])
    if start:
        return read_growth(place, None, opener)
    return Growth(now, checked_ns, None, data, b"")


def is_changed_in_place(place: str, known: Known) -> bool:
    """Return whether the known part of a file differs although its fingerprint is the
    same.
    """
    if not place or print_of(place) != known.print:
        return False
    data = look_at(place)[: known.offset]
    return _crc(data) != known.sum


def _crc(data: bytes, before: int = 0) -> int:
    """Return the CRC-32 of bytes that follow others with the CRC-32 `before`."""
    import zlib  # most files are unchanged

    return zlib.crc32(data, before)


def _read(handle: int, size: int) -> bytes:
    """Return up to `size` bytes; bytes appended meanwhile are read the next time."""
    parts = []
    while size > 0:
        part = os.read(handle, size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _print(found: os.stat_result) -> Print:
    return Print(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
