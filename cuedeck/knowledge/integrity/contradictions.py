"""Find contradictions. Claims are grouped by their common parts, so that not all pairs
are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from cuedeck.knowledge.integrity.claim import Claim, Slot, conflict
from cuedeck.knowledge.integrity.claim_extraction import read_claims
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

_Value = TypeVar("_Value", bound=Hashable)


class _Stated(NamedTuple):
    """A claim and the place of its record."""

    at: int
    """Index of the record, oldest first."""
    claim: Claim


class _Pair(NamedTuple):
    """A claim of the older record and the index of the newer record."""

    older: _Stated
    newer: int


def find_contradictions(ordered: Sequence[Record]) -> list[Finding]:
    """Return a finding for each record and the next later record that contradicts it.

    The records must be sorted by age, oldest first.
    """
    stated: list[_Stated] = []
    for at, record in enumerate(ordered):
        stated += [_Stated(at, claim) for claim in read_claims(record)]
    pairs = [(pair, "the opposite of") for pair in _denied(stated)]
    pairs += [(pair, "a different value than") for pair in _changed(stated)]
    found: dict[tuple[int, int], Finding] = {}
    for pair, relation in pairs:
        older = ordered[pair.older.at]
        newer = ordered[pair.newer]
        if fold_case(older.text) != fold_case(newer.text):
            finding = _finding(older, newer, relation, pair.older.claim.subject)
            found.setdefault((pair.older.at, pair.newer), finding)
    return list(found.values())


def _denied(stated: Iterable[_Stated]) -> Iterator[_Pair]:
    """Yield pairs of a claim and its negation; a negation without circumstances denies
    all circumstances.
    """
    frames: dict[str, list[tuple[_Stated, bool]]] = {}
    cores: dict[str, list[tuple[_Stated, bool]]] = {}
    for each in stated:
        claim = each.claim
        if claim.frame:
            frames.setdefault(claim.frame, []).append((each, claim.is_negative))
        if claim.core and (claim.is_bare or not claim.is_negative):
            cores.setdefault(claim.core, []).append((each, claim.is_negative))
    for group in (*frames.values(), *cores.values()):
        if len(group) > 1:
            yield from _next(group, lambda one, other: one != other)


def _changed(stated: Iterable[_Stated]) -> Iterator[_Pair]:
    """Yield pairs of claims with the same slot and values that exclude each other."""
    groups: dict[str, list[tuple[_Stated, Slot]]] = {}
    for each in stated:
        for slot in each.claim.slots:
            groups.setdefault(slot.key, []).append((each, slot))
    for group in groups.values():
        if len(group) > 1:
            yield from _next(group, conflict)


def _next(
    group: list[tuple[_Stated, _Value]], excludes: Callable[[_Value, _Value], bool]
) -> Iterator[_Pair]:
    """Yield each claim with the next later one that it excludes; a record with several
    values is skipped.
    """
    changes = sum(one != other for (_, one), (_, other) in pairwise(group))
    if not 1 <= changes <= MAX_CHANGES:
        return
    values_of: dict[int, set[_Value]] = {}
    for stated, value in group:
        values_of.setdefault(stated.at, set()).add(value)
    later: dict[_Value, int] = {}
    for stated, value in reversed(group):
        if len(values_of[stated.at]) > 1:
            continue
        for other, at in reversed(later.items()):
            if excludes(value, other):
                yield _Pair(stated, at)
                break
        later.pop(value, None)
        later[value] = stated.at


def _finding(older: Record, newer: Record, relation: str, subject: str) -> Finding:
    message = f"{shown(newer.id)} states {relation} {shown(older.id)}"
    if subject and not older.is_secret and not newer.is_secret:
        message += f" about {_quoted(subject)}"
    severity = ERROR if older.is_protected and newer.is_protected else WARNING
    return Finding(
        record=newer.id,
        other=older.id,
        kind=CONTRADICTION,
        severity=severity,
        message=message,
        command=supersede(older.id, newer.id),
    )


def _quoted(subject: str) -> str:
    return f'"{shorten(subject, LONGEST)}"'
