"""Creation of decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.citations import WorkspaceDoors
from cuedeck.knowledge.statements.decision_statements import (
    add_decision,
    remove_decision,
)
from cuedeck.ledger.entry_source import pick_entry
from cuedeck.ledger.kinds.decision_kind import (
    DECISION,
    Decision,
    conflicts,
    require_accepted,
)
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.formatting import quoted
from cuedeck.text.timestamps import format_moment, moment_of
from cuedeck.work.decisions.promote_statement import read_promoted
from cuedeck.work.sessions.sync_scene import sync_session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ledger_entry import LedgerEntry
    from cuedeck.work.decisions.promote_statement import Promoted


class NewDecision(NamedTuple):
    """Values of a new decision as the user gives them."""

    text: str
    because: str = ""
    alternatives: tuple[str, ...] = ()
    file: str | None = None
    affects: tuple[str, ...] = ()
    impact: tuple[str, ...] = ()
    subject: str = ""
    card: str = ""
    supersedes: str | None = None
    status: str = "accepted"
    date: str = ""
    """Time of the decision; empty for now."""
    statement: str = ""
    """Address of a captured statement, whose values replace those that are missing."""


def decide(workspace: Workspace, wanted: NewDecision) -> dict[str, Any]:
    """Append a decision to the ledger; return its JSON, with warnings about unresolved
    addresses and conflicts.

    Raises: Invalid for an empty text or if the decision to supersede is not in force,
    UsageError for a rejected decision that supersedes another, NotFound and Ambiguous
    for a card, an address or a decision. Nothing is written then.
    """
    if wanted.statement:
        wanted = _fill(wanted, read_promoted(workspace.paths, wanted.statement))
    if wanted.supersedes is not None and wanted.status != "accepted":
        raise UsageError(
            "a rejected decision cannot supersede another",
            hint="omit --supersedes or --status",
        )
    date = _checked_date(wanted.date)
    cites = wanted.affects
    if wanted.file is not None:
        cites = (wanted.file, *wanted.affects)

    def settle(
        entries: Sequence[LedgerEntry], row: Mapping[str, Any]
    ) -> dict[str, str]:
        return {
            "timestamp": date or row["timestamp"],
            "file": "" if wanted.file is None else row["affects"][0],
            "status": wanted.status,
            "supersedes": _superseded(wanted.supersedes, entries),
        }

    given = {
        "decision": wanted.text,
        "subject": wanted.subject,
        "rationale": wanted.because,
        "alternatives": wanted.alternatives,
        "impact": wanted.impact,
    }
    doors = WorkspaceDoors(workspace)
    added = workspace.ledger.add(
        DECISION, given, doors, cites=cites, card=wanted.card, settle=settle
    )
    sync_session(workspace)
    decisions = workspace.ledger.entries(DECISION)
    decision = pick_entry(added.id, "decision", decisions)
    warnings = [*added.warnings, *_conflict_warnings(decisions, decision.id)]
    if not wanted.statement:
        warnings += add_decision(workspace.paths, decision)
    if decision.supersedes:
        warnings += remove_decision(workspace.paths, decision.supersedes)
    return _answer(decision, warnings)


def _fill(wanted: NewDecision, found: Promoted) -> NewDecision:
    affects = wanted.affects
    if wanted.file is None:
        affects = affects or found.affects
    return wanted._replace(
        text=wanted.text or found.text,
        because=wanted.because or found.because,
        affects=affects,
        date=wanted.date or found.date,
    )


def _checked_date(text: str) -> str:
    """Return a date as a timestamp; empty for none. Raises: Invalid."""
    if not text:
        return ""
    moment = moment_of(text)
    if moment is None or moment > datetime.now(UTC):
        raise Invalid(
            f"date must be a day or time in the past, got `{text}`",
            hint="write it like 2026-05-03 or 2026-05-03T12:00:00Z",
        )
    return format_moment(moment)


def _conflict_warnings(decisions: Sequence[Decision], identity: str) -> Iterator[str]:
    for one, other in conflicts(decisions):
        if identity in (one.id, other.id):
            old = one if other.id == identity else other
            hint = (
                f"cuedeck decision supersede {quoted(old.id)} --by {quoted(identity)}"
            )
            yield f"warning: `{old.id}` has the same subject: {old.decision} ({hint})"


def _superseded(text: str | None, entries: Sequence[LedgerEntry]) -> str:
    """Return the id of the decision to supersede. Raises: Invalid if it is not in
    force, NotFound, Ambiguous.
    """
    if text is None:
        return ""
    decisions = DECISION.read(entries)
    old = pick_entry(text, "decision", decisions)
    require_accepted(old, decisions)
    return old.id


def _answer(decision: Decision, warnings: Sequence[str]) -> dict[str, Any]:
    row = DECISION.row(decision)
    names = (
        "decision",
        "subject",
        "affects",
        "card",
        "session",
        "status",
        "supersedes",
    )
    shown = {name: row[name] for name in names}
    line = DECISION.reminder(decision)
    return {"id": decision.id, "warnings": warnings, **shown, "line": line}
