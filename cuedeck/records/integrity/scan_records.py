"""The scan of the memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from cuedeck.model.memory_record import Record
from cuedeck.records.integrity.contradictions import find_contradictions
from cuedeck.records.integrity.finding_values import DUPLICATE, SEVERITIES, WARNING, Finding, say_again, shown
from cuedeck.records.integrity.replaced_records import read_supersession
from cuedeck.records.integrity.staleness import age_of, find_stale

STALE_DAYS = 120


def find_findings(
    records: Sequence[Record], now: datetime, stale_days: int = STALE_DAYS, elsewhere: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return what is to settle in records, by the rule of this package.

    `elsewhere` are ids of records that are not among these: archived, or forgotten.
    Order: by severity, from the gravest on, then by kind and ids; the order of the records does not matter.
    """
    unique, findings = _unique(records)
    supersession = read_supersession(unique, elsewhere)
    findings += supersession.findings
    standing = [record for record in unique if record.id not in supersession.superseded]
    findings += find_contradictions(standing)
    findings += find_stale(standing, now, stale_days)
    return tuple(sorted(findings, key=_order))


def _unique(records: Iterable[Record]) -> tuple[list[Record], list[Finding]]:
    """Return one record for each id: the newest, and a finding where others of the id say something else.

    Order: the oldest record first.
    """
    newest: dict[str, Record] = {}
    texts: dict[str, set[str]] = {}
    for record in sorted(records, key=age_of):
        newest.pop(record.id, None)
        newest[record.id] = record
        texts.setdefault(record.id, set()).add(record.text)
    findings = [
        Finding(
            each, "", DUPLICATE, WARNING, f"{len(said)} different records have the id {shown(each)}", say_again(each)
        )
        for each, said in texts.items()
        if len(said) > 1
    ]
    return list(newest.values()), findings


def _order(finding: Finding) -> tuple[int, Finding]:
    return SEVERITIES.index(finding.severity), finding
