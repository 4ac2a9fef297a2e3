"""When a record was written, and which of two is the older one."""

from __future__ import annotations

from datetime import UTC, datetime

from cuedeck.model.record import Record
from cuedeck.parse.moments import moment_of

_FIRST = datetime.min.replace(tzinfo=UTC)

Age = tuple[datetime, int, str, str]


def age_of(record: Record) -> Age:
    """Return what records are ordered by: time, line, id, text. One without a time counts as the oldest."""
    return moment_of(record.timestamp) or _FIRST, record.line, record.id, record.text
