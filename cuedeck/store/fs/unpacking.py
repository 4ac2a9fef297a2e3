"""Unpacking LZ4 frames up to a size: a few bytes can unpack to any number of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MOST_BYTES = 64_000_000
"""Unpacked size of a session, of one frame of the archive and of a kept scene; those in use are far smaller."""


class TooLarge(ValueError):
    """A frame that unpacks to more than the limit."""

    def __init__(self, most: int) -> None:
        super().__init__(f"it unpacks to more than {most:,} bytes")


def unpack(data: bytes, most: int = MOST_BYTES) -> bytes:
    """Return the content of one frame. Raises: TooLarge; RuntimeError for what is no whole frame."""
    frame, unpacked = _begin(data, most)
    if not frame.eof:
        raise RuntimeError("the LZ4 frame is cut short")
    return unpacked


def unpack_frames(data: bytes, most: int = MOST_BYTES) -> Iterator[tuple[bytes, int]]:
    """Yield the content of each frame of a sequence, and where the frame ends; what is no whole frame ends it.

    Raises: TooLarge for a frame above the limit.
    """
    at = 0
    while at < len(data):
        try:
            frame, unpacked = _begin(data[at:], most)
        except RuntimeError:
            return
        if not frame.eof:
            return
        at = len(data) - len(frame.unused_data or b"")
        yield unpacked, at


def _begin(data: bytes, most: int) -> tuple[Any, bytes]:
    import lz4.frame

    frame = lz4.frame.LZ4FrameDecompressor()
    unpacked: bytes = frame.decompress(data, most + 1)
    if len(unpacked) > most:
        raise TooLarge(most)
    return frame, unpacked
