"""Scan records for contradictions, stale records, duplicate ids and broken
supersession.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from cuedeck.knowledge.integrity.contradictions import (
    ERROR,
    INFO,
    SEVERITIES,
    WARNING,
    Finding,
    find_contradictions,
    shown,
)
from cuedeck.ledger.supersession import circles_of, links_of, superseded, targets_of
from cuedeck.model.formatting import quoted
from cuedeck.model.memory_record import CONFIRMED, Record
from cuedeck.model.record_categories import category_of
from cuedeck.text.timestamps import moment_of

STALE_DAYS = 120
MAX_LISTED = 20
"""Stale records of low value that are listed; the others are counted."""
_FIRST = datetime.min.replace(tzinfo=UTC)


def find_findings(
    records: Sequence[Record],
    now: datetime,
    stale_days: int = STALE_DAYS,
    elsewhere: Collection[str] = (),
) -> tuple[Finding, ...]:
    """Return the findings on records; see `claims` for contradictions.

    `elsewhere` are ids of archived and forgotten records. Order: by severity, most
    severe first, then by kind and ids; the order of the records does not matter.
    """
    newest: dict[str, Record] = {}
    texts: dict[str, set[str]] = {}
    for record in sorted(records, key=_age):
        newest.pop(record.id, None)
        newest[record.id] = record
        texts.setdefault(record.id, set()).add(record.text)
    findings: list[Finding] = []
    for identity, variants in texts.items():
        if len(variants) > 1:
            message = f"{len(variants)} different records have the id {shown(identity)}"
            command = f'cuedeck memory edit {quoted(identity)} --text "…"'
            findings.append(
                Finding(identity, "", "duplicate", WARNING, message, command)
            )
    unique = list(newest.values())
    findings += broken_supersession(unique, elsewhere)
    replaced = superseded(unique)
    current = [record for record in unique if record.id not in replaced]
    findings += find_contradictions(current)
    findings += _stale_records(current, now, stale_days)
    order = {severity: place for place, severity in enumerate(SEVERITIES)}
    return tuple(sorted(findings, key=lambda each: (order[each.severity], each)))


def _age(record: Record) -> tuple[datetime, int, str, str]:
    """Return the sort key of records: time, line, id, text. A record without a time is
    the oldest.
    """
    return moment_of(record.timestamp) or _FIRST, record.line, record.id, record.text


def broken_supersession(
    records: Sequence[Record], elsewhere: Collection[str] = ()
) -> Iterator[Finding]:
    """Yield the records that supersede an unknown id, and the cycles of supersession;
    `elsewhere` are further known ids.
    """
    known = {record.id: record for record in records}
    for record in records:
        for older in targets_of(record):
            if older in known or older in elsewhere:
                continue
            # Only information: a superseded record may have been forgotten later.
            target = "a value that is not an id"
            if older and not record.is_secret:
                target = f"`{shown(older)}`, which does not exist"
            message = f"{shown(record.id)} supersedes {target}"
            yield Finding(
                record.id, "", "superseded", INFO, message, _set_free(record.id)
            )
    for circle in circles_of(links_of(records)):
        ordered = sorted((known[each] for each in circle), key=_age)
        newest, oldest = ordered[-1].id, ordered[0].id
        message = f"{shown(newest)} supersedes itself"
        other = ""
        if len(ordered) > 1:
            message = f"{shown(newest)} and {shown(oldest)} supersede each other, in a cycle of {len(ordered)}"
            other = oldest
        yield Finding(newest, other, "superseded", ERROR, message, _set_free(oldest))


def _set_free(identity: str) -> str:
    return f"cuedeck memory edit {quoted(identity)} --supersedes none"


def _stale_records(
    records: Sequence[Record], now: datetime, stale_days: int
) -> Iterator[Finding]:
    """Yield the findings on the age of records, which must be sorted oldest first."""
    # A limit before year 1 is not representable; nothing is stale then.
    longest = (now.replace(tzinfo=None) - datetime.min).days
    limit = timedelta(days=min(max(stale_days, 0), longest))
    ordinary: list[str] = []
    for record in records:
        name, command = shown(record.id), f"cuedeck memory confirm {quoted(record.id)}"
        moment = _last_confirmed(record)
        if moment is None:
            message = f"{name} has no valid timestamp"
            yield Finding(record.id, "", "undated", INFO, message, command)
        elif not category_of(record.category).ages or now - moment <= limit:
            continue
        elif record.is_protected:
            message = f"{name} is older than {stale_days} days"
            yield Finding(record.id, "", "stale", WARNING, message, command)
        else:
            ordinary.append(record.id)
    for identity in ordinary[:MAX_LISTED]:
        message = f"{shown(identity)} is older than {stale_days} days"
        command = f"cuedeck memory forget {quoted(identity)}"
        yield Finding(identity, "", "stale", INFO, message, command)
    rest = ordinary[MAX_LISTED:]
    if rest:
        message = f"{len(rest):,} more records of little value are older than {stale_days} days, {shown(rest[0])} first"
        yield Finding(rest[0], "", "stale", INFO, message, "cuedeck memory compact")


def _last_confirmed(record: Record) -> datetime | None:
    value = record.value.get(CONFIRMED)
    confirmed = moment_of(value) if isinstance(value, str) else None
    created = moment_of(record.timestamp)
    return max(filter(None, (confirmed, created)), default=None)
