"""Kind of the assumptions: their text is in assumptions.toml, their status in a log of
the ledger.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.assumptions_toml import Assumptions, parse_assumptions
from cuedeck.ledger.entry_source import EntrySource, Shown, address_edges, join_texts
from cuedeck.ledger.kind import fold
from cuedeck.model.assumption import STATUSES, Assumption, Verdict
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.entry_node import EntryEdge, LedgerEntry
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import ASSUMPTIONS
from cuedeck.model.recall_values import Unit
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import LARGEST_TOML, read_bytes

if TYPE_CHECKING:
    from cuedeck.ledger.ledger import Ledger
    from cuedeck.model.ports import Json
    from cuedeck.store.workspace_paths import WorkspacePaths

LOG = "assumptions"
"""Name of the log of states."""
ACTIVE, INVALIDATED, RESOLVED = STATUSES


class State(NamedTuple):
    """The latest entry of an assumption in the log."""

    status: str
    since: str
    """RFC 3339; empty if the assumption is not in the log."""
    evidence: str


UNKNOWN = State(ACTIVE, "", "")


class AssumptionSource(EntrySource[Assumption]):
    """Access to the assumptions of assumptions.toml."""

    def entries(self) -> Sequence[Assumption]:
        return read_assumptions(self.workspace.paths).items

    def shown(self, value: Assumption) -> Shown:
        state = read_states(self.workspace.ledger).get(value.id, UNKNOWN)
        return Shown(ASSUMPTIONS, value.line, assumption_row(value, state))

    def edges(self, value: Assumption) -> Iterator[EntryEdge]:
        return address_edges(self.workspace.index, "affects", value.affects)

    def units(self, path: str) -> Iterator[Unit]:
        for each in self.entries():
            line = each.line or 1
            text = join_texts((each.text, each.impact))
            yield Unit(
                "assumption",
                line,
                line,
                text,
                id=each.id,
            )


def read_assumptions(paths: WorkspacePaths) -> Assumptions:
    """Return the parsed file; without it, no assumption.

    A file that is unreadable, too large, or a symbolic link that leaves the workspace
    has no assumption and one fault.
    """
    place = paths.absolute(ASSUMPTIONS)
    try:
        if os.path.islink(place):
            nofollow.follow_inside(paths.root, place)
        data = read_bytes(place, LARGEST_TOML)
    except nofollow.LinkRefused as error:
        message = f"cannot read it: {error.strerror}"
        hint = "put the file in the place of the link"
    except StorageError as error:
        message, hint = error.message.replace(place, ASSUMPTIONS), error.hint
    else:
        return parse_assumptions(data or b"")
    fault = Diagnostic(
        ASSUMPTIONS,
        0,
        "error",
        "unreadable",
        message,
        hint,
    )
    return Assumptions((), (fault,))


def read_states(ledger: Ledger) -> Mapping[str, State]:
    """Return the status of each assumption in the log. Raises: StorageError."""
    return ledger.derive(LOG, states)


def states(entries: Iterable[LedgerEntry]) -> Mapping[str, State]:
    """Return the state of every assumption in the log; entries without a valid status
    are ignored.
    """
    known = (entry for entry in entries if entry.value.get("status") in STATUSES)
    found = {}
    for identity, row in fold(known).items():
        text = row.get("evidence", "")
        evidence = text if isinstance(text, str) else ""
        found[identity] = State(row["status"], row["changed"], evidence)
    return found


def next_status(current: str, verdict: Verdict) -> str:
    """Return the status that follows from a verdict.

    A failed assumption becomes invalidated unless a person resolved it; one that holds
    becomes active. A check that could not be run changes nothing.
    """
    if verdict.fault:
        return current
    if verdict.holds:
        return ACTIVE
    return RESOLVED if current == RESOLVED else INVALIDATED


def is_open(status: str, verdict: Verdict) -> bool:
    """Return whether an assumption fails and is not resolved, regardless of whether the
    log has the failure.
    """
    return verdict.fails and status != RESOLVED


def sentence(assumption: Assumption, verdict: Verdict) -> str:
    """Return the notice about a failed assumption; the caller masks it.

    Example: ⚠️ "Assumption changed: Found `GraphQL` (src/api.py:12). This may affect
    the auth implementation." Source: the memory strategy, 5.
    """
    affected = assumption.impact or ", ".join(assumption.affects)
    affected = affected or f"this assumption: {assumption.text}"
    affected = " ".join(affected.split()).rstrip(".")
    return f'⚠️ "Assumption changed: {verdict.evidence}. This may affect {affected}."'


def assumption_row(assumption: Assumption, state: State) -> Json:
    """Return an assumption with its state in the log."""
    check = assumption.check
    return {
        "id": assumption.id,
        "text": assumption.text,
        "impact": assumption.impact,
        "affects": list(assumption.affects),
        "check": check and {check.kind: dict(check.values)},
        "status": state.status,
        "since": state.since or None,
        "evidence": state.evidence,
    }
