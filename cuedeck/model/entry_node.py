"""Ledger entries and files of the cortex tree as nodes of the reference graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cuedeck.model.scene_values import Target

CORTEX_KIND = "cortex"
"""Kind of the nodes of the cortex tree; the id in `cortex://user/ana` is `//user/ana`.
"""
ENTRY_KINDS = (
    "decision",
    "attempt",
    "assumption",
    "record",
    "experience",
    "session",
    "statement",
    CORTEX_KIND,
)
"""Kinds of nodes that are no indexed files: ledger entries, and files and folders of
the cortex tree. The address of a node is its kind, a colon and its id.
"""
LOG_KINDS = ("decision", "attempt")
"""Kinds in append-only logs, for modules that load no ledger."""
ENTRY_PREFIXES = tuple(f"{kind}:" for kind in ENTRY_KINDS)


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
