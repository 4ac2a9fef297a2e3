"""Find stale records, and records without a valid timestamp."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from cuedeck.knowledge.integrity.finding_values import (
    INFO,
    STALE,
    UNDATED,
    WARNING,
    Finding,
    confirm,
    forget,
    shown,
)
from cuedeck.model.memory_record import CONFIRMED, Record
from cuedeck.model.record_categories import category_of
from cuedeck.text.timestamps import moment_of

MAX_LISTED = 20
"""Stale records of low value that are listed; the others are counted."""


def find_stale(
    records: Sequence[Record], now: datetime, stale_days: int
) -> list[Finding]:
    """Return the findings on the age of records, which must be sorted oldest first.

    Order: records without a timestamp, protected records, then the others, each oldest
    first.
    """
    # A limit before year 1 is not representable; nothing is stale then.
    longest = (now.replace(tzinfo=None) - datetime.min).days
    limit = timedelta(days=min(max(stale_days, 0), longest))
    undated: list[Finding] = []
    protected: list[Finding] = []
    ordinary: list[Record] = []
    for record in records:
        moment = _last_confirmed(record)
        if moment is None:
            undated.append(_undated(record))
        elif not category_of(record.category).ages or now - moment <= limit:
            continue
        elif record.is_protected:
            protected.append(_stale(record, stale_days, WARNING, confirm(record.id)))
        else:
            ordinary.append(record)
    return [*undated, *protected, *_ordinary(ordinary, stale_days)]


def _ordinary(old: Sequence[Record], stale_days: int) -> Iterable[Finding]:
    for record in old[:MAX_LISTED]:
        yield _stale(record, stale_days, INFO, forget(record.id))
    rest = old[MAX_LISTED:]
    if rest:
        first = rest[0].id
        message = f"{len(rest):,} more records of little value are older than {stale_days} days, {shown(first)} first"
        yield Finding(
            record=first,
            other="",
            kind=STALE,
            severity=INFO,
            message=message,
            command="cuedeck memory compact",
        )


def _stale(record: Record, stale_days: int, severity: str, command: str) -> Finding:
    return Finding(
        record=record.id,
        other="",
        kind=STALE,
        severity=severity,
        message=f"{shown(record.id)} is older than {stale_days} days",
        command=command,
    )


def _undated(record: Record) -> Finding:
    return Finding(
        record=record.id,
        other="",
        kind=UNDATED,
        severity=INFO,
        message=f"{shown(record.id)} has no valid timestamp",
        command=confirm(record.id),
    )


def _last_confirmed(record: Record) -> datetime | None:
    """Return the time of the last confirmation of a record, or of its creation."""
    value = record.value.get(CONFIRMED)
    confirmed = None
    if isinstance(value, str):
        confirmed = moment_of(value)
    created = moment_of(record.timestamp)
    return max(filter(None, (confirmed, created)), default=None)


_FIRST = datetime.min.replace(tzinfo=UTC)

Age = tuple[datetime, int, str, str]


def age_of(record: Record) -> Age:
    """Return the sort key of records: time, line, id, text. A record without a time is
    the oldest.
    """
    return moment_of(record.timestamp) or _FIRST, record.line, record.id, record.text
