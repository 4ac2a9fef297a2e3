"""Selection of the records of MEMORY.md that a compaction merges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from cuedeck.ledger.records.record_file import parse_line
from cuedeck.ledger.supersession import Links, links_of, superseded
from cuedeck.model.memory_record import CHECKPOINT_TEXT, Record
from cuedeck.model.record_categories import COMPACTION
from cuedeck.text.timestamps import moment_of

_EMPTY_TEXTS = frozenset(["", CHECKPOINT_TEXT, "HEARTBEAT_OK"])


class Row(NamedTuple):
    """A record of MEMORY.md with the fields that a compaction uses."""

    at: int
    """Line index, from 0."""
    id: str
    text: str
    category: str
    session: str
    sensitivity: str
    timestamp: str
    day: str
    """UTC day of its timestamp; empty without one."""

    @property
    def is_digest(self) -> bool:
        """True for a compaction record that contains merged facts."""
        return self.category == COMPACTION and self.text != CHECKPOINT_TEXT


def row_of(at: int, record: Record, moment: datetime | None) -> Row:
    """Return the row of a record with this timestamp."""
    day = ""
    if moment:
        day = moment.date().isoformat()
    return Row(
        at,
        record.id,
        record.text,
        record.category,
        record.session,
        record.sensitivity,
        record.timestamp,
        day,
    )


class Selection(NamedTuple):
    """The lines of MEMORY.md, with its records by treatment."""

    lines: Sequence[str]
    kept: tuple[Row, ...]
    """Records that stay: recent, high-value, secret, without a time, or superseding one
    of these.
    """
    digests: tuple[Row, ...]
    """Compaction records; they are merged again at any age, because their content is
    old.
    """
    fresh: tuple[Row, ...]
    """Records that become facts."""
    silent: tuple[Row, ...]
    """Records that are only archived: they are empty or superseded."""
    replaced: frozenset[str]
    """Ids of superseded records."""
    gone: tuple[Row, ...]
    """All records that may leave MEMORY.md, in its order; a compaction record may be
    added back unchanged.
    """


def rows_of(lines: Iterable[str]) -> Iterator[Row]:
    """Yield the rows of the lines that are records."""
    for at, line in enumerate(lines):
        record = parse_line(line).record
        if record is not None:
            yield row_of(at, record, moment_of(record.timestamp))


def select(text: str, now: datetime, min_age_days: int) -> Selection:
    """Partition the records of MEMORY.md; a record exactly `min_age_days` old counts as
    old.
    """
    lines = text.split("\n")
    rows: list[Row] = []
    records: list[Record] = []
    stay: set[str] = set()
    edge = now - timedelta(days=min_age_days)
    for at, line in enumerate(lines):
        record = parse_line(line).record
        if record is None:
            continue
        records.append(record)
        moment = moment_of(record.timestamp)
        row = row_of(at, record, moment)
        if _stays(row, record, moment, edge):
            stay.add(record.id)
        rows.append(row)
    _keep_what_replaces(stay, links_of(records))
    return _divide(lines, rows, stay, frozenset(superseded(records)))


def _stays(row: Row, record: Record, moment: datetime | None, edge: datetime) -> bool:
    if record.is_secret or record.is_protected or moment is None:
        return True
    return not row.is_digest and moment > edge


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


def _divide(
    lines: Sequence[str], rows: Sequence[Row], stay: set[str], replaced: frozenset[str]
) -> Selection:
    kept: list[Row] = []
    digests: list[Row] = []
    fresh: list[Row] = []
    silent: list[Row] = []
    for row in rows:
        # Lines with the same id are treated alike.
        if row.id in stay:
            kept.append(row)
        elif row.is_digest:
            digests.append(row)
        elif row.id in replaced or row.text.strip() in _EMPTY_TEXTS:
            silent.append(row)
        else:
            fresh.append(row)
    gone = tuple(row for row in rows if row.id not in stay)
    return Selection(
        lines=lines,
        kept=tuple(kept),
        digests=tuple(digests),
        fresh=tuple(fresh),
        silent=tuple(silent),
        replaced=replaced,
        gone=gone,
    )
