"""What records that others have taken the place of mean to the scan, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from cuedeck.model.memory_record import Record
from cuedeck.records.integrity.finding_values import ERROR, INFO, SUPERSEDED, Finding, set_free, shown
from cuedeck.records.integrity.staleness import age_of
from cuedeck.records.supersession import circles_of, links_of, superseded, targets_of


class Supersession(NamedTuple):
    """What is superseded, and what is wrong with it."""

    superseded: frozenset[str]
    """Ids of records that take no part any more."""
    findings: tuple[Finding, ...]


def read_supersession(records: Sequence[Record], elsewhere: Collection[str] = ()) -> Supersession:
    """Read who supersedes whom.

    `elsewhere` are ids that are known, but of none of the records.
    """
    known = {record.id: record for record in records}
    findings = [
        _unknown(record, each)
        for record in records
        for each in targets_of(record)
        if each not in known and each not in elsewhere
    ]
    findings += [_circle([known[each] for each in circle]) for circle in circles_of(links_of(records))]
    return Supersession(frozenset(superseded(records)), tuple(findings))


def _unknown(record: Record, older: str) -> Finding:
    # Only information: what is superseded may be forgotten later.
    named = "something that is no id" if not older or record.is_secret else f"`{shown(older)}`, which is not here"
    return Finding(record.id, "", SUPERSEDED, INFO, f"{shown(record.id)} supersedes {named}", set_free(record.id))


def _circle(records: Sequence[Record]) -> Finding:
    ordered = sorted(records, key=age_of)
    newest, oldest = ordered[-1].id, ordered[0].id
    if len(ordered) == 1:
        return Finding(newest, "", SUPERSEDED, ERROR, f"{shown(newest)} supersedes itself", set_free(newest))
    message = f"{shown(newest)} and {shown(oldest)} supersede each other, in a circle of {len(ordered)}"
    return Finding(newest, oldest, SUPERSEDED, ERROR, message, set_free(oldest))
