"""The tables of kinds, and access to the entries of each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuedeck.ledger.entry_source import EntrySource, LogSource
from cuedeck.ledger.kind import Kind
from cuedeck.ledger.kinds.assumption_kind import AssumptionSource
from cuedeck.ledger.kinds.attempt_kind import ATTEMPT
from cuedeck.ledger.kinds.decision_kind import DECISION
from cuedeck.ledger.kinds.experience_kind import ExperienceSource
from cuedeck.ledger.kinds.record_kind import RecordSource
from cuedeck.ledger.kinds.session_kind import SessionSource
from cuedeck.ledger.kinds.statement_kind import StatementSource

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

KINDS: dict[str, Kind[Any]] = {"decision": DECISION, "attempt": ATTEMPT}
"""Kinds whose entries are in append-only logs."""
_SOURCES: dict[str, Callable[[Workspace], EntrySource[Any]]] = {
    "assumption": AssumptionSource,
    "record": RecordSource,
    "experience": ExperienceSource,
    "session": SessionSource,
    "statement": StatementSource,
}
"""Access to the entries of the other kinds."""


def source_of(workspace: Workspace, kind: str) -> EntrySource[Any] | None:
    """Return access to the entries of a kind; None for an unknown kind."""
    if kind in KINDS:
        return LogSource(KINDS[kind], workspace)
    make = _SOURCES.get(kind)
    return None if make is None else make(workspace)
