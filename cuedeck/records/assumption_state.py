"""What becomes of assumptions: their status, and the sentence that says that one has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cuedeck.model.assumption import STATUSES, Assumption, Verdict
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.records.ledger_state import fold

ACTIVE, INVALIDATED, RESOLVED = STATUSES
NEVER_HELD = "neverHeld"
"""Key of an entry of the journal."""


class State(NamedTuple):
    """What the journal says of an assumption."""

    status: str
    since: str
    """RFC 3339; empty when the journal does not know it."""
    evidence: str
    never_held: bool = False
    """True for one that failed when it was added and has not held since."""


UNKNOWN = State(ACTIVE, "", "")


def states(entries: Iterable[LedgerEntry]) -> Mapping[str, State]:
    """Return the state of every assumption of a journal; what names no status is passed over."""
    known = (entry for entry in entries if entry.value.get("status") in STATUSES)
    return {identity: _state(fields) for identity, fields in fold(known).items()}


def next_status(current: str, verdict: Verdict) -> str:
    """Return the status that follows from a verdict.

    What fails is invalidated unless a person has dealt with it; what holds again is active again. A check that
    could not be made changes nothing.
    """
    if verdict.fault:
        return current
    if verdict.holds:
        return ACTIVE
    return RESOLVED if current == RESOLVED else INVALIDATED


def is_open(status: str, verdict: Verdict) -> bool:
    """Tell whether an assumption fails and nobody has dealt with it, whether or not the journal knows that it fails."""
    return verdict.fails and status != RESOLVED


def sentence(assumption: Assumption, verdict: Verdict, *, never_held: bool = False) -> str:
    """Return the sentence about an assumption that fails; the caller masks it.

    One that never held has not changed: it does not hold.

    Example: ⚠️ "Assumption changed: Found `GraphQL` (src/api.py:12). This may affect the auth implementation."
    Source: the memory strategy, 5.
    """
    what = "Assumption does not hold" if never_held else "Assumption changed"
    return f'⚠️ "{what}: {verdict.evidence}. This may affect {_affected(assumption)}."'


def _affected(assumption: Assumption) -> str:
    what = assumption.impact or ", ".join(assumption.affects) or f"what was assumed: {assumption.text}"
    return " ".join(what.split()).rstrip(".")


def _state(fields: Mapping[str, Any]) -> State:
    evidence = fields.get("evidence", "")
    said = evidence if isinstance(evidence, str) else ""
    return State(fields["status"], fields["changed"], said, fields.get(NEVER_HELD) is True)
