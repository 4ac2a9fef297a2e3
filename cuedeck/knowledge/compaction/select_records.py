"""Selection of the records of MEMORY.md that a compaction merges."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cuedeck.ledger.records.record_file import parse_line
from cuedeck.ledger.records.record_lookup import Links, links_of, superseded
from cuedeck.model.memory_record import CHECKPOINT_TEXT, COMPACTION, Record
from cuedeck.text.timestamps import moment_of

_EMPTY_TEXTS = frozenset(["", CHECKPOINT_TEXT, "HEARTBEAT_OK"])


class Row(NamedTuple):
    """A record of MEMORY.md."""

    at: int
    """Line index, from 0."""
    record: Record

    @property
    def id(self) -> str:
        """Id of the record."""
        return self.record.id

    @property
    def day(self) -> str:
        """UTC day of its timestamp; empty without one."""
        moment = moment_of(self.record.timestamp)
        return moment.astimezone(UTC).date().isoformat() if moment else ""

    @property
    def is_digest(self) -> bool:
        """True for a compaction record that contains merged facts."""
        return is_digest(self.record)


def is_digest(record: Record) -> bool:
    """Return whether a record is a compaction record that contains merged facts."""
    return record.category == COMPACTION and record.text != CHECKPOINT_TEXT


class Selection(NamedTuple):
    """The lines of MEMORY.md, with its records by treatment."""

    lines: Sequence[str]
    kept: tuple[Row, ...]
    """Records that stay: recent, high-value, secret, without a time, or superseding one
    of these.
    """
    gone: tuple[Row, ...]
    """Records that may leave MEMORY.md: compaction records of any age, records that
    become facts, and records that are only archived.
    """
    replaced: frozenset[str]
    """Ids of superseded records."""

    @property
    def fresh(self) -> list[Row]:
        """Records that become facts: neither compaction records nor empty or
        superseded.
        """
        return [
            row
            for row in self.gone
            if not row.is_digest
            and row.id not in self.replaced
            and row.record.text.strip() not in _EMPTY_TEXTS
        ]


def select(text: str, now: datetime, min_age_days: int) -> Selection:
    """Partition the records of MEMORY.md; a record exactly `min_age_days` old counts as
    old.
    """
    lines = text.split("\n")
    rows: list[Row] = []
    stay: set[str] = set()
    edge = now - timedelta(days=min_age_days)
    for at, line in enumerate(lines):
        record = parse_line(line).record
        if record is None:
            continue
        rows.append(Row(at, record))
        if _stays(record, edge):
            stay.add(record.id)
    records = [row.record for row in rows]
    _keep_what_replaces(stay, links_of(records))
    # Lines with the same id are treated alike.
    return Selection(
        lines=lines,
        kept=tuple(row for row in rows if row.id in stay),
        gone=tuple(row for row in rows if row.id not in stay),
        replaced=frozenset(superseded(records)),
    )


def _stays(record: Record, edge: datetime) -> bool:
    moment = moment_of(record.timestamp)
    if record.is_secret or record.is_protected or moment is None:
        return True
    return not is_digest(record) and moment > edge


def _keep_what_replaces(stay: set[str], links: Links) -> None:
    """Add to `stay` every record that supersedes one in it: otherwise the superseded
    record would be valid again.

    A cycle stays or goes as a whole: a part of it would no longer be a cycle, and would
    hide removed records.
    """
    while True:
        others = {
            newer: targets for newer, targets in links.items() if newer not in stay
        }
        superseding = {
            newer for newer, targets in others.items() if not stay.isdisjoint(targets)
        }
        if not superseding:
            return
        stay |= superseding
