"""LZ4 decompression with a size limit, as protection against decompression bombs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MOST_BYTES = 64_000_000
"""Default limit, far above the size of any real session, archive frame or cached scene.
"""


class TooLarge(ValueError):
    """Raised for a frame that unpacks to more than the limit."""

    def __init__(self, most: int) -> None:
        super().__init__(f"it unpacks to more than {most:,} bytes")


def unpack(data: bytes, most: int = MOST_BYTES) -> bytes:
    """Return the content of one frame. Raises: TooLarge; RuntimeError for an invalid or
    incomplete frame.
    """
    frame, unpacked = _begin(data, most)
    if not frame.eof:
        raise RuntimeError("the LZ4 frame is cut short")
    return unpacked


def unpack_frames(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield (content, end position) of each frame of a sequence; stop at an invalid or
    incomplete frame.

    Raises: TooLarge for a frame above the limit.
    """
    at = 0
    while at < len(data):
        try:
            frame, unpacked = _begin(data[at:], MOST_BYTES)
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
