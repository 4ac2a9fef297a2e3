"""Findings of the integrity check, and contradictions: claims are grouped by their
keys, so that not all pairs are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cuedeck.knowledge.integrity.claims import Claim, read_claims
from cuedeck.model.formatting import quoted, shorten
from cuedeck.model.memory_record import Record
from cuedeck.text.plain_text import fold_case

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
    command = f"cuedeck memory supersede {quoted(older.id)} --by {quoted(newer.id)}"
    return Finding(newer.id, older.id, "contradiction", severity, message, command)
