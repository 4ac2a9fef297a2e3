"""Rolling window of a record file: selection of the oldest records to drop when it
exceeds a limit.
"""

from __future__ import annotations

from typing import NamedTuple

from cuedeck.ledger.records.record_file import parse_line

_SLACK = 50
"""An oversized file drops at least 1/50 of its limit, so that most appends drop
nothing.
"""


class Window(NamedTuple):
    """Limits of a file of records; 0 means unlimited."""

    max_records: int
    max_chars: int
    """Code points of the whole file."""

    def is_over(self, records: int, chars: int) -> bool:
        """Return whether a file exceeds a limit."""
        has_too_many_records = 0 < self.max_records < records
        has_too_many_chars = 0 < self.max_chars < chars
        return has_too_many_records or has_too_many_chars


def oldest_over(
    data: bytes, window: Window, records: int, chars: int
) -> tuple[bytes, int, tuple[str, ...]]:
    """Return the kept lines of the front, the offset where the untouched rest starts,
    and the dropped record lines.

    `records` and `chars` are the size of the file. The oldest records are dropped until
    it is within the limits; lines that are not records and the newest record always
    stay. Only the front of the file is read.
    """
    over_records = _excess(records, window.max_records)
    over_chars = _excess(chars, window.max_chars)
    kept: list[bytes] = []
    dropped: list[str] = []
    freed = 0
    start = 0
    while start < len(data) and len(dropped) < records - 1:
        if len(dropped) >= over_records and freed >= over_chars:
            break
        end = data.find(b"\n", start) + 1 or len(data)
        raw = data[start:end]
        line = raw.removesuffix(b"\n").decode("utf-8", "surrogateescape")
        if parse_line(line).record is None:
            kept.append(raw)
        else:
            dropped.append(line)
            freed += len(line) + 1
        start = end
    return b"".join(kept), start, tuple(dropped)


def _excess(size: int, limit: int) -> int:
    if limit == 0 or size <= limit:
        return 0
    return max(size - limit, limit // _SLACK)
