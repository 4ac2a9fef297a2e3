"""Ids of the ledger entries that exist: decisions, attempts, sessions, records and experiences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cuedeck.app.experiences.experience_repository import experiences_in
from cuedeck.app.memory.memory_snapshot import record_ids
from cuedeck.app.workspace import Workspace
from cuedeck.records.ledger_state import fold


def _ids_of(ledger: str) -> Callable[[Workspace, str], Sequence[str]]:
    def ids(workspace: Workspace, start: str) -> Sequence[str]:
        return [each for each in workspace.ledgers.derive(ledger, fold) if each.startswith(start)]

    return ids


def _session_ids(workspace: Workspace, start: str) -> Sequence[str]:
    return [each for each in workspace.sessions.ids() if each.startswith(start)]


def _experience_ids(workspace: Workspace, start: str) -> Sequence[str]:
    return [each.id for each in experiences_in(workspace) if each.id.startswith(start)]


LEDGER_IDS: Mapping[str, Callable[[Workspace, str], Sequence[str]]] = {
    "decision": _ids_of("decisions"),
    "attempt": _ids_of("attempts"),
    "session": _session_ids,
    "record": record_ids,
    "experience": _experience_ids,
}
"""Functions that return the ids that begin with a text, oldest first. Raise: StorageError."""
