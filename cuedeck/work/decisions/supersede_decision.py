"""Status changes of decisions: supersede one, or confirm that it is still right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.engine.citations import hash_now, head_now
from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.statements.decision_statements import remove_decision
from cuedeck.ledger.entry_source import pick_entry
from cuedeck.ledger.kinds.decision_kind import DECISION, SUPERSEDED, require_accepted
from cuedeck.model.errors import Invalid
from cuedeck.text.plain_text import plain_line
from cuedeck.work.sessions.sync_scene import sync_session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ledger_entry import LedgerEntry


def supersede(
    workspace: Workspace, text: str, by: str | None = None, because: str = ""
) -> dict[str, Any]:
    """Mark a decision as superseded, by another decision in force or without a
    successor.

    Raises: NotFound, Ambiguous; Invalid if either is not in force or both are the same.
    Nothing is written then.
    """
    reason = mask_given(plain_line(because), workspace)

    def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
        decisions = DECISION.read(entries)
        old = pick_entry(text, "decision", decisions)
        require_accepted(old, decisions)
        change: dict[str, object] = {
            "id": old.id,
            "timestamp": now,
            "status": SUPERSEDED,
        }
        because_field = {"because": reason} if reason else {}
        if by is None:
            change.update(because_field)
            return [change]
        new = pick_entry(by, "decision", decisions)
        if new.id == old.id:
            raise Invalid(
                f"decision `{old.id}` cannot supersede itself",
                hint="give another id with --by",
            )
        # A superseded decision cannot supersede another one. This prevents cycles.
        require_accepted(new, decisions)
        change["superseded_by"] = new.id
        change.update(because_field)
        rows = [change]
        if not new.supersedes:
            # The field keeps the first decision that it superseded. For others,
            # `superseded_by` is sufficient.
            rows.append({"id": new.id, "timestamp": now, "supersedes": old.id})
        return rows

    row = workspace.ledger.append(DECISION.log, make)[0]
    sync_session(workspace)
    return {
        "id": row["id"],
        "warnings": remove_decision(workspace.paths, str(row["id"])),
        "status": SUPERSEDED,
        "superseded_by": row.get("superseded_by"),
    }


def confirm(workspace: Workspace, text: str) -> dict[str, Any]:
    """Confirm that a decision is still right. Its cited addresses count as fresh from
    now on.

    Raises: NotFound, Ambiguous; Invalid for a superseded decision.
    """
    workspace.refresh()
    chosen = pick_entry(text, "decision", workspace.ledger.entries(DECISION))
    hashes = {address: hash_now(workspace, address) for address in chosen.affects}
    resolved = {address: digest for address, digest in hashes.items() if digest}
    head = head_now(workspace.paths.root)

    def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
        decisions = DECISION.read(entries)
        decision = pick_entry(chosen.id, "decision", decisions)
        if decision.status == SUPERSEDED:
            require_accepted(decision, decisions)
        # Unresolved addresses keep their old hash, so that they are still reported as
        # missing.
        proof = {**decision.proof, **resolved}
        commit = {"commit": head} if head or decision.commit else {}
        return [{"id": decision.id, "timestamp": now, **commit, "proof": proof}]

    workspace.ledger.append(DECISION.log, make)
    sync_session(workspace)
    warnings = [
        f"warning: `{address}` has no target any more"
        for address in hashes
        if address not in resolved
    ]
    return {
        "id": chosen.id,
        "warnings": warnings,
        "affects": list(chosen.affects),
        "commit": head or None,
    }
