"""Parsing of the decision log: accepted, superseded and conflicting decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product, starmap
from typing import Any

from cuedeck.ledger.ledger_fields import proof_of, text_of, texts_of
from cuedeck.ledger.ledger_state import fold
from cuedeck.model.address import overlaps
from cuedeck.model.decision import ACCEPTED, REJECTED, SUPERSEDED, Decision
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.text.plain_text import fold_case

_EDGES = " \t\r\n.,;:!?…'\"`‘’“”()[]{}<>-–—_*"
"""Characters ignored at the ends of a subject; `C#` and `C++` keep their last
characters.
"""


def read_decisions(entries: Iterable[LedgerEntry]) -> tuple[Decision, ...]:
    """Return the decisions of a log, oldest first, regardless of the order of its
    lines.

    Entries whose folded fields contain no decision text are skipped. A decision is
    superseded if another one replaces it, even if only the other one records this; a
    rejected decision replaces nothing.
    """
    decisions = [_decision(fields) for fields in fold(entries).values()]
    decisions = [each for each in decisions if each.decision]
    successors = _successors(decisions)
    return tuple(
        _with_successor(each, successors.get(each.id, "")) for each in decisions
    )


def _decision(fields: Mapping[str, Any]) -> Decision:
    text = text_of(fields, "decision")
    places = (text_of(fields, "file"), *texts_of(fields, "affects"))
    return Decision(
        id=str(fields["id"]),
        timestamp=str(fields["timestamp"]),
        decision=text,
        subject=text_of(fields, "subject") or text,
        rationale=text_of(fields, "rationale"),
        alternatives=texts_of(fields, "alternatives"),
        impact=texts_of(fields, "impact"),
        affects=tuple(dict.fromkeys(place for place in places if place)),
        card=text_of(fields, "card"),
        session=text_of(fields, "session"),
        status=text_of(fields, "status").casefold() or ACCEPTED,
        supersedes=text_of(fields, "supersedes"),
        superseded_by=text_of(fields, "superseded_by"),
        commit=text_of(fields, "commit"),
        proof=proof_of(fields),
    )


def _successors(decisions: Sequence[Decision]) -> dict[str, str]:
    """Return a map from each superseded decision to its direct successor; its own
    `superseded_by` takes precedence.

    A successor that was later replaced still counts: the decisions that it superseded
    do not become valid again.
    """
    known = {each.id for each in decisions}
    successors = {}
    for each in decisions:
        if each.status != REJECTED and each.supersedes != each.id:
            successors[each.supersedes] = each.id
    for each in decisions:
        if each.status != SUPERSEDED or each.superseded_by == each.id:
            continue
        if each.superseded_by in known:
            successors[each.id] = each.superseded_by
    return successors


def _with_successor(decision: Decision, successor: str) -> Decision:
    is_superseded = successor and decision.status == ACCEPTED
    status = SUPERSEDED if is_superseded else decision.status
    return replace(decision, status=status, superseded_by=successor)


def accepted_decisions(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return the accepted decisions that are not superseded."""
    return tuple(each for each in decisions if each.status == ACCEPTED)


def replacement(decision: Decision, decisions: Iterable[Decision]) -> Decision | None:
    """Return the decision at the end of the chain of replacements.

    None if the last one in the chain is not accepted, or if decisions replace each
    other in a cycle.
    """
    known = {each.id: each for each in decisions}
    seen = {decision.id}
    while decision.superseded_by in known and decision.superseded_by not in seen:
        decision = known[decision.superseded_by]
        seen.add(decision.id)
    if len(seen) > 1 and decision.status == ACCEPTED:
        return decision
    return None


def replaced(decision: Decision, decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return the decisions that a decision directly superseded, oldest first."""
    return tuple(each for each in decisions if each.superseded_by == decision.id)


def in_circle(decision: Decision, decisions: Iterable[Decision]) -> bool:
    """Return whether the chain of replacements of a decision leads back to it."""
    known = {each.id: each for each in decisions}
    seen: set[str] = set()
    at = decision.superseded_by
    while at in known and at not in seen and at != decision.id:
        seen.add(at)
        at = known[at].superseded_by
    return bool(at) and at == decision.id


def rival_successors(
    decisions: Iterable[Decision],
) -> tuple[tuple[Decision, Decision], ...]:
    """Return the pairs of accepted decisions that supersede the same decision."""
    groups: dict[str, list[Decision]] = {}
    for each in accepted_decisions(decisions):
        if each.supersedes:
            groups.setdefault(each.supersedes, []).append(each)
    return tuple(_pairs(groups))


def _pairs(
    groups: Mapping[str, Sequence[Decision]],
) -> Iterator[tuple[Decision, Decision]]:
    for group in groups.values():
        yield from combinations(group, 2)


def ancestry(decisions: Iterable[Decision]) -> dict[str, tuple[Decision, ...]]:
    """Return, by id of each decision, all decisions it superseded directly or
    indirectly, latest first.
    """
    before: dict[str, list[Decision]] = {}
    for each in decisions:
        before.setdefault(each.superseded_by, []).append(each)
    return {each.id: tuple(_before(each.id, before)) for each in decisions}


def _before(
    identity: str, before: Mapping[str, Sequence[Decision]]
) -> Iterator[Decision]:
    seen = {identity}
    queue = [identity]
    for current in queue:
        for each in before.get(current, ()):
            if each.id not in seen:
                seen.add(each.id)
                queue.append(each.id)
                yield each


def conflicts(decisions: Iterable[Decision]) -> tuple[tuple[Decision, Decision], ...]:
    """Return the pairs of accepted decisions with the same subject and overlapping
    addresses, older one first.
    """
    groups: dict[str, list[Decision]] = {}
    for each in accepted_decisions(decisions):
        groups.setdefault(subject_key(each.subject), []).append(each)
    return tuple(pair for pair in _pairs(groups) if _meet(*pair))


def _meet(one: Decision, other: Decision) -> bool:
    return any(starmap(overlaps, product(one.affects, other.affects)))


def subject_key(subject: str) -> str:
    """Return a subject normalised for comparison: case, whitespace and punctuation at
    its ends are ignored.
    """
    folded = fold_case(subject)
    return folded.strip(_EDGES) or folded
