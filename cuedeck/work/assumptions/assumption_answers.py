"""Results of the assumption commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.ledger.assumptions.assumption_state import RESOLVED, UNKNOWN, states
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.assumption_kind import (
    LOG,
    assumption_row,
    read_assumptions,
    read_states,
)
from cuedeck.model.errors import Invalid
from cuedeck.work.assumptions.evaluate_checks import judge_all
from cuedeck.work.assumptions.recheck import Evaluation, evaluate
from cuedeck.work.sessions.sync_scene import sync_session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.assumption import Assumption
    from cuedeck.model.ledger_entry import LedgerEntry


def list_assumptions(workspace: Workspace) -> dict[str, Any]:
    """Return every assumption with its status in the ledger, without running checks."""
    found = read_assumptions(workspace.paths)
    if found is None:
        return {"assumptions": [], "diagnostics": []}
    known = read_states(workspace)
    rows = []
    for each in found.items:
        rows.append(assumption_row(each, known.get(each.id, UNKNOWN)))
    return {
        "assumptions": rows,
        "diagnostics": [each._asdict() for each in found.faults],
    }


def check_assumptions(
    workspace: Workspace, wanted: Sequence[str] = ()
) -> tuple[dict[str, Any], bool]:
    """Check assumptions and record status changes; return the results and whether all
    checked assumptions are well.

    Raises: NotFound, Ambiguous for an id; Locked, StorageError.
    """
    workspace.refresh()
    found = evaluate(workspace, wanted)
    if found.changed:
        sync_session(workspace)
    answer = {
        "assumptions": [_checked_row(each, found) for each in found.assumptions],
        "diagnostics": [each._asdict() for each in found.diagnostics],
    }
    return answer, not found.failing and all(
        each.level != "error" for each in found.diagnostics
    )


def resolve_assumption(
    workspace: Workspace, text: str, because: str = ""
) -> dict[str, Any]:
    """Record that the user has resolved a failing assumption.

    Raises: NotFound, Ambiguous; Invalid for an assumption that holds.
    """
    found = read_assumptions(workspace.paths)
    items = {each.id: each for each in found.items} if found else {}
    identity = pick(text, list(items), "assumption")
    workspace.refresh()
    judged = workspace.settled(lambda: judge_all(workspace, [items[identity]]))
    if judged and judged[0].verdict.holds:
        message = f"`{identity}` holds: {judged[0].verdict.evidence}"
        raise Invalid(message, hint="only a failing assumption can be resolved")
    evidence = workspace.mask().plain(" ".join(because.split()))

    def make(entries: Sequence[LedgerEntry], now: str) -> Sequence[dict[str, Any]]:
        if states(entries).get(identity, UNKNOWN).status == RESOLVED:
            return []
        return [
            {"id": identity, "timestamp": now, "status": RESOLVED, "evidence": evidence}
        ]

    written = workspace.ledger.append(LOG, make)
    if written:
        sync_session(workspace)
    return {"id": identity, "status": RESOLVED, "changed": bool(written)}


def _checked_row(assumption: Assumption, found: Evaluation) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": assumption.id,
        "text": assumption.text,
        "holds": None,
        "status": found.status(assumption.id),
        "evidence": "",
        "where": "",
        "message": "",
    }
    for judged in found.judged:
        if judged.assumption is assumption:
            verdict = judged.verdict
            row["holds"] = None if verdict.fault else verdict.holds
            row["evidence"] = verdict.evidence
            row["where"] = verdict.where
            row["message"] = judged.message or verdict.fault
            break
    return row
