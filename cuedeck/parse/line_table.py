"""Lines of a text: which of them holds a byte, and sums by which equal ones are found again."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate
from zlib import crc32

BLANKS = " \t\n\r\v\f"
"""What is stripped from lines; the same for text and bytes."""
_BLANK_BYTES = BLANKS.encode()
LEAST = 6
"""Characters from which on a line says something: shorter ones are brackets and the like."""


def line_sum(line: str) -> int:
    """Return a sum of a line without the blanks around it; 0 when the line says nothing."""
    line = line.strip(BLANKS)
    return crc32(line.encode("utf-8", "replace")) if len(line) >= LEAST else 0


def line_sums(text: str) -> array[int]:
    """Return the `line_sum` of each line; a newline at the end begins no further one."""
    if text.isascii():
        # The same without a call and an encoding a line.
        rows = [row.strip(_BLANK_BYTES) for row in text.encode().removesuffix(b"\n").split(b"\n")]
        return array("I", [crc32(row) if len(row) >= LEAST else 0 for row in rows] if text else ())
    return array("I", map(line_sum, text.removesuffix("\n").split("\n")))


class LineTable:
    """The line starts of a text, searched by bisection."""

    __slots__ = ("data", "first", "starts")

    def __init__(self, data: bytes, first: int = 1) -> None:
        self.data = data
        self.first = first
        self.starts = [0, *accumulate([len(line) + 1 for line in data.split(b"\n")])]

    @property
    def last(self) -> int:
        """The number of the last line; a newline at the end begins no further one."""
        return self.line(max(len(self.data) - 1, 0))

    def line(self, offset: int) -> int:
        """Return the number of the line that holds the byte at `offset`."""
        return bisect_right(self.starts, offset) + self.first - 1

    def last_line(self, start: int, end: int) -> int:
        """Return the line of the last byte of `start:end` that is not blank."""
        data = self.data
        while end > start + 1 and data[end - 1] in b" \t\n":
            end -= 1
        return self.line(max(end - 1, start))

    def offset(self, line: int) -> int:
        """Return the offset of the first byte of a line."""
        return self.starts[line - self.first]
