"""What the log of decisions says: which stand, what replaced the others, which contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from cuedeck.model.address import overlaps
from cuedeck.model.decision import ACCEPTED, REJECTED, SUPERSEDED, Decision
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.records.ledger_fields import pairs_of, text_of, texts_of
from cuedeck.records.ledger_state import fold

_EDGES = " \t\r\n.,;:!?…'\"`‘’“”()[]{}<>-–—_*"
"""What does not matter at the ends of a subject; `C#` and `C++` stay what they are."""


def read_decisions(entries: Iterable[LedgerEntry]) -> tuple[Decision, ...]:
    """Return the decisions of a log, oldest first, whatever the order of its lines.

    A line without the text of a decision, and without one before it, is none. A decision that another one
    replaces is superseded, also when only the other one says so; one that was rejected replaces nothing.
    """
    found = [_decision(fields) for fields in fold(entries).values()]
    decisions = tuple(each for each in found if each.decision)
    after = _successors(decisions)
    return tuple(_settled(each, after.get(each.id, "")) for each in decisions)


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
        proof=pairs_of(fields, "proof"),
    )


def _successors(decisions: Sequence[Decision]) -> dict[str, str]:
    """Return what replaced each decision first; what its own line names goes before what others say of it.

    A decision that was itself replaced later still counts: what it dropped does not come back.
    """
    said = [(each.supersedes, each.id) for each in decisions if each.status != REJECTED]
    own = [(each.id, each.superseded_by) for each in decisions if each.status == SUPERSEDED]
    known = {each.id for each in decisions}
    return {old: new for old, new in said + own if old != new and new in known}


def _settled(decision: Decision, by: str) -> Decision:
    status = SUPERSEDED if by and decision.status == ACCEPTED else decision.status
    return replace(decision, status=status, superseded_by=by)


def standing(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return the decisions that hold: accepted and not superseded."""
    return tuple(each for each in decisions if each.status == ACCEPTED)


def replacement(decision: Decision, decisions: Iterable[Decision]) -> Decision | None:
    """Return the decision that holds in the place of another, followed to the end.

    None when it was dropped without one, or when decisions replace each other in a circle.
    """
    known = {each.id: each for each in decisions}
    seen = {decision.id}
    while decision.superseded_by in known and decision.superseded_by not in seen:
        decision = known[decision.superseded_by]
        seen.add(decision.id)
    return decision if len(seen) > 1 and decision.status == ACCEPTED else None


def replaced(decision: Decision, decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return the decisions whose place another one took first, oldest first."""
    return tuple(each for each in decisions if each.superseded_by == decision.id)


def in_circle(decision: Decision, decisions: Iterable[Decision]) -> bool:
    """Tell whether following what replaced a decision leads back to it."""
    known = {each.id: each for each in decisions}
    seen: set[str] = set()
    at = decision.superseded_by
    while at in known and at not in seen and at != decision.id:
        seen.add(at)
        at = known[at].superseded_by
    return bool(at) and at == decision.id


def heirs(decisions: Iterable[Decision]) -> tuple[tuple[Decision, Decision], ...]:
    """Return the pairs of standing decisions that say they take the place of one and the same."""
    groups: dict[str, list[Decision]] = {}
    for each in standing(decisions):
        if each.supersedes:
            groups.setdefault(each.supersedes, []).append(each)
    return tuple(pair for group in groups.values() for pair in combinations(group, 2))


def ancestry(decisions: Iterable[Decision]) -> dict[str, tuple[Decision, ...]]:
    """Return by id of each decision all those whose place it has taken in the end, the last one first."""
    before: dict[str, list[Decision]] = {}
    for each in decisions:
        before.setdefault(each.superseded_by, []).append(each)
    return {each.id: tuple(_before(each.id, before)) for each in decisions}


def _before(identity: str, before: Mapping[str, Sequence[Decision]]) -> Iterator[Decision]:
    seen, waiting = {identity}, [identity]
    while waiting:
        for each in before.get(waiting.pop(0), ()):
            if each.id not in seen:
                seen.add(each.id)
                waiting.append(each.id)
                yield each


def conflicts(decisions: Iterable[Decision]) -> tuple[tuple[Decision, Decision], ...]:
    """Return the pairs of standing decisions about one subject and one place, the older one first."""
    groups: dict[str, list[Decision]] = {}
    for each in standing(decisions):
        groups.setdefault(subject_key(each.subject), []).append(each)
    pairs = (pair for group in groups.values() for pair in combinations(group, 2))
    return tuple((one, other) for one, other in pairs if _meet(one, other))


def _meet(one: Decision, other: Decision) -> bool:
    return any(overlaps(place, there) for place in one.affects for there in other.affects)


def subject_key(subject: str) -> str:
    """Fold a subject so that case, blanks, and punctuation at its ends do not matter."""
    folded = " ".join(subject.casefold().split())
    return folded.strip(_EDGES) or folded
