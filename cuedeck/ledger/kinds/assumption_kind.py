"""Kind of the assumptions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.ledger.assumptions.assumption_checks import check_row
from cuedeck.ledger.assumptions.assumption_state import UNKNOWN, State, states
from cuedeck.ledger.assumptions.assumptions_toml import Assumptions, parse_assumptions
from cuedeck.ledger.entry_source import EntrySource, Shown, join_texts
from cuedeck.ledger.named_places import address_edges
from cuedeck.model.assumption import Assumption
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.entry_node import EntryEdge
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import ASSUMPTIONS
from cuedeck.model.recall_values import Unit
from cuedeck.model.secret_placeholder import as_words
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import LARGEST_TOML, read_bytes

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths

LOG = "assumptions"
"""Name of the log of states."""


class AssumptionSource(EntrySource[Assumption]):
    """Access to the assumptions of assumptions.toml."""

    def entries(self) -> Sequence[Assumption]:
        return assumptions_in(self.workspace.paths)

    def shown(self, value: Assumption) -> Shown:
        state = read_states(self.workspace).get(value.id, UNKNOWN)
        return Shown(
            ASSUMPTIONS,
            value.line,
            assumption_row(value, state),
        )

    def edges(self, value: Assumption) -> Iterator[EntryEdge]:
        return address_edges(
            self.workspace.index,
            "affects",
            value.affects,
        )

    def units(self) -> Iterator[Unit]:
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


def read_assumptions(paths: WorkspacePaths) -> Assumptions | None:
    """Return the parsed file; None if it does not exist.

    A file that is unreadable, too large, or a symbolic link that leaves the workspace
    has no assumption and one fault.
    """
    place = paths.absolute(ASSUMPTIONS)
    try:
        if os.path.islink(place):
            nofollow.follow_inside(paths.root, place)
        data = read_bytes(place, LARGEST_TOML)
    except nofollow.LinkRefused as error:
        hint = "put the file in the place of the link"
        return _unreadable(f"cannot read it: {error.strerror}", hint)
    except StorageError as error:
        return _unreadable(error.message.replace(place, ASSUMPTIONS), error.hint)
    return None if data is None else parse_assumptions(data)


def _unreadable(message: str, hint: str) -> Assumptions:
    fault = Diagnostic(
        ASSUMPTIONS,
        0,
        "error",
        "unreadable",
        message,
        hint,
    )
    return Assumptions((), (fault,))


def assumptions_in(paths: WorkspacePaths) -> Sequence[Assumption]:
    """Return the assumptions of the workspace, in file order."""
    found = read_assumptions(paths)
    return () if found is None else found.items


def read_states(workspace: Workspace) -> Mapping[str, State]:
    """Return the status of each assumption in the log. Raises: StorageError."""
    return workspace.ledger.derive(LOG, states)


def assumption_row(assumption: Assumption, state: State) -> dict[str, Any]:
    """Return an assumption with its state in the log."""
    check: dict[str, Any] | None = None
    if assumption.check is not None:
        check = {}
        for kind, values in check_row(assumption.check).items():
            # The expected value may be a table whose keys come from the user.
            check[kind] = {key: as_words(value) for key, value in values.items()}
    return {
        "id": assumption.id,
        "text": assumption.text,
        "impact": assumption.impact,
        "affects": list(assumption.affects),
        "check": check,
        "status": state.status,
        "since": state.since or None,
        "evidence": state.evidence,
    }
