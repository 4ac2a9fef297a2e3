"""Access of commands to the ledger of decisions, and the JSON of a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.ledger.citation_freshness import mark
from cuedeck.ledger.decisions.decision_log import read_decisions, replacement
from cuedeck.ledger.decisions.decision_text import reminder
from cuedeck.ledger.id_prefix import pick
from cuedeck.model.errors import Invalid
from cuedeck.work.decisions.citations import freshness_of

if TYPE_CHECKING:
    from cuedeck.ledger.ledger_files import Ledgers
    from cuedeck.model.decision import Decision
    from cuedeck.model.ledger_entry import LedgerEntry

NAME = "decisions"


def decisions_of(ledgers: Ledgers) -> tuple[Decision, ...]:
    """Return every decision of the ledger, oldest first. Raises: StorageError."""
    return ledgers.derive(NAME, read_decisions)


def pick_decision(text: str, decisions: Sequence[Decision]) -> Decision:
    """Return the decision with the id or id prefix `text`. Raises: NotFound with the
    nearest ids, Ambiguous.
    """
    known = {each.id: each for each in decisions}
    return known[pick(text, list(known), "decision")]


def require_accepted(decision: Decision, decisions: Iterable[Decision]) -> None:
    """Raise Invalid, naming the decision that replaces it, unless a decision is in
    force.
    """
    if decision.status == "accepted":
        return
    message = f"decision `{decision.id}` is {decision.status}"
    if decision.superseded_by:
        message += f" by `{decision.superseded_by}`"
    successor = replacement(decision, decisions)
    if successor is None:
        raise Invalid(
            message, hint="`cuedeck decision list` lists the decisions in force"
        )
    hint = f"`{successor.id}` replaces it: {successor.decision}"
    raise Invalid(message, hint=hint, candidates=(successor.id,))


def taken_ids(entries: Iterable[LedgerEntry]) -> frozenset[str]:
    """Return the ids in use."""
    return frozenset(entry.id for entry in entries)


def decision_row(
    decision: Decision, head: str, hash_of_address: Callable[[str], str]
) -> dict[str, Any]:
    """Return the row of a decision in lists."""
    found = freshness_of(decision, decision.affects, head, hash_of_address)
    return {
        "id": decision.id,
        "timestamp": decision.timestamp,
        "decision": decision.decision,
        "subject": decision.subject,
        "rationale": decision.rationale,
        "alternatives": list(decision.alternatives),
        "affects": list(decision.affects),
        "impact": list(decision.impact),
        "card": decision.card or None,
        "session": decision.session or None,
        "status": decision.status,
        "supersedes": decision.supersedes or None,
        "superseded_by": decision.superseded_by or None,
        "freshness": [each._asdict() for each in found],
        "mark": mark(found),
        "line": reminder(decision),
    }
