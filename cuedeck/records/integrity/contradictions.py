"""Find contradictions: claims are grouped by what they have in common, so that not all pairs are compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from cuedeck.model.display import shorten
from cuedeck.model.memory_record import Record
from cuedeck.records.integrity.claim import Claim, Slot, conflict
from cuedeck.records.integrity.claim_extraction import read_claims
from cuedeck.records.integrity.finding_values import CONTRADICTION, ERROR, LONGEST, WARNING, Finding, shown, supersede

MAX_CHANGES = 11
"""A value that changed more often is a series of measurements or events."""

_Said = TypeVar("_Said", bound=Hashable)


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
    stated = [_Stated(at, claim) for at, record in enumerate(ordered) for claim in read_claims(record)]
    found: dict[tuple[int, int], Finding] = {}
    for pairs, what in ((_denied(stated), "the opposite of"), (_changed(stated), "something else than")):
        for pair in pairs:
            older, newer = ordered[pair.older.at], ordered[pair.newer]
            if _folded(older.text) != _folded(newer.text):
                finding = _finding(older, newer, what, pair.older.claim.subject)
                found.setdefault((pair.older.at, pair.newer), finding)
    return list(found.values())


def _denied(stated: Iterable[_Stated]) -> Iterator[_Pair]:
    """Yield pairs of a claim and its negation; a negation without circumstances denies all circumstances."""
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


def _next(group: list[tuple[_Stated, _Said]], excludes: Callable[[_Said, _Said], bool]) -> Iterator[_Pair]:
    """Yield each claim with the next later one that it excludes; a record with several values is skipped."""
    if not 1 <= sum(one != other for (_, one), (_, other) in pairwise(group)) <= MAX_CHANGES:
        return
    said: dict[int, set[_Said]] = {}
    for each, value in group:
        said.setdefault(each.at, set()).add(value)
    later: dict[_Said, int] = {}
    for each, value in reversed(group):
        if len(said[each.at]) > 1:
            continue
        newer = next((at for other, at in reversed(later.items()) if excludes(value, other)), None)
        if newer is not None:
            yield _Pair(each, newer)
        later.pop(value, None)
        later[value] = each.at


def _finding(older: Record, newer: Record, what: str, subject: str) -> Finding:
    about = "" if older.is_secret or newer.is_secret or not subject else f" about {_quoted(subject)}"
    both = older.is_protected and newer.is_protected
    message = f"{shown(newer.id)} says {what} {shown(older.id)}{about}"
    command = supersede(older.id, newer.id)
    return Finding(newer.id, older.id, CONTRADICTION, ERROR if both else WARNING, message, command)


def _quoted(subject: str) -> str:
    return f'"{shorten(subject, LONGEST)}"'


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
