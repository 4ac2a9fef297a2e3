"""Listing and display of decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.engine.citations import card_filter, citing, entry_rows
from cuedeck.ledger.entry_source import pick_entry
from cuedeck.ledger.kind import fold, text_of
from cuedeck.ledger.kinds.decision_kind import (
    DECISION,
    Decision,
    accepted_decisions,
    replaced,
    replacement,
    subject_key,
)
from cuedeck.model.secret import Word, as_words
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.entry_node import LedgerEntry
    from cuedeck.model.ports import Json

_KNOWN = frozenset([*Decision.__dataclass_fields__, "changed", "file", "because"])
_CHANGES = (
    ("decision", "decided"),
    ("status", "status"),
    ("supersedes", "replaces"),
    ("proof", "confirmed"),
)
"""Kind of change of a ledger line, by the first of these fields that it contains."""

_HISTORY_FIELDS = {
    "status": "status",
    "by": "superseded_by",
    "supersedes": "supersedes",
    "because": "because",
    "commit": "commit",
}
"""Field in a ledger line of each value in the history."""


def list_decisions(
    workspace: Workspace,
    *,
    everything: bool = False,
    card: str = "",
    affects: str | None = None,
    subject: str = "",
) -> Json:
    """Return the decisions in force that match every filter, newest last; with
    `everything` all that match.

    `affects` also matches addresses that contain it or are part of it; `subject`
    matches any part of a subject. Raises: NotFound, Ambiguous.
    """
    workspace.refresh()
    decisions = workspace.ledger.entries(DECISION)
    chosen = decisions if everything else accepted_decisions(decisions)
    if card:
        identity = card_filter(workspace.index, card, [each.card for each in decisions])
        chosen = tuple(each for each in chosen if each.card == identity)
    if subject:
        key = subject_key(subject)
        chosen = tuple(each for each in chosen if key in subject_key(each.subject))
    found = citing(workspace.index, workspace.paths, DECISION, chosen, affects)
    faults = workspace.ledger.read_log(DECISION.log).faults
    return {
        "decisions": list(entry_rows(workspace, DECISION, found)),
        "total": len(decisions),
        "problems": [fault._asdict() for fault in faults],
    }


def show_decision(workspace: Workspace, text: str) -> Json:
    """Return one decision with all its data. Raises: NotFound, Ambiguous."""
    workspace.refresh()
    entries = workspace.ledger.read_log(DECISION.log).entries
    decisions = DECISION.read(entries)
    decision = pick_entry(text, "decision", decisions)
    successor = replacement(decision, decisions)
    other = {}
    for key, value in fold(entries)[decision.id].items():
        if key not in _KNOWN:
            other[key] = value
    (row,) = entry_rows(workspace, DECISION, [decision])
    own = {entry.digest: entry for entry in entries if entry.id == decision.id}
    ordered = sorted(own.values(), key=_when)
    row |= {
        "replacement": successor.id if successor else None,
        "replaces": [old.id for old in replaced(decision, decisions)],
        "commit": decision.commit or None,
        "proof": {Word(address): digest for address, digest in decision.proof.items()},
        "history": [_change(entry) for entry in ordered],
        "other": as_words(other),
    }
    return {"decision": row}


def _change(entry: LedgerEntry) -> Json:
    changes = [word for field, word in _CHANGES if field in entry.value]
    row: Json = {
        "timestamp": entry.timestamp,
        "change": changes[0] if changes else "changed",
    }
    for name, field in _HISTORY_FIELDS.items():
        row[name] = text_of(entry.value, field) or None
    return row


def _when(entry: LedgerEntry) -> tuple[float, str]:
    moment = moment_of(entry.timestamp)
    return moment.timestamp() if moment else float("-inf"), entry.digest
