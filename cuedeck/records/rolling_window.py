"""Rolling window of a record file: selection of the oldest records to drop when it exceeds a limit."""

from __future__ import annotations

from typing import NamedTuple

from cuedeck.parse.record_file import parse_line

_SLACK = 50
"""An oversized file drops at least 1/50 of its limit, so that most appends drop nothing."""


class Window(NamedTuple):
    """Limits of a file of records; 0 means unlimited."""

    max_records: int
    max_chars: int
    """Code points of the whole file."""

    def is_over(self, records: int, chars: int) -> bool:
        """Return whether a file exceeds a limit."""
        return bool((self.max_records and records > self.max_records) or (self.max_chars and chars > self.max_chars))


def oldest_over(data: bytes, window: Window, records: int, chars: int) -> tuple[bytes, int, tuple[str, ...]]:
    """Return the kept lines of the front, the offset where the untouched rest starts, and the dropped record lines.

    `records` and `chars` are the size of the file. The oldest records are dropped until it is within the limits; lines
    that are not records and the newest record always stay. Only the front of the file is read.
    """
    over_records = _excess(records, window.max_records)
    over_chars = _excess(chars, window.max_chars)
    kept: list[bytes] = []
    dropped: list[str] = []
    freed, at = 0, 0
    while at < len(data) and len(dropped) < records - 1 and (len(dropped) < over_records or freed < over_chars):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at:end].decode("utf-8", "surrogateescape")
        if parse_line(line).record is not None:
            dropped.append(line)
            freed += len(line) + 1
        else:
            kept.append(data[at : end + 1])
        at = end + 1
    return b"".join(kept), min(at, len(data)), tuple(dropped)


def _excess(held: int, limit: int) -> int:
    return max(held - limit, limit // _SLACK) if limit and held > limit else 0
