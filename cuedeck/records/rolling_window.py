"""The rolling window: how many of the oldest records leave a file that became too long."""

from __future__ import annotations

from typing import NamedTuple

from cuedeck.parse.record_file import parse_line

_SLACK = 50
"""A window that is over drops at least the fiftieth part of its limit, so that most appends drop nothing."""


class Window(NamedTuple):
    """Limits of a file of records; 0 for none."""

    max_records: int
    max_chars: int
    """Code points of the whole file."""

    def is_over(self, records: int, chars: int) -> bool:
        """Tell whether a file is beyond a limit."""
        return bool((self.max_records and records > self.max_records) or (self.max_chars and chars > self.max_chars))


def oldest_over(data: bytes, window: Window, records: int, chars: int) -> tuple[bytes, int, tuple[str, ...]]:
    """Return what stays of the front of a file, where the rest begins, and the lines of the records that leave.

    `records` and `chars` say what the file holds. As many of the oldest records leave as are over; what is no record
    stays, and the newest record always does. Only the front is looked at.
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
