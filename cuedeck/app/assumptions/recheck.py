"""Checking of assumptions, with status changes recorded in the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.assumptions.evaluate_checks import LEDGER, Judged, judge_all, read_states
from cuedeck.app.assumptions.load_assumptions import broken, read_assumptions, shown_faults
from cuedeck.model.paths import ledger_path
from cuedeck.records.assumption_state import ACTIVE, NEVER_HELD, UNKNOWN, State, is_open, next_status, states

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.assumption import Assumption
    from cuedeck.model.file import Diagnostic
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
        """Failing assumptions that nobody has resolved, in file order."""
        return tuple(each for each in self.judged if is_open(self.status(each.assumption.id), each.verdict))


def evaluate(workspace: Workspace, wanted: Sequence[str] = ()) -> Evaluation:
    """Check the assumptions, or those in `wanted`, and append each status change to the ledger.

    The index must be up to date. Without the file nothing is read or written.
    Raises: NotFound, Ambiguous for an id of `wanted`; Locked, StorageError.
    """
    found = read_assumptions(workspace)
    chosen = found.items if found else ()
    if wanted:
        from cuedeck.records.id_prefix import pick

        ids = [each.id for each in chosen]
        named = {pick(text, ids, "assumption") for text in wanted}
        chosen = tuple(each for each in chosen if each.id in named)
    judged = workspace.settled(lambda: judge_all(workspace, chosen)) if chosen else ()
    now = read_states(workspace) if chosen else {}
    changed: Sequence[Change] = ()
    unreadable: Sequence[Diagnostic] = ()
    if ledger_path(LEDGER) in workspace.ledgers.unreadable:
        unreadable = workspace.ledgers.read(LEDGER).faults
    elif _changes(judged, now):
        changed, now = _write(workspace, judged)
    faults = shown_faults(workspace, [*(found.faults if found else ()), *broken(judged), *unreadable])
    return Evaluation(chosen, tuple(judged), now, tuple(changed), tuple(faults))


def _changes(judged: Sequence[Judged], now: Mapping[str, State]) -> Sequence[Change]:
    steps = []
    for assumption, verdict, _ in judged:
        before = now.get(assumption.id, UNKNOWN).status
        after = next_status(before, verdict)
        if after != before:
            steps.append(Change(assumption.id, before, after))
    return steps


def _write(workspace: Workspace, judged: Sequence[Judged]) -> tuple[Sequence[Change], Mapping[str, State]]:
    """Append the status changes, computed from the locked ledger; return them and the new states."""

    evidence = {each.assumption.id: each.verdict.evidence for each in judged}
    changed: Sequence[Change] = ()

    def make(entries: Sequence[LedgerEntry], now: str) -> Sequence[dict[str, Any]]:
        nonlocal changed
        known = states(entries)
        changed = _changes(judged, known)
        rows: list[dict[str, Any]] = []
        for each in changed:
            row: dict[str, Any] = {"id": each.id, "timestamp": now, "status": each.after, "evidence": evidence[each.id]}
            if known.get(each.id, UNKNOWN).never_held and each.after == ACTIVE:
                row[NEVER_HELD] = False
            rows.append(row)
        return rows

    workspace.ledgers.append(LEDGER, make)
    return changed, read_states(workspace)
