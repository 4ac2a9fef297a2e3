"""Find contradictions. Claims are grouped by their keys, so that not all pairs are
compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cuedeck.knowledge.integrity.claims import Claim, read_claims
from cuedeck.knowledge.integrity.finding_values import (
    CONTRADICTION,
    ERROR,
    LONGEST,
    WARNING,
    Finding,
    shown,
    supersede,
)
from cuedeck.model.formatting import shorten
from cuedeck.model.memory_record import Record
from cuedeck.text.plain_text import fold_case

MAX_CHANGES = 11
"""A value that changed more often is a series of measurements or events."""


class _Stated(NamedTuple):
    """A claim and the place of its record."""

    at: int
    """Index of the record, oldest first."""
    claim: Claim


def find_contradictions(ordered: Sequence[Record]) -> list[Finding]:
    """Return a finding for each record and the next later record that contradicts it.

    The records must be sorted by age, oldest first.
    """
    groups: dict[str, list[_Stated]] = {}
    for at, record in enumerate(ordered):
        for claim in read_claims(record):
            groups.setdefault(claim.key, []).append(_Stated(at, claim))
    found: dict[tuple[int, int], Finding] = {}
    for group in groups.values():
        for stated, newer in _contradicted(group):
            one = ordered[stated.at]
            other = ordered[newer]
            if fold_case(one.text) != fold_case(other.text):
                finding = _finding(one, other, stated.claim)
                found.setdefault((stated.at, newer), finding)
    return list(found.values())


def _contradicted(group: Sequence[_Stated]) -> Iterator[tuple[_Stated, int]]:
    """Yield each claim with the index of the next later record that excludes it. A
    record with several values is skipped.
    """
    changes = sum(one.claim.value != two.claim.value for one, two in pairwise(group))
    if not 1 <= changes <= MAX_CHANGES:
        return
    values_of: dict[int, set[tuple[str, ...]]] = {}
    for stated in group:
        values_of.setdefault(stated.at, set()).add(stated.claim.value)
    single = [stated for stated in group if len(values_of[stated.at]) == 1]
    newest: dict[tuple[str, ...], _Stated] = {}
    for stated in reversed(single):
        for later in reversed(newest.values()):
            if stated.claim.excludes(later.claim):
                yield stated, later.at
                break
        newest.pop(stated.claim.value, None)
        newest[stated.claim.value] = stated


def _finding(older: Record, newer: Record, claim: Claim) -> Finding:
    relation = "the opposite of" if claim.is_negation else "a different value than"
    message = f"{shown(newer.id)} states {relation} {shown(older.id)}"
    if claim.subject and not older.is_secret and not newer.is_secret:
        message += f' about "{shorten(claim.subject, LONGEST)}"'
    severity = ERROR if older.is_protected and newer.is_protected else WARNING
    return Finding(
        record=newer.id,
        other=older.id,
        kind=CONTRADICTION,
        severity=severity,
        message=message,
        command=supersede(older.id, newer.id),
    )
