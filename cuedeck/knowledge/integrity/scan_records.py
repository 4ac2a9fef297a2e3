"""Scan records for contradictions, stale records, duplicate ids and broken
supersession.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from cuedeck.knowledge.integrity.claims import Claim, read_claims
from cuedeck.ledger.records.record_lookup import (
    circles_of,
    links_of,
    superseded,
    targets_of,
)
from cuedeck.model.formatting import quoted, shorten
from cuedeck.model.memory_record import CONFIRMED, Record, category_of
from cuedeck.text.plain_text import fold_case
from cuedeck.text.timestamps import moment_of

ERROR = "error"
"""Two records of protected categories contradict each other, or supersession has a
circle.
"""
WARNING = "warning"
INFO = "info"
SEVERITIES = (ERROR, WARNING, INFO)
"""Most severe first."""
LONGEST = 60
"""Characters of a subject or an id that a message quotes."""
MAX_CHANGES = 11
"""A value that changed more often is a series of measurements or events."""


class Finding(NamedTuple):
    """One problem in the records."""

    record: str
    """Id of the record; of two records, the newer one."""
    other: str
    """Id of the older record, or empty."""
    kind: str
    """`contradiction`, `superseded` (by an unknown id or in a circle), `duplicate` (an
    id of two different records), `stale` or `undated`.
    """
    severity: str
    message: str
    """One line without the text of a record; it may quote a short subject, but none of
    a secret record.
    """
    command: str
    """The command that resolves it."""


def shown(identity: str) -> str:
    """Return an id for a message: shortened, without control characters."""
    return "".join(char if char.isprintable() else "?" for char in identity[:LONGEST])


Stated = tuple[int, Claim]
"""A claim and the index of its record, oldest first."""


def find_contradictions(ordered: Sequence[Record]) -> list[Finding]:
    """Return a finding for each record and the next later record that contradicts it.

    The records must be sorted by age, oldest first.
    """
    groups: dict[str, list[Stated]] = {}
    for at, record in enumerate(ordered):
        for claim in read_claims(record):
            groups.setdefault(claim.key, []).append((at, claim))
    found: dict[tuple[int, int], Finding] = {}
    for group in groups.values():
        for at, newer, claim in _contradicted(group):
            one, other = ordered[at], ordered[newer]
            if fold_case(one.text) != fold_case(other.text):
                relation = (
                    "the opposite of" if claim.is_negation else "a different value than"
                )
                message = f"{shown(other.id)} states {relation} {shown(one.id)}"
                if claim.subject and not one.is_secret and not other.is_secret:
                    message += f' about "{shorten(claim.subject, LONGEST)}"'
                severity = ERROR if one.is_protected and other.is_protected else WARNING
                command = (
                    f"cuedeck memory supersede {quoted(one.id)} --by {quoted(other.id)}"
                )
                finding = Finding(
                    other.id, one.id, "contradiction", severity, message, command
                )
                found.setdefault((at, newer), finding)
    return list(found.values())


def _contradicted(group: Sequence[Stated]) -> Iterator[tuple[int, int, Claim]]:
    changes = sum(one.value != two.value for (_, one), (_, two) in pairwise(group))
    if not 1 <= changes <= MAX_CHANGES:
        return
    values: dict[int, set[tuple[str, ...]]] = {}
    for at, claim in group:
        values.setdefault(at, set()).add(claim.value)
    single = [stated for stated in group if len(values[stated[0]]) == 1]
    nearest: dict[tuple[str, ...], Stated] = {}
    for at, claim in reversed(single):
        for newer, later in reversed(nearest.values()):
            if claim.excludes(later):
                yield at, newer, claim
                break
        nearest.pop(claim.value, None)
        nearest[claim.value] = at, claim


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
                Finding(
                    identity,
                    "",
                    "duplicate",
                    WARNING,
                    message,
                    command,
                )
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
        yield Finding(
            newest,
            other,
            "superseded",
            ERROR,
            message,
            _set_free(oldest),
        )


def _set_free(identity: str) -> str:
    return f"cuedeck memory edit {quoted(identity)} --supersedes none"


def _stale_records(
    records: Sequence[Record], now: datetime, stale_days: int
) -> Iterator[Finding]:
    # A limit before year 1 is not representable; nothing is stale then.
    longest = (now.replace(tzinfo=None) - datetime.min).days
    limit = timedelta(days=min(max(stale_days, 0), longest))
    age = f"older than {stale_days} days"
    ordinary: list[str] = []
    for record in records:
        identity, command = record.id, f"cuedeck memory confirm {quoted(record.id)}"
        value = record.value.get(CONFIRMED)
        confirmed = moment_of(value) if isinstance(value, str) else None
        created = moment_of(record.timestamp)
        moment = max(filter(None, (confirmed, created)), default=None)
        if moment is None:
            message = f"{shown(identity)} has no valid timestamp"
            yield Finding(identity, "", "undated", INFO, message, command)
        elif not category_of(record.category).ages or now - moment <= limit:
            continue
        elif record.is_protected:
            message = f"{shown(identity)} is {age}"
            yield Finding(identity, "", "stale", WARNING, message, command)
        else:
            ordinary.append(identity)
    for identity in ordinary[:MAX_LISTED]:
        command = f"cuedeck memory forget {quoted(identity)}"
        message = f"{shown(identity)} is {age}"
        yield Finding(identity, "", "stale", INFO, message, command)
    for identity in ordinary[MAX_LISTED : MAX_LISTED + 1]:
        rest = len(ordinary) - MAX_LISTED
        message = (
            f"{rest:,} more records of little value are {age}, {shown(identity)} first"
        )
        yield Finding(identity, "", "stale", INFO, message, "cuedeck memory compact")
