"""Find stale records, and records without a valid timestamp."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from cuedeck.model.memory_record import CONFIRMED, Record, category_of
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.integrity.finding_values import INFO, STALE, UNDATED, WARNING, Finding, confirm, forget, shown

MAX_LISTED = 20
"""Stale records of low value that are listed; the others are counted."""


def find_stale(records: Sequence[Record], now: datetime, stale_days: int) -> list[Finding]:
    """Return the findings on the age of records, which must be sorted oldest first.

    Order: records without a timestamp, protected records, then the others, each oldest first.
    """
    dated = [(record, _last_said(record)) for record in records]
    found = [_undated(record) for record, moment in dated if moment is None]
    # A limit before year 1 is not representable; nothing is stale then.
    limit = timedelta(days=min(max(stale_days, 0), (now.replace(tzinfo=None) - datetime.min).days))
    old = [
        record
        for record, moment in dated
        if moment is not None and category_of(record.category).ages and now - moment > limit
    ]
    found += [_stale(record, stale_days, WARNING, confirm(record.id)) for record in old if record.is_protected]
    return found + list(_ordinary([record for record in old if not record.is_protected], stale_days))


def _ordinary(old: Sequence[Record], stale_days: int) -> Iterable[Finding]:
    for record in old[:MAX_LISTED]:
        yield _stale(record, stale_days, INFO, forget(record.id))
    rest = old[MAX_LISTED:]
    if rest:
        message = (
            f"{len(rest):,} more records of little value are older than {stale_days} days, {shown(rest[0].id)} first"
        )
        yield Finding(rest[0].id, "", STALE, INFO, message, "cuedeck memory compact")


def _stale(record: Record, stale_days: int, severity: str, command: str) -> Finding:
    return Finding(record.id, "", STALE, severity, f"{shown(record.id)} is older than {stale_days} days", command)


def _undated(record: Record) -> Finding:
    return Finding(record.id, "", UNDATED, INFO, f"{shown(record.id)} has no valid timestamp", confirm(record.id))


def _last_said(record: Record) -> datetime | None:
    """Return the time of the last confirmation of a record, or of its creation."""
    confirmed = record.value.get(CONFIRMED)
    later = moment_of(confirmed) if isinstance(confirmed, str) else None
    made = moment_of(record.timestamp)
    return max(later, made) if later and made else later or made


_FIRST = datetime.min.replace(tzinfo=UTC)

Age = tuple[datetime, int, str, str]


def age_of(record: Record) -> Age:
    """Return the sort key of records: time, line, id, text. A record without a time is the oldest."""
    return moment_of(record.timestamp) or _FIRST, record.line, record.id, record.text
