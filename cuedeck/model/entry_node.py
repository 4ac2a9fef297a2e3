"""Ledger entries, and ledger entries and files of the cortex tree as nodes of the
reference graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cuedeck.model.scene_values import Target


class LedgerEntry(NamedTuple):
    """A JSON object with an id and a time, and its position in the file."""

    id: str
    timestamp: str
    """As written; RFC 3339 if written by CueDeck."""
    value: Mapping[str, Any]
    line: int
    """1-based."""
    digest: str
    """sha256 (hex) of the line; orders entries with the same time."""
    is_foreign: bool = False
    """Whether it is in the file of the entries of other copies."""


CORTEX_KIND = "cortex"
"""Kind of the nodes of the cortex tree; the id in `cortex://user/ana` is `//user/ana`.
"""
_KINDS = "cuedeck.ledger.kinds."


class EntryKind(NamedTuple):
    """A row of the table of kinds."""

    place: str = ""
    """Module and name of its `Kind`, or of the class of its `EntrySource`."""
    is_log: bool = False
    """Whether its entries are in an append-only log of their own."""


ENTRY_KINDS = {
    "decision": EntryKind(f"{_KINDS}decision_kind:DECISION", is_log=True),
    "attempt": EntryKind(f"{_KINDS}attempt_kind:ATTEMPT", is_log=True),
    "assumption": EntryKind(f"{_KINDS}assumption_kind:AssumptionSource"),
    "record": EntryKind(f"{_KINDS}record_kind:RecordSource"),
    "experience": EntryKind(f"{_KINDS}experience_kind:ExperienceSource"),
    "session": EntryKind(f"{_KINDS}session_kind:SessionSource"),
    "statement": EntryKind(f"{_KINDS}statement_kind:StatementSource"),
    CORTEX_KIND: EntryKind(),
}
"""Kinds of nodes that are no indexed files: ledger entries, and files and folders of
the cortex tree. The address of a node is its kind, a colon and its id.
"""


def is_entry_address(text: str) -> bool:
    """Return whether a text begins with a kind of entry and a colon."""
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind in ENTRY_KINDS


class EntryEdge(NamedTuple):
    """An edge from a ledger entry to a place of the workspace or to another entry."""

    kind: str
    """`affects`, `on` (an attempt), `mentions`, or `read` and `wrote` (the working set
    of a session).
    """
    target: Target


class EntryNode(NamedTuple):
    """A ledger entry, or a place of the cortex tree, with its text and its outgoing
    edges.
    """

    path: str
    """Workspace-relative path of its file."""
    line: int
    """1-based."""
    text: str
    """Fields of an entry, one a line, or text of a file; secrets are not masked."""
    edges: tuple[EntryEdge, ...]
    overview: str = ""
    """Smaller view of a long text; empty if the text has none."""


class Retired(NamedTuple):
    """Why links do not lead to an existing entry."""

    reason: str
    """`superseded`, `rejected` or `secret`."""
    successor: str = ""
    """Address of the entry in force that replaced it; empty if there is none."""
