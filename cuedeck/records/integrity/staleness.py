"""Records that nobody has looked at for long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from cuedeck.model.memory_record import COMPACTION, CONFIRMED, HIGH_VALUE, Record
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.integrity.finding_values import INFO, STALE, UNDATED, WARNING, Finding, confirm, forget, shown

TURN_SUMMARY = "turn-summary"
HISTORY = (TURN_SUMMARY, COMPACTION, "heartbeat")
"""Categories that tell what happened: they do not age, and compaction takes care of them."""
MOST_NAMED = 20
"""Stale records of little value that are named one by one; the others are counted."""


def find_stale(records: Sequence[Record], now: datetime, stale_days: int) -> list[Finding]:
    """Return what is to say about the age of records, which come the oldest first.

    Order: as they age, those of high value first.
    """
    dated = [(record, _last_said(record)) for record in records]
    found = [_undated(record) for record, moment in dated if moment is None]
    # A number of days that leads before the first year makes nothing stale.
    limit = timedelta(days=min(max(stale_days, 0), (now.replace(tzinfo=None) - datetime.min).days))
    old = [
        record
        for record, moment in dated
        if moment is not None and record.category not in HISTORY and now - moment > limit
    ]
    found += [_stale(record, stale_days, WARNING, confirm(record.id)) for record in old if _is_kept(record)]
    return found + list(_ordinary([record for record in old if not _is_kept(record)], stale_days))


def _ordinary(old: Sequence[Record], stale_days: int) -> Iterable[Finding]:
    for record in old[:MOST_NAMED]:
        yield _stale(record, stale_days, INFO, forget(record.id))
    rest = old[MOST_NAMED:]
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
    """Return when a record was made, or when somebody said last that it still holds."""
    confirmed = record.value.get(CONFIRMED)
    later = moment_of(confirmed) if isinstance(confirmed, str) else None
    made = moment_of(record.timestamp)
    return max(later, made) if later and made else later or made


def _is_kept(record: Record) -> bool:
    return record.category in HIGH_VALUE


_FIRST = datetime.min.replace(tzinfo=UTC)

Age = tuple[datetime, int, str, str]


def age_of(record: Record) -> Age:
    """Return what records are ordered by: time, line, id, text. One without a time counts as the oldest."""
    return moment_of(record.timestamp) or _FIRST, record.line, record.id, record.text
