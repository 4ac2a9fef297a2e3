"""Which records of MEMORY.md are merged, and which stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from cuedeck.model.memory_record import CHECKPOINT_TEXT, COMPACTION, HIGH_VALUE, Record
from cuedeck.parse.record_file import parse_line
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.supersession import Links, links_of, superseded

_SAYS_NOTHING = frozenset(["", CHECKPOINT_TEXT, "HEARTBEAT_OK"])


class Row(NamedTuple):
    """A line of MEMORY.md that holds a record, and what counts of it."""

    at: int
    """Its place among all lines, from 0."""
    id: str
    text: str
    category: str
    session: str
    sensitivity: str
    timestamp: str
    day: str
    """On which it was written, in UTC; empty when it does not say."""

    @property
    def is_digest(self) -> bool:
        """True for one that holds merged facts."""
        return self.category == COMPACTION and self.text != CHECKPOINT_TEXT


def row_of(at: int, record: Record, moment: datetime | None) -> Row:
    """Return what counts of a record that was written at a moment."""
    day = moment.date().isoformat() if moment else ""
    return Row(at, record.id, record.text, record.category, record.session, record.sensitivity, record.timestamp, day)


class Selection(NamedTuple):
    """The lines of MEMORY.md and what happens to them."""

    lines: Sequence[str]
    kept: tuple[Row, ...]
    """Recent, of high value, secret, without a time, or needed because they replace one of these."""
    digests: tuple[Row, ...]
    """Compaction records, which are merged again whatever their age: what they say was old before."""
    fresh: tuple[Row, ...]
    """Records that are merged."""
    silent: tuple[Row, ...]
    """Records that go to the archive only: they say nothing, or another record stands in their place."""
    replaced: frozenset[str]
    """Ids in whose place other records stand."""
    gone: tuple[Row, ...]
    """All that may leave MEMORY.md, in its order; a digest may come back as it was."""


def rows_of(lines: Iterable[str]) -> Iterator[Row]:
    """Yield the rows of the lines that hold records."""
    for at, line in enumerate(lines):
        record = parse_line(line).record
        if record is not None:
            yield row_of(at, record, moment_of(record.timestamp))


def select(text: str, now: datetime, min_age_days: int) -> Selection:
    """Divide the records of MEMORY.md. What is exactly as old as `min_age_days` is old."""
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
    if record.is_secret or record.category in HIGH_VALUE or moment is None:
        return True
    return not row.is_digest and moment > edge


def _keep_what_replaces(stay: set[str], links: Links) -> None:
    """Let records stay as long as one stays that they replace: without them it would count again.

    A circle stays or goes as a whole: what was left of it would be none, and hide what has gone.
    """
    while True:
        more = {each for each, olds in links.items() if each not in stay and any(old in stay for old in olds)}
        if not more:
            return
        stay |= more


def _divide(lines: Sequence[str], rows: Sequence[Row], stay: set[str], replaced: frozenset[str]) -> Selection:
    # Lines of one id go or stay together.
    going = tuple(row for row in rows if row.id not in stay)
    others = [row for row in going if not row.is_digest]
    silent = tuple(row for row in others if row.text.strip() in _SAYS_NOTHING or row.id in replaced)
    quiet = {row.at for row in silent}
    return Selection(
        lines,
        tuple(row for row in rows if row.id in stay),
        tuple(row for row in going if row.is_digest),
        tuple(row for row in others if row.at not in quiet),
        silent,
        replaced,
        going,
    )
