"""Checking of assumptions, with status changes recorded in the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.ledger.assumptions.assumption_state import (
    ACTIVE,
    NEVER_HELD,
    UNKNOWN,
    State,
    is_open,
    next_status,
    states,
)
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.assumption_kind import LOG, read_assumptions, read_states
from cuedeck.model.paths import ledger_path
from cuedeck.work.assumptions.evaluate_checks import Judged, judge_all
from cuedeck.work.assumptions.load_assumptions import broken, shown_faults

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.assumption import Assumption
    from cuedeck.model.diagnostic import Diagnostic
    from cuedeck.model.ledger_entry import LedgerEntry


class Change(NamedTuple):
    """Status change of an assumption."""

    id: str
    before: str
    after: str


class Evaluation(NamedTuple):
    """Results of a check run with the ledger state after it."""

    assumptions: tuple[Assumption, ...]
    """Requested assumptions, including those without a check, in file order."""
    judged: tuple[Judged, ...]
    """Requested assumptions that have a check, with their results."""
    states: Mapping[str, State]
    changed: tuple[Change, ...]
    diagnostics: tuple[Diagnostic, ...]
    """Masked diagnostics of the file and of checks that could not be run."""

    def status(self, identity: str) -> str:
        """Return the status of an assumption."""
        return self.states.get(identity, UNKNOWN).status

    @property
    def failing(self) -> tuple[Judged, ...]:
        """Failing assumptions that are not resolved, in file order."""
        return tuple(
            each
            for each in self.judged
            if is_open(self.status(each.assumption.id), each.verdict)
        )


def evaluate(workspace: Workspace, wanted: Sequence[str] = ()) -> Evaluation:
    """Check the assumptions, or those in `wanted`, and append each status change to the
    ledger.

    The index must be up to date. Without the file nothing is read or written.
    Raises: NotFound, Ambiguous for an id of `wanted`; Locked, StorageError.
    """
    found = read_assumptions(workspace.paths)
    items = found.items if found else ()
    faults = list(found.faults) if found else []
    chosen = _choose(items, wanted) if wanted else items
    judged: Sequence[Judged] = ()
    known: Mapping[str, State] = {}
    changes: Sequence[Change] = ()
    if chosen:
        judged = workspace.settled(lambda: judge_all(workspace, chosen))
        known = read_states(workspace)
    faults += broken(judged)
    if ledger_path(LOG) in workspace.ledger.unreadable:
        faults += workspace.ledger.read(LOG).faults
    elif _find_changes(judged, known):
        changes, known = _write(workspace, judged)
    return Evaluation(
        chosen,
        tuple(judged),
        known,
        tuple(changes),
        tuple(shown_faults(workspace, faults)),
    )


def _choose(
    items: Sequence[Assumption], wanted: Sequence[str]
) -> tuple[Assumption, ...]:
    """Return the assumptions with these ids or id prefixes. Raises: NotFound,
    Ambiguous.
    """
    ids = [item.id for item in items]
    chosen = {pick(text, ids, "assumption") for text in wanted}
    return tuple(item for item in items if item.id in chosen)


def _find_changes(
    judged: Sequence[Judged], states_before: Mapping[str, State]
) -> Sequence[Change]:
    changes = []
    for assumption, verdict, _ in judged:
        before = states_before.get(assumption.id, UNKNOWN).status
        after = next_status(before, verdict)
        if after != before:
            changes.append(Change(assumption.id, before, after))
    return changes


def _write(
    workspace: Workspace, judged: Sequence[Judged]
) -> tuple[Sequence[Change], Mapping[str, State]]:
    """Append the status changes, computed from the locked ledger; return them and the
    new states.
    """
    evidence = {each.assumption.id: each.verdict.evidence for each in judged}
    changes: Sequence[Change] = ()

    def make(entries: Sequence[LedgerEntry], now: str) -> Sequence[dict[str, Any]]:
        nonlocal changes
        known = states(entries)
        changes = _find_changes(judged, known)
        rows = []
        for change in changes:
            row: dict[str, Any] = {
                "id": change.id,
                "timestamp": now,
                "status": change.after,
                "evidence": evidence[change.id],
            }
            if change.after == ACTIVE and known.get(change.id, UNKNOWN).never_held:
                row[NEVER_HELD] = False
            rows.append(row)
        return rows

    workspace.ledger.append(LOG, make)
    return changes, read_states(workspace)
