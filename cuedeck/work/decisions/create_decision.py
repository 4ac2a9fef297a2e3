"""Creation of decisions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.statements.decision_statements import (
    add_decision,
    remove_decision,
)
from cuedeck.ledger.decisions.decision_log import conflicts, read_decisions
from cuedeck.ledger.decisions.decision_text import reminder
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.formatting import quoted
from cuedeck.model.ids import new_id
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.text.plain_text import plain_line
from cuedeck.text.timestamps import format_moment, moment_of
from cuedeck.work.decisions.citations import Cited, cite, head_now
from cuedeck.work.decisions.decision_repository import (
    NAME,
    decisions_of,
    pick_decision,
    require_accepted,
    taken_ids,
)
from cuedeck.work.decisions.promote_statement import read_promoted
from cuedeck.work.decisions.provenance import origin
from cuedeck.work.sessions.sync_scene import sync_session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.decision import Decision
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
        wanted = _fill(wanted, read_promoted(workspace, wanted.statement))
    # Mask before the lines are joined: some secrets have several lines.
    wanted = _mask_lines(workspace, wanted)
    text = _check(wanted)
    date = _checked_date(wanted.date)
    workspace.refresh()
    addresses = wanted.affects
    if wanted.file is not None:
        addresses = (wanted.file, *wanted.affects)
    cited = cite(workspace, addresses)
    head = head_now(workspace.paths.root)
    values = _values(wanted, text, cited)
    values.update(origin(workspace, wanted.card))
    values["status"] = wanted.status
    values, proved = mask_given((values, list(cited.proof)), workspace)
    proof = dict(zip(proved, cited.proof.values(), strict=True))

    def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
        supersedes = _superseded(wanted.supersedes, entries)
        seed = f"{text}\0{time.time_ns()}".encode()
        fields = {
            "id": new_id(seed, taken_ids(entries).__contains__),
            "timestamp": date or now,
            **values,
            "supersedes": supersedes,
            "commit": head,
            "proof": proof,
        }
        row = {}
        for key, value in fields.items():
            if value or key in _ALWAYS:
                row[key] = value
        return [row]

    (row,) = workspace.ledgers.append(NAME, make)
    sync_session(workspace)
    decisions = decisions_of(workspace.ledgers)
    warnings = [*cited.warnings, *_conflict_warnings(decisions, str(row["id"]))]
    if not wanted.statement:
        warnings += add_decision(workspace, _read(row))
    if row.get("supersedes"):
        warnings += remove_decision(workspace, str(row["supersedes"]))
    return _answer(row, warnings)


def _mask_lines(workspace: Workspace, wanted: NewDecision) -> NewDecision:
    """Return a decision with masked secrets in the texts whose lines are joined."""

    def mask(text: str) -> str:
        masked: str = mask_given(text, workspace)
        return masked

    return wanted._replace(
        text=mask(wanted.text),
        subject=mask(wanted.subject),
        alternatives=tuple(map(mask, wanted.alternatives)),
        impact=tuple(map(mask, wanted.impact)),
    )


def _check(wanted: NewDecision) -> str:
    """Return the text of a decision on one line. Raises: Invalid, UsageError."""
    text = plain_line(wanted.text)
    if not text:
        raise Invalid(
            "a decision needs a text",
            hint='cuedeck decide "Use bcrypt" --because "proven secure"',
        )
    if wanted.supersedes is not None and wanted.status != "accepted":
        raise UsageError(
            "a rejected decision cannot supersede another",
            hint="omit --supersedes or --status",
        )
    return text


def _fill(wanted: NewDecision, found: Promoted) -> NewDecision:
    """Return a decision whose missing values are those of a statement."""
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
    """Yield a warning for each decision in force on the same subject and the same
    place.
    """
    for one, other in conflicts(decisions):
        if identity in (one.id, other.id):
            old = one if other.id == identity else other
            hint = (
                f"cuedeck decision supersede {quoted(old.id)} --by {quoted(identity)}"
            )
            yield f"warning: `{old.id}` has the same subject: {old.decision} ({hint})"


_ALWAYS = ("rationale", "alternatives", "impact", "affects")
"""Fields that are written even if they are empty."""


def _values(wanted: NewDecision, text: str, cited: Cited) -> dict[str, Any]:
    alternatives = [plain_line(each) for each in wanted.alternatives]
    impact = [plain_line(each) for each in wanted.impact]
    return {
        "decision": text,
        "subject": plain_line(wanted.subject) or text,
        "rationale": wanted.because.strip(),
        "alternatives": [each for each in alternatives if each],
        "file": cited.addresses[0] if wanted.file is not None else "",
        "impact": [each for each in impact if each],
        "affects": list(cited.addresses),
    }


def _superseded(text: str | None, entries: Sequence[LedgerEntry]) -> str:
    """Return the id of the decision to supersede. Raises: Invalid if it is not in
    force, NotFound, Ambiguous.
    """
    if text is None:
        return ""
    decisions = read_decisions(entries)
    old = pick_decision(text, decisions)
    require_accepted(old, decisions)
    return old.id


def _answer(row: dict[str, Any], warnings: Sequence[str]) -> dict[str, Any]:
    decision = _read(row)
    return {
        "id": decision.id,
        "warnings": list(warnings),
        "decision": decision.decision,
        "subject": decision.subject,
        "affects": list(decision.affects),
        "card": decision.card or None,
        "session": decision.session or None,
        "status": decision.status,
        "supersedes": decision.supersedes or None,
        "line": reminder(decision),
    }


def _read(row: dict[str, Any]) -> Decision:
    (decision,) = read_decisions(
        [
            LedgerEntry(
                id=row["id"], timestamp=row["timestamp"], value=row, line=1, digest=""
            )
        ]
    )
    return decision
