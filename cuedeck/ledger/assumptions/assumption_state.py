"""Status transitions of assumptions, and the notice that an assumption has failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cuedeck.ledger.ledger_state import fold
from cuedeck.model.assumption import STATUSES, Assumption, Verdict
from cuedeck.model.ledger_entry import LedgerEntry

ACTIVE, INVALIDATED, RESOLVED = STATUSES
NEVER_HELD = "neverHeld"
"""Journal field; True for an assumption that failed at its first check and has not held
since.
"""


class State(NamedTuple):
    """The latest journal entry of an assumption."""

    status: str
    since: str
    """RFC 3339; empty if the assumption is not in the journal."""
    evidence: str
    never_held: bool = False
    """True if the assumption failed when it was added and has not held since."""


UNKNOWN = State(ACTIVE, "", "")


def states(entries: Iterable[LedgerEntry]) -> Mapping[str, State]:
    """Return the state of every assumption in a journal; entries without a valid status
    are ignored.
    """
    known = (entry for entry in entries if entry.value.get("status") in STATUSES)
    return {identity: _state(fields) for identity, fields in fold(known).items()}


def next_status(current: str, verdict: Verdict) -> str:
    """Return the status that follows from a verdict.

    A failed assumption becomes invalidated unless a person resolved it; one that holds
    becomes active. A check that could not be run changes nothing.
    """
    if verdict.fault:
        return current
    if verdict.holds:
        return ACTIVE
    return RESOLVED if current == RESOLVED else INVALIDATED


def is_open(status: str, verdict: Verdict) -> bool:
    """Return whether an assumption fails and is not resolved, regardless of whether the
    journal records the failure.
    """
    return verdict.fails and status != RESOLVED


def sentence(
    assumption: Assumption, verdict: Verdict, *, never_held: bool = False
) -> str:
    """Return the notice about a failed assumption; the caller masks it.

    With `never_held` the notice reads "does not hold" instead of "changed".

    Example: ⚠️ "Assumption changed: Found `GraphQL` (src/api.py:12). This may affect
    the auth implementation." Source: the memory strategy, 5.
    """
    what = "Assumption does not hold" if never_held else "Assumption changed"
    return f'⚠️ "{what}: {verdict.evidence}. This may affect {_affected(assumption)}."'


def _affected(assumption: Assumption) -> str:
    what = (
        assumption.impact
        or ", ".join(assumption.affects)
        or f"this assumption: {assumption.text}"
    )
    return " ".join(what.split()).rstrip(".")


def _state(fields: Mapping[str, Any]) -> State:
    evidence = fields.get("evidence", "")
    text = evidence if isinstance(evidence, str) else ""
    return State(
        fields["status"], fields["changed"], text, fields.get(NEVER_HELD) is True
    )
