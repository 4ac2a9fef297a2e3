"""Line lookup by byte offset, and checksums that identify equal lines."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate
from zlib import crc32

BLANKS = " \t\n\r\v\f"
"""Characters stripped from both ends of a line; the same set for text and bytes."""
_BLANK_BYTES = BLANKS.encode()
LEAST = 6
"""Minimum length in characters of a line with a checksum; shorter lines are mostly brackets."""


def line_sum(line: str) -> int:
    """Return the CRC-32 of a line without surrounding whitespace; 0 for a line shorter than `LEAST`."""
    line = line.strip(BLANKS)
    if len(line) < LEAST:
        return 0
    return crc32(line.encode("utf-8", "replace"))


def line_sums(text: str) -> array[int]:
    """Return the `line_sum` of each line. A trailing newline does not start another line."""
    lines = text.removesuffix("\n")
    if not text.isascii():
        return array("I", map(line_sum, lines.split("\n")))
    if not text:
        return array("I")
    # Fast path: encodes the text once and avoids a function call per line.
    rows = [row.strip(_BLANK_BYTES) for row in lines.encode().split(b"\n")]
    return array("I", [crc32(row) if len(row) >= LEAST else 0 for row in rows])


class LineTable:
    """Index of the line starts of a UTF-8 text, searched by bisection; `first` is the number of its first line."""

    __slots__ = ("data", "first", "starts")

    def __init__(self, data: bytes, first: int = 1) -> None:
        self.data = data
        self.first = first
        self.starts = [0, *accumulate([len(line) + 1 for line in data.split(b"\n")])]

    @property
    def last(self) -> int:
        """The number of the last line; a trailing newline does not start another line."""
        return self.line(max(len(self.data) - 1, 0))

    def line(self, offset: int) -> int:
        """Return the number of the line that contains the byte at `offset`."""
        return bisect_right(self.starts, offset) + self.first - 1

    def last_line(self, start: int, end: int) -> int:
        """Return the number of the line of the last non-blank byte in `start:end`."""
        data = self.data
        while end > start + 1 and data[end - 1] in b" \t\n":
            end -= 1
        return self.line(max(end - 1, start))

    def offset(self, line: int) -> int:
        """Return the offset of the first byte of a line."""
        return self.starts[line - self.first]
