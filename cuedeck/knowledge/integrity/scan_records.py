"""Scan records for contradictions, stale records, duplicate ids and broken
supersession.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from cuedeck.knowledge.integrity.contradictions import find_contradictions
from cuedeck.knowledge.integrity.finding_values import (
    DUPLICATE,
    ERROR,
    INFO,
    SEVERITIES,
    SUPERSEDED,
    WARNING,
    Finding,
    say_again,
    set_free,
    shown,
)
from cuedeck.knowledge.integrity.staleness import age_of, find_stale
from cuedeck.ledger.supersession import circles_of, links_of, superseded, targets_of
from cuedeck.model.memory_record import Record

STALE_DAYS = 120


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
    unique, findings = _unique(records)
    supersession = read_supersession(unique, elsewhere)
    findings += supersession.findings
    current = [record for record in unique if record.id not in supersession.superseded]
    findings += find_contradictions(current)
    findings += find_stale(current, now, stale_days)
    return tuple(sorted(findings, key=_order))


def _unique(records: Iterable[Record]) -> tuple[list[Record], list[Finding]]:
    """Return the newest record of each id, and a finding for each id with several
    texts.

    Order: oldest record first.
    """
    newest: dict[str, Record] = {}
    texts: dict[str, set[str]] = {}
    for record in sorted(records, key=age_of):
        newest.pop(record.id, None)
        newest[record.id] = record
        texts.setdefault(record.id, set()).add(record.text)
    findings: list[Finding] = []
    for identity, variants in texts.items():
        if len(variants) > 1:
            message = f"{len(variants)} different records have the id {shown(identity)}"
            findings.append(
                Finding(
                    record=identity,
                    other="",
                    kind=DUPLICATE,
                    severity=WARNING,
                    message=message,
                    command=say_again(identity),
                )
            )
    return list(newest.values()), findings


def _order(finding: Finding) -> tuple[int, Finding]:
    return SEVERITIES.index(finding.severity), finding


class Supersession(NamedTuple):
    """The superseded ids, and the findings on supersession."""

    superseded: frozenset[str]
    """Ids of records that are excluded from the check."""
    findings: tuple[Finding, ...]


def read_supersession(
    records: Sequence[Record], elsewhere: Collection[str] = ()
) -> Supersession:
    """Return the supersession of records; `elsewhere` are further known ids."""
    known = {record.id: record for record in records}
    findings: list[Finding] = []
    for record in records:
        unknown = [
            each
            for each in targets_of(record)
            if each not in known and each not in elsewhere
        ]
        findings += [_unknown(record, each) for each in unknown]
    for circle in circles_of(links_of(records)):
        findings.append(_circle([known[each] for each in circle]))
    return Supersession(frozenset(superseded(records)), tuple(findings))


def _unknown(record: Record, older: str) -> Finding:
    # Only information: a superseded record may have been forgotten later.
    is_hidden = not older or record.is_secret
    target = (
        "a value that is not an id"
        if is_hidden
        else f"`{shown(older)}`, which does not exist"
    )
    return Finding(
        record=record.id,
        other="",
        kind=SUPERSEDED,
        severity=INFO,
        message=f"{shown(record.id)} supersedes {target}",
        command=set_free(record.id),
    )


def _circle(records: Sequence[Record]) -> Finding:
    ordered = sorted(records, key=age_of)
    newest, oldest = ordered[-1].id, ordered[0].id
    if len(ordered) == 1:
        return Finding(
            record=newest,
            other="",
            kind=SUPERSEDED,
            severity=ERROR,
            message=f"{shown(newest)} supersedes itself",
            command=set_free(newest),
        )
    message = f"{shown(newest)} and {shown(oldest)} supersede each other, in a cycle of {len(ordered)}"
    return Finding(
        record=newest,
        other=oldest,
        kind=SUPERSEDED,
        severity=ERROR,
        message=message,
        command=set_free(oldest),
    )
