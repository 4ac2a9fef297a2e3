"""Byte offsets to line numbers."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


class LineTable:
    """The line starts of a text, searched by bisection."""

    __slots__ = ("data", "first", "starts")

    def __init__(self, data: bytes, first: int = 1) -> None:
        self.data = data
        self.first = first
        lengths = map(len, data.split(b"\n"))
        self.starts = list(accumulate(lengths, lambda at, length: at + length + 1, initial=0))

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
